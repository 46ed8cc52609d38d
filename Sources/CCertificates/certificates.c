#include "CCertificates.h"

#include <arpa/inet.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ccert {
    X509 *leaf;
    EVP_PKEY *key;
    STACK_OF(X509) *chain;
};

static BIO *reader(const char *text) { return BIO_new_mem_buf(text, -1); }

/* Never asks at the terminal. */
static int no_passphrase(char *buffer, int size, int writing, void *data) {
    (void)buffer, (void)size, (void)writing, (void)data;
    return -1;
}

static X509 *read_certificate(const char *text) {
    BIO *in = reader(text);
    X509 *certificate = in ? PEM_read_bio_X509(in, NULL, no_passphrase, NULL) : NULL;
    BIO_free(in);
    return certificate;
}

static EVP_PKEY *read_key(const char *text) {
    BIO *in = reader(text);
    EVP_PKEY *key = in ? PEM_read_bio_PrivateKey(in, NULL, no_passphrase, NULL) : NULL;
    BIO_free(in);
    return key;
}

static char *contents(BIO *out) {
    char *bytes;
    long count = BIO_get_mem_data(out, &bytes);
    char *text = malloc((size_t)count + 1);
    if (text) {
        memcpy(text, bytes, (size_t)count);
        text[count] = 0;
    }
    return text;
}

static int add(X509 *to, X509 *issuer, int kind, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer, to, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
    if (!extension) return 0;
    int done = X509_add_ext(to, extension, -1);
    X509_EXTENSION_free(extension);
    return done;
}

/* What every certificate of ours has. `name` becomes the common name. */
static X509 *begin(EVP_PKEY *key, const char *name, int64_t from, int64_t until) {
    X509 *made = X509_new();
    unsigned char serial[16];
    BIGNUM *number = NULL;
    if (!made || RAND_bytes(serial, sizeof serial) != 1) goto failed;
    serial[0] &= 0x7f; /* positive */
    serial[0] |= 0x40; /* and of one length */
    number = BN_bin2bn(serial, sizeof serial, NULL);
    if (!number || !X509_set_version(made, 2) || !BN_to_ASN1_INTEGER(number, X509_get_serialNumber(made)) ||
        !ASN1_TIME_adj(X509_getm_notBefore(made), 0, (int)(from / 86400), from % 86400) ||
        !ASN1_TIME_adj(X509_getm_notAfter(made), 0, (int)(until / 86400), until % 86400) ||
        !X509_set_pubkey(made, key) ||
        !X509_NAME_add_entry_by_txt(X509_get_subject_name(made), "O", MBSTRING_UTF8, (const unsigned char *)"camrig", -1,
                                    -1, 0) ||
        !X509_NAME_add_entry_by_txt(X509_get_subject_name(made), "CN", MBSTRING_UTF8, (const unsigned char *)name, -1,
                                    -1, 0))
        goto failed;
    BN_free(number);
    return made;
failed:
    BN_free(number);
    X509_free(made);
    return NULL;
}

int ccert_make_authority(const char *name, const char *constraints, int64_t from, int64_t until, char **pem) {
    int result = ccert_failed;
    *pem = NULL;
    ERR_clear_error();
    BIO *out = BIO_new(BIO_s_mem());
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *made = key && out ? begin(key, name, from, until) : NULL;
    if (made && X509_set_issuer_name(made, X509_get_subject_name(made)) &&
        add(made, made, NID_basic_constraints, "critical,CA:TRUE,pathlen:0") &&
        add(made, made, NID_key_usage, "critical,keyCertSign,cRLSign") &&
        add(made, made, NID_ext_key_usage, "serverAuth") && add(made, made, NID_subject_key_identifier, "hash") &&
        add(made, made, NID_name_constraints, constraints) && X509_sign(made, key, EVP_sha256()) && PEM_write_bio_PrivateKey(out, key, NULL, NULL, 0, NULL, NULL) &&
        PEM_write_bio_X509(out, made) && (*pem = contents(out)))
        result = ccert_ok;
    X509_free(made);
    EVP_PKEY_free(key);
    BIO_free(out);
    return result;
}

