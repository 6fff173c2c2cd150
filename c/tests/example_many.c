/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Moves a table of short records from CBC, as PHP's mcrypt wrote them (zeros fill the last block),
 * to OCB with a new key, a new nonce, and the number of the row as associated data: many records
 * at once. The table is made here; a real program has a database, and random keys.
 *
 * Usage: example_many [RECORDS]
 */
#include <manyfish/many.h>
#include <manyfish/twofish.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCH = 1024, BLOCK = MF_TWOFISH_BLOCK_BYTES, NONCE = 12, ROOM = 64, TEXT = 50 };

typedef struct record {
    size_t row;
    unsigned char nonce[BLOCK]; /* the IV, later the nonce */
    unsigned char text[ROOM];
    size_t n_bytes;
    unsigned char tag[MF_OCB_TAG_BYTES];
} record;

static mf_message message(record *r, size_t nonce_bytes)
{
    return (mf_message){.nonce = r->nonce,
                        .nonce_bytes = nonce_bytes,
                        .aad = &r->row,
                        .aad_bytes = sizeof r->row,
                        .out = r->text,
                        .in = r->text,
                        .n_bytes = r->n_bytes,
                        .tag = r->tag,
                        .tag_bytes = sizeof r->tag};
}

/* The status is that of the first wrong record; m[i].status is that of each. CBC takes any key for
 * the right one: look at some texts before the old table goes. */
static mf_status move(const mf_cipher *old, const mf_ocb *ocb, record *r, size_t n)
{
    static mf_message m[BATCH];
    for (size_t i = 0; i < n; i++) {
        m[i] = message(&r[i], BLOCK);
    }
    mf_status status = mf_cbc_decrypt_many(old, m, n);
    for (size_t i = 0; i < n; i++) {
        while (r[i].n_bytes > 0 && r[i].text[r[i].n_bytes - 1] == 0) {
            r[i].n_bytes--;
        }
        memset(r[i].nonce, 0, NONCE); /* the row's number: never twice, since the key is new */
        memcpy(r[i].nonce, &r[i].row, sizeof r[i].row);
        m[i] = message(&r[i], NONCE);
    }
    return status == MF_OK ? mf_ocb_encrypt_many(ocb, m, n) : status;
}

/* A row as the old program left it. */
static mf_status make(const mf_cipher *old, record *r, size_t row)
{
    unsigned char iv[BLOCK] = {0};
    r->row = row;
    r->n_bytes = ROOM;
    memcpy(iv, &row, sizeof row);
    memcpy(r->nonce, iv, BLOCK);
    memset(r->text, 'a' + (int)(row % 26), TEXT);
    return mf_cbc_encrypt(old, iv, r->text, r->text, ROOM);
}

/* Opens a row again. */
static mf_status check(mf_ocb *ocb, record *r)
{
    const mf_status status = mf_ocb_decrypt(ocb, r->nonce, NONCE, &r->row, sizeof r->row, r->text,
                                            r->text, r->n_bytes, r->tag);
    const int letter = 'a' + (int)(r->row % 26);
    return r->n_bytes == TEXT && r->text[TEXT - 1] == letter ? status : MF_ERROR_TAG;
}

int main(int n_arguments, char **arguments)
{
    const size_t n = n_arguments > 1 ? (size_t)strtoul(arguments[1], NULL, 10) : 5000;
    record *const table = calloc(n, sizeof *table);
    mf_twofish old_key, new_key;
    mf_ocb ocb;
    mf_status status = table == NULL ? MF_ERROR_MEMORY : MF_OK;
    status = status != MF_OK ? status
                             : mf_twofish_init(&old_key, "the key that PHP's mcrypt had...", 32);
    status = status != MF_OK ? status
                             : mf_twofish_init(&new_key, "a new key: take 32 random bytes.", 32);
    const mf_cipher old = mf_twofish_cipher(&old_key), cipher = mf_twofish_cipher(&new_key);
    status = status != MF_OK ? status : mf_ocb_init(&ocb, &cipher);
    for (size_t i = 0; i < n && status == MF_OK; i++) {
        status = make(&old, &table[i], i);
    }
    const clock_t start = clock();
    for (size_t i = 0; i < n && status == MF_OK; i += BATCH) {
        status = move(&old, &ocb, &table[i], n - i < BATCH ? n - i : BATCH);
        if (i / BATCH % 64 == 0) {
            fprintf(stderr, "\r%zu of %zu records", i, n);
        }
    }
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    for (size_t i = 0; i < n && status == MF_OK; i++) {
        status = check(&ocb, &table[i]);
    }
    printf("\n%s: %.0f records a second\n", mf_status_text(status), (double)n / seconds);
    mf_ocb_wipe(&ocb);
    mf_twofish_wipe(&old_key);
    mf_twofish_wipe(&new_key);
    free(table);
    return status == MF_OK ? 0 : 1;
}
