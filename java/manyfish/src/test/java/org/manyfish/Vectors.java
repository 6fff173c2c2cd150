// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the files of vectors/; their form is in vectors/README.md. */
public final class Vectors {
    /** Tests run in the folder of their module. */
    private static final Path FOLDER = Path.of("..", "..", "vectors");

    private Vectors() {}

    /**
     * All cases of a file.
     *
     * @param name as in "twofish_ecb_tbl"
     */
    public static List<Case> read(String name) {
        final Path file = FOLDER.resolve(name + ".rsp");
        final List<Case> cases = new ArrayList<>();
        Map<String, String> fields = new LinkedHashMap<>();
        for (String line : lines(file)) {
            if (line.isBlank() && !fields.isEmpty()) {
                cases.add(new Case(name, fields));
                fields = new LinkedHashMap<>();
            } else if (!line.isBlank() && !line.startsWith("#")) {
                final int equals = line.indexOf('=');
                fields.put(line.substring(0, equals).strip(), line.substring(equals + 1).strip());
            }
        }
        if (!fields.isEmpty()) {
            cases.add(new Case(name, fields));
        }
        if (cases.isEmpty()) {
            throw new AssertionError(file + " has no case: a test over it would test nothing");
        }
        return cases;
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file, StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The bytes that a string in hexadecimal stands for, first byte first. */
    public static byte[] bytes(String hex) {
        final byte[] bytes = new byte[hex.length() / 2];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
        }
        return bytes;
    }

    /** The fields of one case, by their names. */
    public static final class Case {
        private final String file;
        private final Map<String, String> fields;

        private Case(String file, Map<String, String> fields) {
            this.file = file;
            this.fields = fields;
        }

        public boolean has(String name) {
            return fields.containsKey(name);
        }

        public String text(String name) {
            final String value = fields.get(name);
            if (value == null) {
                throw new AssertionError(this + " has no field " + name);
            }
            return value;
        }

        public byte[] bytes(String name) {
            return Vectors.bytes(text(name));
        }

        public int number(String name) {
            return Integer.parseInt(text(name));
        }

        /** Words of 8 hexadecimal digits with spaces between. */
        public int[] words(String name) {
            return Arrays.stream(text(name).split(" "))
                    .mapToInt(word -> Integer.parseUnsignedInt(word, 16))
                    .toArray();
        }

        /** File and first fields, for messages. */
        @Override
        public String toString() {
            final String fieldsText = fields.toString();
            return file + " " + fieldsText.substring(0, Math.min(fieldsText.length(), 100));
        }
    }
}
