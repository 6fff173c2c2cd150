// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.AlgorithmParametersSpi;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidParameterSpecException;
import javax.crypto.spec.IvParameterSpec;

/** AlgorithmParameters of modes without a tag: an IV. Encoded as an OCTET STRING, or raw. */
final class IvParameters extends AlgorithmParametersSpi {
    private byte[] iv;

    @Override
    protected void engineInit(AlgorithmParameterSpec spec) throws InvalidParameterSpecException {
        if (!(spec instanceof IvParameterSpec)) {
            throw new InvalidParameterSpecException(
                    "expected an IvParameterSpec, found " + Encodings.nameOf(spec));
        }
        iv = ((IvParameterSpec) spec).getIV();
    }

    @Override
    protected void engineInit(byte[] encoded) throws IOException {
        final ByteBuffer in = ByteBuffer.wrap(encoded);
        iv = Der.bytes(Der.decode(in, Der.OCTET_STRING));
        Der.end(in);
    }

    @Override
    protected void engineInit(byte[] encoded, String format) throws IOException {
        if (Encodings.isRaw(format)) {
            iv = encoded.clone();
        } else {
            engineInit(encoded);
        }
    }

    @Override
    protected <T extends AlgorithmParameterSpec> T engineGetParameterSpec(Class<T> type)
            throws InvalidParameterSpecException {
        return Encodings.as(type, new IvParameterSpec(iv));
    }

    @Override
    protected byte[] engineGetEncoded() {
        return Der.encode(Der.OCTET_STRING, iv);
    }

    @Override
    protected byte[] engineGetEncoded(String format) throws IOException {
        return Encodings.isRaw(format) ? iv.clone() : engineGetEncoded();
    }

    @Override
    protected String engineToString() {
        return "IV " + Encodings.hex(iv);
    }
}
