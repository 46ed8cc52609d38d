/* What Swift cannot import of libwebsockets, or what differs between 4.1 and 4.3. No decision but those a comment
 * names. All of it on the service thread. */
#include <libwebsockets.h>
#include <string.h>

/* Bytes that must be free in front of what lws_write is given. */
enum { cws_pre = LWS_PRE };

typedef int (*cws_callback)(struct lws *, enum lws_callback_reasons, void *, void *, size_t);

/* `names` ends with NULL; each is a subprotocol, the first the one of connections that name none. The array and the
   names must outlive the context; free() it then. */
static inline struct lws_protocols *cws_protocols(const char *const *names, cws_callback callback, size_t most_written) {
    size_t count = 0;
    while (names[count]) count++;
    struct lws_protocols *all = calloc(count + 1, sizeof *all);
    if (!all) return NULL;
    for (size_t i = 0; i < count; i++) {
        all[i].name = names[i];
        all[i].callback = callback;
        all[i].rx_buffer_size = 65536;
        all[i].tx_packet_size = most_written;
    }
    return all;
}

/* `user` is what cws_user gives. lws says nothing by itself: what matters reaches us as a result. */
static inline struct lws_context *cws_context(unsigned most_sockets, unsigned short most_header_bytes,
                                              unsigned handshake_seconds, void *user) {
    struct lws_context_creation_info info;
    memset(&info, 0, sizeof info);
    lws_set_log_level(0, NULL);
    info.port = CONTEXT_PORT_NO_LISTEN;
    info.options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS | LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT |
                   LWS_SERVER_OPTION_SKIP_SERVER_CANONICAL_NAME | LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS |
                   LWS_SERVER_OPTION_VALIDATE_UTF8;
    info.gid = -1;
    info.uid = -1;
    info.user = user;
    info.fd_limit_per_thread = most_sockets;
    info.max_http_header_data = most_header_bytes;
    info.timeout_secs = handshake_seconds;
    info.pt_serv_buf_size = 65536;
    return lws_create_context(&info);
}

static inline void *cws_user(struct lws *wsi) { return lws_context_user(lws_get_context(wsi)); }

/* Takes sockets that are handed to it, none by itself. With `tls`, LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS
   gets the SSL_CTX (as `user`) that still needs its certificate; who speaks plain HTTP there is served plainly, for
   the caller to send away. `pings` must outlive the context. */
static inline struct lws_vhost *cws_server(struct lws_context *context, const struct lws_protocols *protocols, int tls,
                                           unsigned idle_seconds, unsigned header_seconds,
                                           const lws_retry_bo_t *pings) {
    struct lws_context_creation_info info;
    memset(&info, 0, sizeof info);
    info.vhost_name = tls ? "secure" : "plain"; /* kept, not copied */
    info.port = CONTEXT_PORT_NO_LISTEN_SERVER;
    info.protocols = protocols;
    info.alpn = "http/1.1";
    info.options = LWS_SERVER_OPTION_VALIDATE_UTF8 | LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT |
                   LWS_SERVER_OPTION_SKIP_SERVER_CANONICAL_NAME | LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS;
    if (tls)
        info.options |= LWS_SERVER_OPTION_CREATE_VHOST_SSL_CTX | LWS_SERVER_OPTION_ALLOW_NON_SSL_ON_SSL_PORT |
                        LWS_SERVER_OPTION_ALLOW_HTTP_ON_HTTPS_LISTENER;
    info.keepalive_timeout = (int)idle_seconds;
    info.timeout_secs_ah_idle = header_seconds;
    info.retry_and_idle_policy = pings;
    return lws_create_vhost(context, &info);
}

/* For connections that this program opens. LWS_CALLBACK_OPENSSL_LOAD_EXTRA_CLIENT_VERIFY_CERTS gets the SSL_CTX (as
   `user`), which trusts nobody. */
static inline struct lws_vhost *cws_client(struct lws_context *context, const struct lws_protocols *protocols) {
    struct lws_context_creation_info info;
    memset(&info, 0, sizeof info);
    info.vhost_name = "client";
    /* A connection that rests and is gone is noticed. */
    info.ka_time = 20;
    info.ka_interval = 5;
    info.ka_probes = 4;
    info.port = CONTEXT_PORT_NO_LISTEN;
    info.protocols = protocols;
    info.options = LWS_SERVER_OPTION_VALIDATE_UTF8 | LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT |
                   LWS_SERVER_OPTION_SKIP_SERVER_CANONICAL_NAME | LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS;
    return lws_create_vhost(context, &info);
}

/* A request, or with `method` NULL a WebSocket that offers `subprotocols` (NULL: none). The outcome comes by callback,
   also where this is NULL. */
