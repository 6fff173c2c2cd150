// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Answers requests with Bouncy Castle: a line in, a line out, as interop/peer.py describes.

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.security.Security;
import java.util.Date;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.bcpg.ArmoredOutputStream;
import org.bouncycastle.crypto.engines.TwofishEngine;
import org.bouncycastle.crypto.macs.CMac;
import org.bouncycastle.crypto.params.KeyParameter;
import org.bouncycastle.jcajce.spec.AEADParameterSpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.openpgp.PGPCompressedData;
import org.bouncycastle.openpgp.PGPCompressedDataGenerator;
import org.bouncycastle.openpgp.PGPEncryptedData;
import org.bouncycastle.openpgp.PGPEncryptedDataGenerator;
import org.bouncycastle.openpgp.PGPEncryptedDataList;
import org.bouncycastle.openpgp.PGPException;
import org.bouncycastle.openpgp.PGPLiteralData;
import org.bouncycastle.openpgp.PGPLiteralDataGenerator;
import org.bouncycastle.openpgp.PGPPBEEncryptedData;
import org.bouncycastle.openpgp.PGPUtil;
import org.bouncycastle.openpgp.bc.BcPGPObjectFactory;
import org.bouncycastle.openpgp.operator.bc.BcPBEDataDecryptorFactory;
import org.bouncycastle.openpgp.operator.bc.BcPBEKeyEncryptionMethodGenerator;
import org.bouncycastle.openpgp.operator.bc.BcPGPDataEncryptorBuilder;
import org.bouncycastle.openpgp.operator.bc.BcPGPDigestCalculatorProvider;

final class BouncyCastle {
    private static final HexFormat HEX = HexFormat.of();
    private static final int TAG_BITS = 128;
    private static final int PARTIAL_BYTES = 1 << 12;

    public static void main(String[] arguments) throws Exception {
        Security.addProvider(new BouncyCastleProvider());
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            System.out.println(answer(line.split(" ", -1)));
            System.out.flush();
        }
    }

    private static String answer(String[] words) {
        byte[][] given = new byte[words.length][];
        for (int i = 1; i < words.length; i++) given[i] = HEX.parseHex(words[i]);
        try {
            return "ok " + HEX.formatHex(work(words[0], given));
        } catch (Exception | Error error) {
            return "refused " + String.valueOf(error.getMessage()).replace('\n', ' ');
        }
    }

    /** Requests: VERSION; read PHRASE MESSAGE; write-WAY PHRASE TEXT; encrypt-MODE KEY IV AAD DATA. */
    private static byte[] work(String request, byte[][] given) throws Exception {
        if (request.equals("version")) {
            String name = Security.getProvider("BC").getVersionStr();
            return name.getBytes(StandardCharsets.UTF_8);
        }
        if (request.equals("read")) return readMessage(given[1], given[2]);
        String[] parts = request.split("-", 2);
        if (parts[0].equals("write")) return writeMessage(parts[1], given[1], given[2]);
        if (parts[1].equals("cmac")) return cmac(given[1], given[4]);
        int direction = parts[0].equals("encrypt") ? Cipher.ENCRYPT_MODE : Cipher.DECRYPT_MODE;
        return crypt(parts[1].toUpperCase(), direction, given);
    }

    private static byte[] crypt(String mode, int direction, byte[][] given) throws Exception {
        var key = new SecretKeySpec(given[1], "Twofish");
        var cipher = Cipher.getInstance("Twofish/" + mode + "/NoPadding", "BC");
        switch (mode) {
            case "ECB" -> cipher.init(direction, key);
            case "OCB", "EAX", "GCM", "CCM" ->
                cipher.init(direction, key, new AEADParameterSpec(given[2], TAG_BITS, given[3]));
            default -> cipher.init(direction, key, new IvParameterSpec(given[2]));
        }
        return cipher.doFinal(given[4]);
    }

    private static byte[] cmac(byte[] key, byte[] data) {
        var mac = new CMac(new TwofishEngine());
        mac.init(new KeyParameter(key));
        mac.update(data, 0, data.length);
        byte[] tag = new byte[mac.getMacSize()];
        mac.doFinal(tag, 0);
        return tag;
    }

    private static char[] chars(byte[] phrase) {
        return new String(phrase, StandardCharsets.UTF_8).toCharArray();
    }

    /** WAY: "plain", "armor", or the number of a compression. */
    private static byte[] writeMessage(String way, byte[] phrase, byte[] text) throws Exception {
        var message = new ByteArrayOutputStream();
        OutputStream outer = way.equals("armor") ? new ArmoredOutputStream(message) : message;
        var builder = new BcPGPDataEncryptorBuilder(PGPEncryptedData.TWOFISH);
        builder.setWithIntegrityPacket(true).setSecureRandom(new SecureRandom());
        var generator = new PGPEncryptedDataGenerator(builder);
        generator.addMethod(new BcPBEKeyEncryptionMethodGenerator(chars(phrase)));
        OutputStream encrypted = generator.open(outer, new byte[PARTIAL_BYTES]);
        boolean plain = way.equals("armor") || way.equals("plain");
        var compressor = plain ? null : new PGPCompressedDataGenerator(Integer.parseInt(way));
        OutputStream inner = plain ? encrypted : compressor.open(encrypted);
        var literal = new PGPLiteralDataGenerator();
        OutputStream body = literal.open(inner, PGPLiteralData.BINARY, "text", new Date(), new byte[512]);
        body.write(text);
        body.close();
        if (!plain) inner.close();
        encrypted.close();
        if (outer != message) outer.close();
        return message.toByteArray();
    }

    private static byte[] readMessage(byte[] phrase, byte[] message) throws Exception {
        var stream = PGPUtil.getDecoderStream(new ByteArrayInputStream(message));
        var list = (PGPEncryptedDataList) new BcPGPObjectFactory(stream).nextObject();
        var data = (PGPPBEEncryptedData) list.get(0);
        var digests = new BcPGPDigestCalculatorProvider();
        var clear = data.getDataStream(new BcPBEDataDecryptorFactory(chars(phrase), digests));
        Object packet = new BcPGPObjectFactory(clear).nextObject();
        if (packet instanceof PGPCompressedData compressed) {
            packet = new BcPGPObjectFactory(compressed.getDataStream()).nextObject();
        }
        byte[] text = ((PGPLiteralData) packet).getInputStream().readAllBytes();
        clear.readAllBytes();
        if (data.isIntegrityProtected() && !data.verify()) throw new PGPException("the MDC differs");
        return text;
    }
}
