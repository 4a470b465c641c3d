#include <curl/curl.h>

// Wrappers of libcurl's variadic setters and getters, one for each argument type.

typedef size_t (*ccurl_data_callback)(char *, size_t, size_t, void *);

static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) { return curl_easy_setopt(easy, option, value); }
static inline CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) { return curl_easy_setopt(easy, option, value); }
static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) { return curl_easy_setopt(easy, option, value); }
static inline CURLcode ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) { return curl_easy_setopt(easy, option, value); }
static inline CURLcode ccurl_set_callback(CURL *easy, CURLoption option, ccurl_data_callback value) { return curl_easy_setopt(easy, option, value); }
static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) { return curl_multi_setopt(multi, option, value); }

static inline long ccurl_get_long(CURL *easy, CURLINFO info) { long value = 0; curl_easy_getinfo(easy, info, &value); return value; }
static inline const char *ccurl_get_string(CURL *easy, CURLINFO info) { const char *value = 0; curl_easy_getinfo(easy, info, &value); return value; }
// The result of a finished transfer. It is a union member, which Swift cannot import.
static inline CURLcode ccurl_result(const CURLMsg *message) { return message->data.result; }