static inline struct lws *cws_connect(struct lws_context *context, struct lws_vhost *vhost, const char *address, int port, int tls,
                                      const char *host, const char *path, const char *method, const char *subprotocols,
                                      const char *local_protocol, const lws_retry_bo_t *pings, uintptr_t id) {
    struct lws_client_connect_info info;
    memset(&info, 0, sizeof info);
    info.context = context;
    info.vhost = vhost;
    info.address = address;
    info.port = port;
    info.ssl_connection = LCCSCF_HTTP_NO_FOLLOW_REDIRECT | (tls ? LCCSCF_USE_SSL : 0);
    info.path = path;
    info.host = host;
    info.protocol = subprotocols;
    info.method = method;
    info.alpn = "http/1.1";
    info.ietf_version_or_minus_one = -1;
    info.local_protocol_name = local_protocol;
    info.retry_and_idle_policy = pings;
    info.opaque_user_data = (void *)id;
    return lws_client_connect_via_info(&info);
}

/* Hands a connected socket over; `id` is what cws_id gives. NULL where it could not be taken; it is closed then. */
static inline struct lws *cws_adopt(struct lws_vhost *vhost, int fd, uintptr_t id) {
    lws_adopt_desc_t info;
    memset(&info, 0, sizeof info);
    info.vh = vhost;
    info.type = LWS_ADOPT_SOCKET | LWS_ADOPT_HTTP | LWS_ADOPT_ALLOW_SSL;
    info.fd.sockfd = fd;
    info.opaque = (void *)id;
    return lws_adopt_descriptor_vhost_via_info(&info);
}

/* Has LWS_CALLBACK_RAW_RX_FILE said whenever `fd` is readable. NULL where it could not be taken. */
static inline struct lws *cws_watch(struct lws_vhost *vhost, int fd, const char *protocol, uintptr_t id) {
    lws_adopt_desc_t info;
    memset(&info, 0, sizeof info);
    info.vh = vhost;
    info.type = LWS_ADOPT_RAW_FILE_DESC;
    info.fd.filefd = fd;
    info.vh_prot_name = protocol;
    info.opaque = (void *)id;
    return lws_adopt_descriptor_vhost_via_info(&info);
}

static inline uintptr_t cws_id(struct lws *wsi) { return (uintptr_t)lws_get_opaque_user_data(wsi); }

/* One value of a header or of a split path or query, `index` counted from 0; its length, or -1: there is none. */
static inline int cws_value(struct lws *wsi, enum lws_token_indexes token, int index, char *out, int size) {
    if (!lws_hdr_total_length(wsi, token)) return -1;
    return lws_hdr_copy_fragment(wsi, out, size, token, index);
}

/* The name of header number `index` ("host:"), "" where that number is none; NULL behind the last. */
static inline const char *cws_header_name(int index) {
    if (index >= WSI_TOKEN_COUNT) return NULL;
    const char *name = (const char *)lws_token_to_string((enum lws_token_indexes)index);
    /* Methods ("get ") and HTTP/2's own (":path") have numbers, too. */
    return name && name[0] != ':' && name[0] && name[strlen(name) - 1] == ':' ? name : "";
}

static inline enum lws_token_indexes cws_token(int index) { return (enum lws_token_indexes)index; }

/* A header that lws has no number for; `name` in small letters with its colon. Its length, or -1. */
static inline int cws_custom_value(struct lws *wsi, const char *name, char *out, int size) {
    int length = (int)strlen(name);
    if (lws_hdr_custom_length(wsi, name, length) < 0) return -1;
    return lws_hdr_custom_copy(wsi, out, size, name, length);
}

static inline int cws_write(struct lws *wsi, void *bytes, size_t count, int kind) {
    return lws_write(wsi, (unsigned char *)bytes, count, (enum lws_write_protocol)kind);
}

/* Adds a line to the head of a request that is being made, `at` moving on; 0 where there is no room. */
static inline int cws_add_line(unsigned char **at, const unsigned char *end, const char *line) {
    size_t count = strlen(line);
    if ((size_t)(end - *at) < count + 3) return 0;
    memcpy(*at, line, count);
    memcpy(*at + count, "\r\n", 2);
    *at += count + 2;
    return 1;
}

static inline void cws_close_reason(struct lws *wsi, int code, const void *text, size_t count) {
    lws_close_reason(wsi, (enum lws_close_status)code, (unsigned char *)text, count);
}

/* Closes it as soon as lws is outside of its callbacks. */
static inline void cws_kill(struct lws *wsi) { lws_set_timeout(wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC); }

/* At once, rather than behind the callback that is under way. */
static inline int cws_stop_reading(struct lws *wsi) {
    return lws_rx_flow_control(
        wsi, LWS_RXFLOW_REASON_APPLIES | LWS_RXFLOW_REASON_USER_BOOL | LWS_RXFLOW_REASON_FLAG_PROCESS_NOW);
}

/* Closes it when `seconds` are over; 0: never. One time limit a connection, which lws itself sets too. */
static inline void cws_limit(struct lws *wsi, unsigned seconds) {
    lws_set_timeout(wsi, seconds ? PENDING_TIMEOUT_HTTP_CONTENT : NO_PENDING_TIMEOUT, (int)seconds);
}
