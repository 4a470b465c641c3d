// libxml2 2.9: the XML parser's SAX2 events and the HTML parser, with structured errors for both.
#include <libxml/xmlversion.h>
// Debian's libxml2 includes the headers of its ICU. Foundation brings an ICU of its own, and a module that sees both
// does not always compile. Nothing here uses the two converters that end `xmlCharEncodingHandler`.
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>
#include <libxml/HTMLparser.h>
#include <libxml/SAX2.h>
// For tests, which validate feeds.
#include <libxml/relaxng.h>

// These are macros for per-thread variables, which Swift cannot import.
static inline xmlStructuredErrorFunc amberStructuredError(void) { return xmlStructuredError; }
static inline void *amberStructuredErrorContext(void) { return xmlStructuredErrorContext; }
