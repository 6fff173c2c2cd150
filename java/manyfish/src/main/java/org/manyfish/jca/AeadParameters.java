// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.AlgorithmParametersSpi;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidParameterSpecException;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;

/**
 * AlgorithmParameters of authenticated modes: a nonce and the length of the tag. They are encoded
 * as those of GCM and CCM, which have one form [RFC5084, 3]; the other modes use the name of GCM.
 */
final class AeadParameters extends AlgorithmParametersSpi {
    private static final int DEFAULT_TAG_BYTES = 12;
    private static final int MAX_TAG_BYTES = 16;

    private byte[] nonce;
    private int tagBytes;

    @Override
    protected void engineInit(AlgorithmParameterSpec spec) throws InvalidParameterSpecException {
        if (!(spec instanceof GCMParameterSpec)) {
            throw new InvalidParameterSpecException(
                    "expected a GCMParameterSpec, found " + Encodings.nameOf(spec));
        }
        final int tagBits = ((GCMParameterSpec) spec).getTLen();
        if (tagBits % 8 != 0 || tagBits > 8 * MAX_TAG_BYTES) {
            throw new InvalidParameterSpecException(
                    "expected a tag of whole bytes, at most 128 bits, found " + tagBits);
        }
        nonce = ((GCMParameterSpec) spec).getIV();
        tagBytes = tagBits / 8;
    }

    @Override
    protected void engineInit(byte[] encoded) throws IOException {
        final ByteBuffer in = ByteBuffer.wrap(encoded);
        final ByteBuffer sequence = Der.decode(in, Der.SEQUENCE);
        Der.end(in);
        final byte[] newNonce = Der.bytes(Der.decode(sequence, Der.OCTET_STRING));
        tagBytes = sequence.hasRemaining() ? tagBytes(sequence) : DEFAULT_TAG_BYTES;
        nonce = newNonce;
        Der.end(sequence);
    }

    private static int tagBytes(ByteBuffer in) throws IOException {
        final ByteBuffer integer = Der.decode(in, Der.INTEGER);
        final int nBytes = integer.remaining() == 1 ? integer.get() : -1;
        if (nBytes < 0 || nBytes > MAX_TAG_BYTES) {
            throw new IOException("expected a tag of 0 to " + MAX_TAG_BYTES + " bytes");
        }
        return nBytes;
    }

    @Override
    protected void engineInit(byte[] encoded, String format) throws IOException {
        Encodings.checkDer(format);
        engineInit(encoded);
    }

    @Override
    protected <T extends AlgorithmParameterSpec> T engineGetParameterSpec(Class<T> type)
            throws InvalidParameterSpecException {
        return Encodings.as(
                type, new GCMParameterSpec(8 * tagBytes, nonce), new IvParameterSpec(nonce));
    }

    @Override
    protected byte[] engineGetEncoded() {
        final byte[] string = Der.encode(Der.OCTET_STRING, nonce);
        final byte[] integer =
                tagBytes == DEFAULT_TAG_BYTES
                        ? Message.NOTHING
                        : Der.encode(Der.INTEGER, new byte[] {(byte) tagBytes});
        final ByteBuffer contents = ByteBuffer.allocate(string.length + integer.length);
        return Der.encode(Der.SEQUENCE, contents.put(string).put(integer).array());
    }

    @Override
    protected byte[] engineGetEncoded(String format) throws IOException {
        Encodings.checkDer(format);
        return engineGetEncoded();
    }

    @Override
    protected String engineToString() {
        return "nonce " + Encodings.hex(nonce) + ", tag of " + 8 * tagBytes + " bits";
    }
}
