// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jni;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Finds and loads the library, once, and says why there is none. In this order: the file that the
 * property manyfish.library names, and no other; the one in the jar; one called manyfish_jni on
 * java.library.path. The property manyfish.native=false refuses all of them.
 */
public final class NativeLibrary {
    /** The version of this jar; that of the library must be the same. */
    public static final String VERSION = "0.2.0";

    /** Why the library cannot be used, in a sentence without a full stop; "" if it can. */
    private static final String REFUSAL = load();

    private NativeLibrary() {}

    /** Whether the library can be used. */
    public static boolean available() {
        return REFUSAL.isEmpty();
    }

    /** Why it cannot, in a sentence without a full stop; "" if it can. */
    public static String refusal() {
        return REFUSAL;
    }

    /** The property that demands a library; null if Java alone will do. */
    static String demand() {
        final String wish = wish();
        if (wish != null) {
            return wish.equals("false") ? null : "the property manyfish.native is " + wish;
        }
        final String file = System.getProperty("manyfish.library");
        return file == null ? null : "the property manyfish.library is " + file;
    }

    /**
     * The value of the property manyfish.native, "true" or "false" or neither; null if it is not
     * set.
     */
    private static String wish() {
        final String wish = System.getProperty("manyfish.native");
        return wish == null ? null : wish.toLowerCase(Locale.ROOT);
    }

    private static String load() {
        final String wish = wish();
        if ("false".equals(wish)) {
            return "the property manyfish.native is false";
        }
        if (wish != null && !wish.equals("true")) {
            return "manyfish.native takes true or false, found " + wish;
        }
        try {
            loadFirst();
            final String found = Native.version();
            return found.equals(VERSION)
                    ? ""
                    : "expected the library of version " + VERSION + ", found " + found;
        } catch (IOException e) {
            return "cannot copy it into java.io.tmpdir, "
                    + System.getProperty("java.io.tmpdir")
                    + ": "
                    + e;
        } catch (LinkageError | RuntimeException e) {
            return "expected a library for " + platform() + ": " + e.getMessage();
        }
    }

    private static void loadFirst() throws IOException {
        final String file = System.getProperty("manyfish.library");
        if (file != null) {
            System.load(Path.of(file).toAbsolutePath().toString());
        } else if (!loadResource()) {
            System.loadLibrary("manyfish_jni");
        }
    }

    /** Loads the library in the jar; false if the jar has none for this system. */
    private static boolean loadResource() throws IOException {
        final String file = System.mapLibraryName("manyfish_jni");
        final String name = "/org/manyfish/native/" + platform() + "/" + file;
        try (InputStream library = NativeLibrary.class.getResourceAsStream(name)) {
            if (library == null) {
                return false;
            }
            loadCopy(library, file);
            return true;
        }
    }

    /**
     * Only from a file of its own can a library be loaded: in a new folder that nobody else reads.
     */
    private static void loadCopy(InputStream library, String file) throws IOException {
        final Path folder = Files.createTempDirectory("manyfish");
        final Path copy = folder.resolve(file);
        try {
            Files.copy(library, copy);
            System.load(copy.toString());
        } finally {
            remove(copy);
            remove(folder);
        }
    }

    /** Now, or where the system keeps a library that is in use, when Java ends. */
    private static void remove(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            path.toFile().deleteOnExit();
        }
    }

    /** The name of a system and processor, as folders of the jar have it: linux-x86_64. */
    static String platform() {
        final String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        final String processor = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
        final String os =
                system.startsWith("windows")
                        ? "windows"
                        : system.startsWith("mac") ? "macos" : system.replaceAll("[^a-z0-9]", "");
        return os + "-" + (processor.equals("amd64") ? "x86_64" : processor);
    }
}