/* As subjectAltName; made from parts, since a text would have to be quoted. */
static int add_names(X509 *to, const char *const *names, size_t count) {
    GENERAL_NAMES *all = GENERAL_NAMES_new();
    int done = all != NULL;
    for (size_t i = 0; done && i < count; i++) {
        unsigned char address[16];
        size_t size = inet_pton(AF_INET, names[i], address) == 1    ? 4
                      : inet_pton(AF_INET6, names[i], address) == 1 ? 16
                                                                    : 0;
        GENERAL_NAME *name = GENERAL_NAME_new();
        ASN1_STRING *value = size ? ASN1_OCTET_STRING_new() : ASN1_IA5STRING_new();
        done = name && value &&
               ASN1_STRING_set(value, size ? (const void *)address : (const void *)names[i], size ? (int)size : -1) &&
               sk_GENERAL_NAME_push(all, name);
        if (!done) {
            GENERAL_NAME_free(name);
            ASN1_STRING_free(value);
            break;
        }
        GENERAL_NAME_set0_value(name, size ? GEN_IPADD : GEN_DNS, value);
    }
    done = done && X509_add1_ext_i2d(to, NID_subject_alt_name, all, 0, X509V3_ADD_DEFAULT) == 1;
    GENERAL_NAMES_free(all);
    return done;
}

int ccert_permits(const char *authority, const char *name) {
    X509 *issuer = read_certificate(authority), *probe = X509_new();
    NAME_CONSTRAINTS *constraints = issuer ? X509_get_ext_d2i(issuer, NID_name_constraints, NULL, NULL) : NULL;
    /* What is checked is what X509_check_purpose has taken out of the extensions. */
    int permits = issuer && probe && add_names(probe, &name, 1) && X509_check_purpose(probe, -1, 0) >= -1 &&
                  (!constraints || NAME_CONSTRAINTS_check(probe, constraints) == X509_V_OK);
    NAME_CONSTRAINTS_free(constraints);
    X509_free(probe);
    X509_free(issuer);
    ERR_clear_error();
    return permits;
}

int ccert_make_server(const char *authority, const char *const *names, size_t count, int64_t from, int64_t until,
                      char **pem) {
    int result = ccert_failed;
    *pem = NULL;
    ERR_clear_error();
    BIO *out = BIO_new(BIO_s_mem());
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *issuer = read_certificate(authority);
    EVP_PKEY *issuer_key = read_key(authority);
    /* Names of more than 64 letters do not fit a common name, and nobody reads it. */
    X509 *made = key && out ? begin(key, "rig", from, until) : NULL;
    if (!issuer)
        result = ccert_no_certificate;
    else if (!issuer_key)
        result = ccert_no_key;
    else if (X509_check_private_key(issuer, issuer_key) != 1)
        result = ccert_not_its_key;
    else if (made && X509_set_issuer_name(made, X509_get_subject_name(issuer)) &&
             add(made, issuer, NID_basic_constraints, "critical,CA:FALSE") &&
             add(made, issuer, NID_key_usage, "critical,digitalSignature") &&
             add(made, issuer, NID_ext_key_usage, "serverAuth") && add_names(made, names, count) &&
             add(made, issuer, NID_subject_key_identifier, "hash") &&
             add(made, issuer, NID_authority_key_identifier, "keyid:always") &&
             X509_sign(made, issuer_key, EVP_sha256()) &&
             PEM_write_bio_PrivateKey(out, key, NULL, NULL, 0, NULL, NULL) && PEM_write_bio_X509(out, made) &&
             PEM_write_bio_X509(out, issuer) && (*pem = contents(out)))
        result = ccert_ok;
    X509_free(made);
    X509_free(issuer);
    EVP_PKEY_free(issuer_key);
    EVP_PKEY_free(key);
    BIO_free(out);
    return result;
}

