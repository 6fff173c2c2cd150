// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jni;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.manyfish.mode.Engine;

/** Where the library is looked for and when it is refused, each in a Java of its own. */
class NativeLibraryTest {
    private static final String FILE = System.mapLibraryName("manyfish_jni");

    @TempDir Path folder;

    /** Another Java says its engine, or why there is none. */
    public static final class Asked {
        public static void main(String[] arguments) {
            if (Boolean.getBoolean("planted")) { // which no command line can say
                System.setProperty("manyfish.library", "a\0b");
            }
            try {
                final Engine engine = NativeEngine.orNull();
                System.out.print(engine == null ? "none: " : engine.name());
            } catch (IllegalStateException e) {
                System.out.print("error: " + e.getMessage());
            }
            System.out.println(NativeLibrary.refusal());
        }
    }

    private static Path classes(Class<?> of) {
        return Path.of(of.getProtectionDomain().getCodeSource().getLocation().getPath());
    }

    /** The answer of a Java with these options. */
    private String ask(Path classes, String... options) throws IOException, InterruptedException {
        final Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        final List<String> command = new ArrayList<>(List.of(java.toString()));
        command.addAll(List.of(options));
        command.addAll(
                List.of(
                        "-Djava.io.tmpdir=" + folder,
                        "-Xshare:auto",
                        "-cp",
                        classes + System.getProperty("path.separator") + classes(Asked.class),
                        Asked.class.getName()));
        final Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        final String said =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), command + " said " + said);
        return said.strip();
    }

    private String ask(String... options) throws IOException, InterruptedException {
        return ask(classes(NativeLibrary.class), options);
    }

    private static void says(String answer, String... parts) {
        for (String part : parts) {
            assertTrue(answer.contains(part), answer + ", without: " + part);
        }
    }

    /** The classes without the library that may lie among them. */
    private Path classesAlone() throws IOException {
        final Path from = classes(NativeLibrary.class).resolve("org");
        final Path to = folder.resolve("alone");
        try (var files = Files.walk(from)) {
            for (Path file :
                    (Iterable<Path>) files.filter(f -> f.toString().endsWith(".class"))::iterator) {
                final Path copy = to.resolve("org").resolve(from.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
        return to;
    }

    /** The library of the jar as a file. */
    private byte[] library() throws IOException {
        final String name = "/org/manyfish/native/" + NativeLibrary.platform() + "/" + FILE;
        try (var stream = NativeLibrary.class.getResourceAsStream(name)) {
            return stream.readAllBytes();
        }
    }

    private Path file(byte[] bytes) throws IOException {
        return Files.write(folder.resolve(FILE), bytes);
    }

    @Test
    @EnabledIf("org.manyfish.jni.WithLibrary#isThere")
    void theOneInTheJarIsTakenAndLeavesNoFile() throws Exception {
        assertEquals("native", ask());
        try (var left = Files.list(folder)) {
            assertEquals(0, left.filter(f -> f.toString().contains("manyfish")).count());
        }
    }

    @Test
    @EnabledIf("org.manyfish.jni.WithLibrary#isThere")
    void theOneThatIsNamedIsTaken() throws Exception {
        assertEquals("native", ask(classesAlone(), "-Dmanyfish.library=" + file(library())));
    }

    @Test
    @EnabledIf("org.manyfish.jni.WithLibrary#isThere")
    void theOneOfTheSystemIsTaken() throws Exception {
        file(library());
        assertEquals("native", ask(classesAlone(), "-Djava.library.path=" + folder));
    }

    @Test
    void itIsRefused() throws Exception {
        says(ask("-Dmanyfish.native=false"), "none: the property manyfish.native is false");
    }

    @Test
    void aWishThatIsNeitherIsAnError() throws Exception {
        says(ask("-Dmanyfish.native=FALSE"), "none: the property manyfish.native is false");
        says(ask("-Dmanyfish.native=yes"), "error: ", "takes true or false, found yes");
    }

    @Test
    void withoutOneThereIsNoEngine() throws Exception {
        says(ask(classesAlone()), "none: expected a library for " + NativeLibrary.platform());
    }

    @Test
    void withoutOneThatIsDemandedThereIsAnError() throws Exception {
        final String answer = ask("-Dmanyfish.native=true", "-Dmanyfish.library=/planted/file");
        says(
                answer,
                "error: the property manyfish.native is true",
                "/planted/file",
                "-Dmanyfish.library=FILE");
    }

    @Test
    void oneThatIsNamedIsDemandedUnlessAllAreRefused() throws Exception {
        final String file = "-Dmanyfish.library=/planted/file";
        says(ask(file), "error: the property manyfish.library is /planted/file");
        says(ask(file, "-Dmanyfish.native=false"), "none: the property manyfish.native is false");
    }

    @Test
    @EnabledIf("org.manyfish.jni.WithLibrary#isThere")
    void aFolderThatThereIsNotIsNamed() throws Exception {
        folder = folder.resolve("planted");
        says(ask(), "none: cannot copy it into java.io.tmpdir", "NoSuchFile");
    }

    @Test
    @EnabledIf("org.manyfish.jni.WithLibrary#isThere")
    void oneOfAnotherVersionIsRefused() throws Exception {
        final byte[] other =
                new String(library(), StandardCharsets.ISO_8859_1)
                        .replace(NativeLibrary.VERSION + "\0", "9.8.7\0")
                        .getBytes(StandardCharsets.ISO_8859_1);
        says(
                ask("-Dmanyfish.library=" + file(other)),
                "error: ",
                "expected the library of version " + NativeLibrary.VERSION + ", found 9.8.7");
    }

    @Test
    void oneThatIsNotOursIsRefused() throws Exception {
        final Path lib = Path.of(System.getProperty("java.home"), "lib");
        final Path zip = lib.resolve(System.mapLibraryName("zip"));
        says(ask("-Dmanyfish.library=" + zip), "error: ", "version");
    }

    @Test
    void aNameThatNoFileCanHaveIsRefused() throws Exception {
        says(ask("-Dplanted=true"), "error: ", "expected a library", "Nul character");
    }

    @Test
    void whatIsNoLibraryIsRefused() throws Exception {
        final byte[] noise = new byte[5000];
        Arrays.fill(noise, (byte) 'x');
        says(ask("-Dmanyfish.library=" + file(noise)), "error: ", "expected a library");
    }
}
