// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.block;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** An expanded key that is closed has nothing of the key in its arrays. */
class WipeTest {
    @Test
    void closeWipesEveryArray() throws IllegalAccessException {
        for (Kernel kernel : KernelList.twofish()) {
            check(kernel, 32);
        }
        check(KernelList.des(null), 8);
        check(KernelList.tripleDes(null), 24);
    }

    private static void check(Kernel kernel, int keyBytes) throws IllegalAccessException {
        final byte[] key = new byte[keyBytes];
        new Random(1).nextBytes(key);
        final BlockCipher cipher = kernel.expand(key);
        final List<Object> arrays = new ArrayList<>();
        collect(cipher, cipher.getClass(), arrays);
        assertTrue(arrays.stream().anyMatch(array -> nonZeros(array) > 0), kernel.name());
        cipher.close();
        for (Object array : arrays) {
            assertEquals(0, nonZeros(array), kernel.name() + ": " + array.getClass());
        }
    }

    /** Arrays in the fields of an object, of its superclasses and of objects of this package. */
    private static void collect(Object object, Class<?> type, List<Object> arrays)
            throws IllegalAccessException {
        for (Field field : type.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) || field.getType().isPrimitive()) {
                continue;
            }
            field.setAccessible(true);
            final Object value = field.get(object);
            if (value.getClass().isArray()) {
                arrays.add(value);
            } else {
                collect(value, value.getClass(), arrays);
            }
        }
        if (type.getSuperclass() != Object.class) {
            collect(object, type.getSuperclass(), arrays);
        }
    }

    private static int nonZeros(Object array) {
        int n = 0;
        for (int i = 0; i < Array.getLength(array); i++) {
            n += ((Number) Array.get(array, i)).longValue() != 0 ? 1 : 0;
        }
        return n;
    }
}