int ccert_load(const char *certificates, const char *key, ccert **loaded) {
    *loaded = NULL;
    ERR_clear_error();
    ccert *made = calloc(1, sizeof *made);
    BIO *in = reader(certificates);
    int result = ccert_failed;
    if (!made || !in || !(made->chain = sk_X509_new_null())) goto end;
    made->leaf = PEM_read_bio_X509(in, NULL, no_passphrase, NULL);
    made->key = read_key(key);
    for (X509 *next; made->leaf && (next = PEM_read_bio_X509(in, NULL, no_passphrase, NULL));)
        if (!sk_X509_push(made->chain, next)) X509_free(next);
    result = !made->leaf                                              ? ccert_no_certificate
             : !made->key                                             ? ccert_no_key
             : X509_check_private_key(made->leaf, made->key) != 1     ? ccert_not_its_key
                                                                      : ccert_ok;
    ERR_clear_error(); /* the end of the text is an error to PEM_read */
end:
    BIO_free(in);
    if (result == ccert_ok)
        *loaded = made;
    else
        ccert_release(made);
    return result;
}

void ccert_release(ccert *certificate) {
    if (!certificate) return;
    X509_free(certificate->leaf);
    EVP_PKEY_free(certificate->key);
    sk_X509_pop_free(certificate->chain, X509_free);
    free(certificate);
}

int ccert_install(const ccert *certificate, void *ssl_ctx) {
    ERR_clear_error();
    return SSL_CTX_set_min_proto_version(ssl_ctx, TLS1_2_VERSION) &&
           SSL_CTX_use_cert_and_key(ssl_ctx, certificate->leaf, certificate->key, certificate->chain, 1) == 1;
}

static int64_t seconds(const ASN1_TIME *time) {
    ASN1_TIME *epoch = ASN1_TIME_set(NULL, 0);
    int days = 0, rest = 0;
    int done = epoch && ASN1_TIME_diff(&days, &rest, epoch, time);
    ASN1_TIME_free(epoch);
    return done ? (int64_t)days * 86400 + rest : 0;
}

void ccert_validity(const ccert *certificate, int64_t *from, int64_t *until) {
    *from = seconds(X509_get0_notBefore(certificate->leaf));
    *until = seconds(X509_get0_notAfter(certificate->leaf));
}

char *ccert_name(const ccert *certificate, size_t index) {
    char *text = NULL;
    GENERAL_NAMES *all = X509_get_ext_d2i(certificate->leaf, NID_subject_alt_name, NULL, NULL);
    if (all && index < (size_t)sk_GENERAL_NAME_num(all)) {
        int kind;
        const ASN1_STRING *value = GENERAL_NAME_get0_value(sk_GENERAL_NAME_value(all, (int)index), &kind);
        char address[INET6_ADDRSTRLEN] = "";
        if (kind == GEN_DNS)
            text = strndup((const char *)ASN1_STRING_get0_data(value), (size_t)ASN1_STRING_length(value));
        else if (kind == GEN_IPADD &&
                 inet_ntop(ASN1_STRING_length(value) == 4 ? AF_INET : AF_INET6, ASN1_STRING_get0_data(value), address,
                           sizeof address))
            text = strdup(address);
        else
            text = strdup("");
    }
    GENERAL_NAMES_free(all);
    return text;
}

int ccert_is_signed_by(const ccert *certificate, const char *authority) {
    X509 *issuer = read_certificate(authority);
    int signed_by = issuer && X509_verify(certificate->leaf, X509_get0_pubkey(issuer)) == 1;
    X509_free(issuer);
    ERR_clear_error();
    return signed_by;
}

static int key_hash(X509 *certificate, uint8_t hash[32]) {
    unsigned char *der = NULL;
    int count = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &der);
    int done = count > 0 && EVP_Digest(der, (size_t)count, hash, NULL, EVP_sha256(), NULL) == 1;
    OPENSSL_free(der);
    return done;
}

