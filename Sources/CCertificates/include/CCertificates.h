/* Certificates by OpenSSL, whose makers are macros for the most part. Texts in and out are PEM; what comes out is the
 * caller's and goes back by ccert_free. Times are seconds since 1970. Any thread. */
#ifndef CCERTIFICATES_H
#define CCERTIFICATES_H
#include <stddef.h>
#include <stdint.h>

enum ccert_fault {
    ccert_ok = 0,
    ccert_no_certificate = 1, /* no certificate in the text */
    ccert_no_key = 2,         /* no key, or one behind a passphrase */
    ccert_not_its_key = 3,
    ccert_failed = 4, /* OpenSSL could not; see ccert_last_error */
};

/* A key for ECDSA on P-256, and a certificate that signs it itself and may sign those of servers: of these names alone, in
   the form of OpenSSL's nameConstraints ("permitted;DNS:local,…"). */
int ccert_make_authority(const char *name, const char *constraints, int64_t from, int64_t until, char **pem);

/* Whether a server's certificate by that authority may say `name`, a DNS name or a numeric address. */
int ccert_permits(const char *authority, const char *name);

/* A new key and a certificate for a server, signed by `authority` (as ccert_make_authority gives it), its certificate
   behind it. `names` are DNS names and numeric addresses. */
int ccert_make_server(const char *authority, const char *const *names, size_t count, int64_t from, int64_t until,
                      char **pem);

/* A server's certificate, the chain behind it, and its key. */
typedef struct ccert ccert;
int ccert_load(const char *certificates, const char *key, ccert **loaded);
void ccert_release(ccert *certificate);
/* For the next connections of an SSL_CTX, TLS 1.2 at least; 1 or 0. */
int ccert_install(const ccert *certificate, void *ssl_ctx);
void ccert_validity(const ccert *certificate, int64_t *from, int64_t *until);
/* Name `index`, counted from 0, in the form that inet_ntop gives; NULL behind the last. */
char *ccert_name(const ccert *certificate, size_t index);
/* Whether `authority` has signed it. */
int ccert_is_signed_by(const ccert *certificate, const char *authority);

/* SHA-256 over the public key (SubjectPublicKeyInfo) of the first certificate. */
int ccert_key_hash(const char *certificate, uint8_t hash[32]);
/* The first certificate alone, as PEM and as DER. */
int ccert_certificate(const char *text, char **pem, uint8_t **der, size_t *der_count);

/* Who connects with this SSL_CTX accepts a server whose chain, as it sends it, ends in an authority with this key hash
   and is valid now and for servers, and no other. `pin` must outlive the SSL_CTX; all but `hash` is set at each
   handshake. */
struct ccert_pin {
    uint8_t hash[32];
    /* A server has shown its chain. */
    int is_asked;
    /* X509_V_OK (0), or why it is not accepted. */
    int result;
    /* What the server showed instead: the key hash of its chain's last certificate. */
    uint8_t seen[32];
};
void ccert_pin_chain(void *ssl_ctx, struct ccert_pin *pin);
const char *ccert_verify_text(int result);

/* SHA-256 of any bytes; and bytes that nobody can guess, 1 or 0. */
void ccert_sha256(const void *bytes, size_t count, uint8_t hash[32]);
int ccert_random(void *bytes, size_t count);

/* OpenSSL's words for the last failure of this thread. */
const char *ccert_last_error(void);
void ccert_free(void *text);
#endif
