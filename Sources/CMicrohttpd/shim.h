#include <limits.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>

// Wrappers of libmicrohttpd's variadic functions, which Swift cannot call.

/// Keeps the request target unchanged. It is decoded later, so that "%2e%2e" cannot bypass checks.
static inline size_t amber_mhd_keep_escaped(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    return strlen(text);
}

/// Starts a server at an address, with one thread per connection and poll(2). It uses TLS if there is a key and certificate.
static inline struct MHD_Daemon *amber_mhd_start(
    const struct sockaddr_in *address, unsigned int connections, unsigned int idle_seconds, const char *key, const char *certificate,
    void *(*begin)(void *, const char *, struct MHD_Connection *),
    MHD_AccessHandlerCallback answer, MHD_RequestCompletedCallback end, MHD_NotifyConnectionCallback connection, void *context) {
    struct MHD_OptionItem tls[] = {
        {key ? MHD_OPTION_HTTPS_MEM_KEY : MHD_OPTION_END, 0, (void *)key},
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)certificate},
        {MHD_OPTION_END, 0, NULL}};
    return MHD_start_daemon(
        MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL | MHD_USE_ITC | (key ? MHD_USE_TLS : 0), 0,
        NULL, NULL, answer, context,
        MHD_OPTION_SOCK_ADDR, address,
        MHD_OPTION_LISTEN_BACKLOG_SIZE, 1024u,
        MHD_OPTION_CONNECTION_LIMIT, connections,
        MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
        MHD_OPTION_THREAD_STACK_SIZE, (size_t)(1024 * 1024),
        MHD_OPTION_URI_LOG_CALLBACK, begin, context,
        MHD_OPTION_NOTIFY_COMPLETED, end, context,
        MHD_OPTION_NOTIFY_CONNECTION, connection, context,
        MHD_OPTION_ARRAY, tls,
        MHD_OPTION_UNESCAPE_CALLBACK, &amber_mhd_keep_escaped, NULL,
        MHD_OPTION_END);
}

/// The port of a server.
static inline int amber_mhd_port(struct MHD_Daemon *daemon) {
    return MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
}

/// The socket of a connection, or -1.
static inline int amber_mhd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

/// The bytes of a request's first line and headers, or LONG_MAX if unknown.
static inline long amber_mhd_header_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info && info->header_size < LONG_MAX ? (long)info->header_size : LONG_MAX;
}

/// The milliseconds since a socket last received data (tcp(7), TCP_INFO), or -1 if unknown.
static inline long amber_milliseconds_since_data(int socket) {
    struct tcp_info info;
    socklen_t size = sizeof info;
    return getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 ? (long)info.tcpi_last_data_recv : -1;
}