int ccert_key_hash(const char *certificate, uint8_t hash[32]) {
    ERR_clear_error();
    X509 *read = read_certificate(certificate);
    if (!read) return ccert_no_certificate;
    int done = key_hash(read, hash);
    X509_free(read);
    return done ? ccert_ok : ccert_failed;
}

int ccert_certificate(const char *text, char **pem, uint8_t **der, size_t *der_count) {
    *pem = NULL;
    *der = NULL;
    ERR_clear_error();
    X509 *read = read_certificate(text);
    if (!read) return ccert_no_certificate;
    BIO *out = BIO_new(BIO_s_mem()), *binary = BIO_new(BIO_s_mem());
    int result = ccert_failed;
    if (out && binary && PEM_write_bio_X509(out, read) && i2d_X509_bio(binary, read) && (*pem = contents(out)) &&
        (*der = (uint8_t *)contents(binary))) {
        *der_count = (size_t)BIO_get_mem_data(binary, NULL);
        result = ccert_ok;
    }
    BIO_free(out);
    BIO_free(binary);
    X509_free(read);
    return result;
}

/* Instead of OpenSSL's own check. Trusts the certificate of the chain that has the pinned key, then lets OpenSSL check
   the rest: signatures, times, purpose. */
static int verify(X509_STORE_CTX *shown, void *argument) {
    struct ccert_pin *pin = argument;
    STACK_OF(X509) *chain = X509_STORE_CTX_get0_untrusted(shown);
    X509 *leaf = X509_STORE_CTX_get0_cert(shown), *anchor = NULL;
    uint8_t hash[32];
    memset(pin->seen, 0, sizeof pin->seen);
    pin->is_asked = 1;
    pin->result = X509_V_ERR_CERT_UNTRUSTED;
    for (int i = 0; i < sk_X509_num(chain); i++) {
        X509 *certificate = sk_X509_value(chain, i);
        if (!key_hash(certificate, hash)) continue;
        memcpy(pin->seen, hash, sizeof hash);
        if (!anchor && CRYPTO_memcmp(hash, pin->hash, sizeof hash) == 0) anchor = certificate;
    }
    if (anchor) {
        memcpy(pin->seen, pin->hash, sizeof pin->seen);
        X509_STORE *store = X509_STORE_new();
        X509_STORE_CTX *check = X509_STORE_CTX_new();
        if (store && check && X509_STORE_add_cert(store, anchor) && X509_STORE_CTX_init(check, store, leaf, chain)) {
            X509_STORE_CTX_set_default(check, "ssl_server");
            X509_STORE_CTX_set_flags(check, X509_V_FLAG_PARTIAL_CHAIN);
            int done = X509_verify_cert(check);
            pin->result = done == 1 ? X509_V_OK : X509_STORE_CTX_get_error(check);
            if (done != 1 && pin->result == X509_V_OK) pin->result = X509_V_ERR_UNSPECIFIED;
        }
        X509_STORE_CTX_free(check);
        X509_STORE_free(store);
    }
    X509_STORE_CTX_set_error(shown, pin->result);
    return pin->result == X509_V_OK;
}

void ccert_pin_chain(void *ssl_ctx, struct ccert_pin *pin) {
    SSL_CTX_set_min_proto_version(ssl_ctx, TLS1_2_VERSION);
    SSL_CTX_set_cert_verify_callback(ssl_ctx, verify, pin);
}

const char *ccert_verify_text(int result) { return X509_verify_cert_error_string(result); }

void ccert_sha256(const void *bytes, size_t count, uint8_t hash[32]) { SHA256(bytes, count, hash); }

int ccert_random(void *bytes, size_t count) { return RAND_bytes(bytes, (int)count) == 1; }

const char *ccert_last_error(void) {
    unsigned long code = ERR_peek_last_error();
    const char *reason = code ? ERR_reason_error_string(code) : NULL;
    return reason ? reason : "no reason given";
}

void ccert_free(void *text) { free(text); }
