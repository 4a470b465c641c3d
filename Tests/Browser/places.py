"""The selectors of elements that templates and scripts make."""

CARDS = "main .cards > .card"
PAGER = "main .pager"

# reading.js
READING = "main .reading-on"
LOADING = "main .reading-on.is-loading"
TRY_AGAIN = "main .reading-on button:visible"

# search.html
SEARCH_BOX = "main input[type=search]"
RESULTS = "main .answers .group a[href]"
SUGGESTIONS = "main [role=listbox]:not([hidden]) [role=option]"
COUNT = "main p.count"
EXAMPLES = "main .answers .examples a[href]"
RECENT = "main .answers .recent li > button:first-child"
FORGET = "main .answers .recent .remove"
KINDS = "main .kinds button"

# filters.js
FILTER = "main .filters select:has(option[value='{value}'])"  # the control that offers a value
CLEAR_FILTERS = "main .active button.clear"
FILTERS = "main .filters .toggle"  # shows the controls on small screens
CHIPS = "main .active li button"
SORT = "main .filters .sorting select"
FILTER_AGAIN = "main .failure button"

# settings.html
CHOICE = "main form.settings input[name='{name}'][value='{value}']"
CLEAR_HISTORY = "main form.settings button[data-action=clear-history]"

# locations.html
SORTABLE = "main table.sortable"

SWITCH = "a[hreflang='{language}']:visible"
