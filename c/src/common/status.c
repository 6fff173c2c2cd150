/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The sentence of each status, and the version.
 */
#include <manyfish/common.h>

const char *mf_status_text(mf_status status)
{
    switch (status) {
    case MF_OK:
        return "done";
    case MF_ERROR_NULL:
        return "a pointer is NULL where there is data to read or write";
    case MF_ERROR_KEY_LENGTH:
        return "the cipher has no key of this length (Twofish: 16, 24 or 32 bytes), or the kernel "
               "takes none";
    case MF_ERROR_LENGTH:
        return "the length is not a whole number of blocks or sectors, is less than one, or is not "
               "the one that CCM was told";
    case MF_ERROR_OVERLAP:
        return "the output overlaps the input without being the same buffer";
    case MF_ERROR_NO_KEY:
        return "the context holds no key: it was never initialised, or it was wiped";
    case MF_ERROR_KERNEL:
        return "this build has no kernel of this name";
    case MF_ERROR_CPU:
        return "the kernel needs instructions that this CPU lacks";
    case MF_ERROR_TAG:
        return "wrong tag: the key, the nonce, the data or the associated data differ";
    case MF_ERROR_PADDING:
        return "the decrypted message does not end in valid padding";
    case MF_ERROR_NONCE_LENGTH:
        return "the mode has no nonce of this length (OCB: 1 to 15 bytes, CCM: 7 to 13, GCM: at "
               "least 1)";
    case MF_ERROR_CAPACITY:
        return "the output buffer is too small";
    case MF_ERROR_STATE:
        return "the calls come in an order that the mode does not allow";
    case MF_ERROR_TOO_LONG:
        return "this is more than the mode allows under one nonce, in one unit, or of strings";
    case MF_ERROR_BLOCK:
        return "the mode has no block, counter or segment of this size, or no such variant";
    case MF_ERROR_SELFTEST:
        return "the kernel gave a wrong known answer: this build must not be used";
    case MF_ERROR_TAG_LENGTH:
        return "the mode has no tag of this length";
    case MF_ERROR_ROUNDS:
        return "a variant of Twofish has 1 to 124 rounds";
    case MF_ERROR_TABLES:
        return "the kernel needs tables that have not been built";
    case MF_ERROR_MEMORY:
        return "the system gives no memory";
    case MF_ERROR_EXECUTABLE:
        return "the system refuses executable memory";
    case MF_ERROR_FILE:
        return "the file cannot be read or written, or is not what it should be";
    case MF_ERROR_POLICY:
        return "no kernel that runs here keeps within what the caller allows";
    case MF_ERROR_CANCELLED:
        return "the progress function of the caller cancelled it";
    case MF_ERROR_WEAK_KEY:
        return "the key is weak: one of a kind that the caller refuses";
    case MF_ERROR_PARITY:
        return "a byte of the key has an even number of ones, so that its parity bit is wrong";
    case MF_ERROR_LEAKS:
        return "the environment names a default kernel that is not constant-time: name another, or "
               "allow leaks by MANYFISH_LEAKS=any";
    case MF_ERROR_LEAKS_VALUE:
        return "the environment variable MANYFISH_LEAKS takes the value any alone: write that, or "
               "unset it";
    case MF_ERROR_VERSION:
        return "a structure has the size of another version: set its struct_bytes, and compile the "
               "program with the headers of the library that it runs with";
    }
    return "unknown status";
}

const char *mf_version(void)
{
    return MF_VERSION;
}
