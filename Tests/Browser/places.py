"""The selectors of elements that templates and scripts make."""

CARDS = "main .cards > .card"
PAGER = "main .pager"

# reading.js
READING = "main .reading-on"
LOADING = "main .reading-on.is-loading"
TRY_AGAIN = "main .reading-on button:visible"

# search.html
SEARCH_BOX = "main input[type=search]"
RESULTS = "main ul.results a[href]"
SUGGESTIONS = "main [role=listbox]:not([hidden]) [role=option]"
COUNT = "main p.count"

# filters.js
FILTER = "main .filters select:has(option[value='{value}'])"  # the control that offers a value
CLEAR_FILTERS = "main .filters button.clear"

# settings.html
CHOICE = "main form.settings input[name='{name}'][value='{value}']"
CLEAR_HISTORY = "main form.settings button[data-action=clear-history]"

# locations.html
SORTABLE = "main table.sortable"

SWITCH = "a[hreflang='{language}']:visible"
