package dev.grapnel;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// A copy of the real scripts with stub tools around them, in a directory with a space in its name. The path
/// holds only what the scripts need, so the machine's own JDKs and Maven are out of sight.
final class StubbedCheckout {
    private static final List<String> TOOLS =
            List.of("readlink", "find", "mkdir", "rm", "mv", "cp", "ln", "cat", "date", "sleep", "touch", "ps");

    /// Echoes what it was given; `exit` and `wait` are for exit codes and signals.
    private static final String JAVA = """
            #!/bin/sh
            flags=
            while [ $# -gt 0 ] && [ "$1" != dev.grapnel.Grapnel ]; do
                case $1 in -XX:AOTCacheOutput=*) : >"${1#*=}" ;; esac
                flags="$flags $1"
                shift
            done
            shift
            case ${1:-} in
                exit) exit "$2" ;;
                wait)
                    trap 'echo stopped; exit 43' TERM
                    echo "$flags"
                    while :; do sleep 0.02; done
                    ;;
                flags) echo "$flags" ;;
                locale) echo "$LC_ALL" ;;
                write)
                    (exec 3>&1) 2>/dev/null || exit 8
                    echo text 2>/dev/null || exit 9
                    ;;
                *) echo "${0%/bin/java} ran $*" ;;
            esac
            """;

    /// Writes down how it was called and leaves what a build would leave; files in the stub directory change
    /// that.
    private static final String MAVEN = """
            #!/bin/sh
            echo "$JAVA_HOME: $*" >>"$STUBS/maven-calls"
            while [ $# -gt 0 ]; do
                case $1 in
                    -f) root=${2%/pom.xml} ;;
                    -Dgrapnel.target=*) output=$root/server/${1#*=} ;;
                esac
                shift
            done
            [ ! -e "$STUBS/maven-hangs" ] || { echo hanging >"$STUBS/maven-hangs"; exec sleep 60; }
            [ ! -e "$STUBS/maven-fails" ] || { echo "[ERROR] a line of the log"; exit 7; }
            [ ! -e "$STUBS/maven-edits" ] || { sleep 0.05; touch "$root/server/src/main/java/A.java"; }
            sleep 0.1
            mkdir -p "$output/lib" && touch "$output/grapnel-server-1.jar" "$output/lib/library-2.jar"
            """;

    final Path directory;
    final Path stubs;
    final Path jdks;
    final Path mavens;
    final Path path;
    final Map<String, String> environment = new HashMap<>();

    record Outcome(int code, String out, String err) {}

    StubbedCheckout(Path temporary) throws IOException {
        var top = temporary.toRealPath();
        directory = Files.createDirectory(top.resolve("check out"));
        stubs = Files.createDirectory(top.resolve("stubs"));
        jdks = Files.createDirectory(top.resolve("some jdks"));
        mavens = Files.createDirectory(top.resolve("some mavens"));
        path = Files.createDirectory(top.resolve("path"));
        for (var tool : TOOLS) {
            // Not links: the temporary directory would complain about every one that leads out of it.
            executable(path.resolve(tool), "#!/bin/sh\nexec " + locate(tool) + " \"$@\"\n");
        }
        for (var script : List.of("grapnel", "mvnw", "scripts/toolchain.sh")) {
            var copy = directory.resolve(script);
            Files.createDirectories(copy.getParent());
            Files.copy(Checkout.root().resolve(script), copy, java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
        }
        write("pom.xml");
        write("server/pom.xml");
        write("server/src/main/java/A.java");
        write("server/src/main/java/deep/B.java");
        environment.putAll(Map.of(
                "PATH", path.toString(),
                "HOME", top.toString(),
                "STUBS", stubs.toString(),
                "GRAPNEL_JDK_PATHS", jdks.toString(),
                "GRAPNEL_MAVEN_PATHS", mavens.toString()));
    }

    /// With the tools that most tests want.
    static StubbedCheckout complete(Path temporary) throws IOException {
        var checkout = new StubbedCheckout(temporary);
        checkout.jdk("jdk 25", "25.0.1");
        checkout.maven("maven 3.9", "3.9.11");
        return checkout;
    }

    Path jdk(String name, String version) throws IOException {
        var home = jdkWithoutRelease(name, version);
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"Stub\"\nJAVA_VERSION=\"" + version + "\"\n");
        return home;
    }

    Path jdkWithoutRelease(String name, String version) throws IOException {
        var home = jdks.resolve(name);
        executable(home.resolve("bin/java"), JAVA);
        executable(home.resolve("bin/javac"), "#!/bin/sh\necho javac " + version + "\n");
        return home;
    }

    Path maven(String name, String version) throws IOException {
        var home = mavens.resolve(name);
        executable(home.resolve("bin/mvn"), MAVEN);
        Files.createDirectories(home.resolve("lib"));
        Files.createFile(home.resolve("lib/maven-core-" + version + ".jar"));
        return home;
    }

    void write(String file) throws IOException {
        var target = directory.resolve(file);
        Files.createDirectories(target.getParent());
        Files.writeString(target, "content");
    }

    void tellMaven(String what) throws IOException {
        Files.writeString(stubs.resolve("maven-" + what), "");
    }

    List<String> mavenCalls() throws IOException {
        var calls = stubs.resolve("maven-calls");
        return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
    }

    /// Names of the builds that are kept.
    List<String> builds() throws IOException {
        try (var builds = Files.list(directory.resolve(".grapnel/dist"))) {
            return builds.map(build -> build.getFileName().toString()).sorted().toList();
        }
    }

    Outcome grapnel(String... arguments) throws IOException, InterruptedException {
        return finish(start(directory.resolve("grapnel"), arguments));
    }

    Outcome mvnw(String... arguments) throws IOException, InterruptedException {
        return finish(start(directory.resolve("mvnw"), arguments));
    }

    /// Starts a script in a directory that is not the checkout.
    Process start(Path script, String... arguments) throws IOException {
        var command = new ArrayList<>(List.of(script.toString()));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).directory(stubs.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        return builder.start();
    }

    static Outcome finish(Process process) throws IOException, InterruptedException {
        assertTrue(process.waitFor(20, TimeUnit.SECONDS), "the script did not end");
        return new Outcome(process.exitValue(), textOf(process.getInputStream()), textOf(process.getErrorStream()));
    }

    private static String textOf(java.io.InputStream stream) throws IOException {
        return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }

    private static void executable(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /// Where a tool is; a path to nowhere if it is missing, as `ps` may be where there is /proc instead.
    private static Path locate(String tool) {
        return Stream.of(System.getenv("PATH").split(":", -1))
                .map(directory -> Path.of(directory, tool))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(Path.of("/nonexistent", tool));
    }
}
