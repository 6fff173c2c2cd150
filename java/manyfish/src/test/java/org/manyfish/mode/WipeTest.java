// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import javax.crypto.AEADBadTagException;
import org.junit.jupiter.api.Test;

/** Memory that the modes in Java leave behind, and a limit that no test can reach by calls. */
class WipeTest {
    private static final List<Example> EXAMPLES =
            Example.ofEachMode(new Random(13), CipherName.values());

    /** A closed mode holds no byte that is not zero, except nonces, which are public. */
    @Test
    void closedModes() throws AEADBadTagException, IllegalAccessException {
        for (Example example : EXAMPLES) {
            for (boolean encrypting : new boolean[] {true, false}) {
                final Mode mode = example.mode(new JavaEngine(), null, encrypting);
                example.start(mode);
                final byte[] buffer = Example.bytes(new Random(14), 5008);
                if (mode.unitBytes() != Mode.WHOLE_MESSAGE) {
                    mode.update(buffer, 0, buffer, 0, 5008);
                }
                assertTrue(secrets(mode) > 0, example + " has none even in use");
                mode.close();
                assertTrue(secrets(mode) == 0, example + " is not wiped");
            }
        }
    }

    /** How many bytes and longs of its own and of its parts are not zero. */
    private static int secrets(Object part) throws IllegalAccessException {
        int n = 0;
        for (Field field : fields(part.getClass())) {
            field.setAccessible(true);
            final Object value = field.get(part);
            if (value instanceof byte[] && !field.getName().equals("nonce")) {
                for (byte b : (byte[]) value) {
                    n += b != 0 ? 1 : 0;
                }
            } else if (value instanceof long[]) {
                for (long x : (long[]) value) {
                    n += x != 0 ? 1 : 0;
                }
            } else if (value instanceof int[]) {
                for (int x : (int[]) value) {
                    n += x != 0 ? 1 : 0;
                }
            } else if (value instanceof Long && !Modifier.isFinal(field.getModifiers())) {
                n += (Long) value != 0 ? 1 : 0;
            } else if (value != null && value.getClass().getName().startsWith("org.manyfish.")) {
                n += secrets(value);
            }
        }
        return n;
    }

    private static List<Field> fields(Class<?> type) {
        final List<Field> fields = new ArrayList<>();
        for (Class<?> c = type; c != Object.class; c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    fields.add(field);
                }
            }
        }
        return fields;
    }

    /** 2^36 - 32 bytes under an IV: one more is refused, and leaves out alone. */
    @Test
    void longestTextOfGcm() {
        final Example example = new Example(CipherName.TWOFISH, ModeName.GCM, new Random(15));
        final byte[] buffer = new byte[64];
        try (Gcm gcm = (Gcm) example.mode(new JavaEngine(), null, true)) {
            example.start(gcm);
            gcm.textBytes = Gcm.MAX_TEXT_BYTES - 16;
            assertThrows(IllegalStateException.class, () -> gcm.update(buffer, 0, buffer, 0, 17));
            assertArrayEquals(new byte[64], buffer);
            gcm.update(buffer, 0, buffer, 0, 16);
            assertThrows(IllegalStateException.class, () -> gcm.update(buffer, 0, buffer, 0, 1));
        }
    }
}
