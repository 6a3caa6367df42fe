package dev.grapnel.server.git;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.store.StoreSamples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Kills a server with SIGKILL while clients push, repositories lend each other objects and are looked after
/// without pause, again and again, and looks at what is on disk.
///
/// Whatever git was told `ok` about must be there, every repository must be whole, and nothing may be half
/// visible. What was on its way when the server died may be there or not.
final class CrashRun {
    private static final Pattern PORT = Pattern.compile("listens on http://127\\.0\\.0\\.1:(\\d+)/");
    private static final int PUSHERS = 3;

    private final Path directory;
    private final Random random;
    private final GitClient git;
    private final List<Pusher> pushers = new ArrayList<>();

    CrashRun(Path directory, long seed) throws IOException {
        this.directory = directory;
        this.random = new Random(seed);
        this.git = new GitClient(Files.createDirectories(directory.resolve("home")));
        Files.createDirectories(directory.resolve("server"));
        for (int i = 0; i < PUSHERS; i++) {
            pushers.add(new Pusher(i));
        }
    }

    /// Runs some rounds.
    ///
    /// @param arguments rounds and seed
    public static void main(String[] arguments) throws Exception {
        int rounds = Integer.parseInt(arguments[0]);
        long seed = Long.parseLong(arguments[1]);
        var directory = Files.createTempDirectory("grapnel-git-crash-");
        var run = new CrashRun(directory, seed);
        for (int round = 1; round <= rounds; round++) {
            run.round();
            System.out.printf("round %d: %d pushes acknowledged, all there%n", round, run.acknowledged());
        }
        LargeRun.delete(directory); // what failed can be looked at
    }

    int acknowledged() {
        return pushers.stream().mapToInt(pusher -> pusher.count).sum();
    }

    /// Starts a server, pushes, kills it and looks.
    void round() throws IOException, InterruptedException {
        var process = start();
        try {
            int port = awaitPort(process);
            var threads = new ArrayList<Thread>();
            for (var pusher : pushers) {
                threads.add(Thread.ofPlatform().start(() -> pusher.push(port)));
            }
            TimeUnit.MILLISECONDS.sleep(200 + random.nextInt(2500)); // the moment of death is left to chance
            process.destroyForcibly();
            for (var thread : threads) {
                thread.join();
            }
        } finally {
            process.destroyForcibly();
            process.waitFor();
        }
        for (var pusher : pushers) {
            pusher.check();
        }
    }

    private Process start() throws IOException {
        var command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseCompactObjectHeaders",
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx256m",
                "-classpath",
                System.getProperty("java.class.path"),
                OpenServer.class.getName(),
                "restless",
                "--bind-address",
                "127.0.0.1:0");
        var builder = new ProcessBuilder(command)
                .directory(directory.resolve("server").toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("GRAPNEL_") || name.startsWith("NGIT_"));
        builder.redirectError(directory.resolve("server.log").toFile());
        return builder.start();
    }

    private int awaitPort(Process process) throws IOException {
        var first = process.inputReader().readLine();
        var matcher = PORT.matcher(first == null ? "" : first);
        if (!matcher.find()) {
            throw new AssertionError("it said: " + first + "\n" + Files.readString(directory.resolve("server.log")));
        }
        return Integer.parseInt(matcher.group(1));
    }

    /// One developer who pushes two branches that always move together, to one repository and then to
    /// another owner's of the same name, which takes from the first what it does not send again.
    private final class Pusher {
        private final Path work;
        private final List<Target> targets;
        private int count;

        Pusher(int number) {
            work = git.init("work" + number);
            var first = git.commit(work, "begin", "begin");
            targets = Stream.of(1, 2)
                    .map(owner -> new Target(StoreSamples.author(owner), "r" + number, first))
                    .toList();
        }

        void push(int port) {
            while (true) {
                for (var target : targets) {
                    if (!target.push(work, port)) {
                        return; // killed
                    }
                }
                count++;
                if (count % 5 == 0) {
                    git.ok(work, "reset", "--quiet", "--hard", "HEAD~2"); // what was pushed is given up
                }
                var next = git.commit(
                        work, "dir" + count % 7 + "/file" + count % 50, "content " + count + "\n".repeat(50));
                targets.forEach(target -> target.tried = next);
            }
        }

        void check() {
            targets.forEach(Target::check);
        }
    }

    /// One repository, and what must be in it.
    private final class Target {
        private final PublicKey owner;
        private final String identifier;
        private String acknowledged = "";
        private String tried;

        Target(PublicKey owner, String identifier, String first) {
            this.owner = owner;
            this.identifier = identifier;
            this.tried = first;
        }

        boolean push(Path work, int port) {
            var url = "http://127.0.0.1:" + port + "/" + new Npub(owner).text() + "/" + identifier + ".git";
            var push = git.run(work, "push", "--quiet", "--force", url, "main:main", "main:twin");
            if (push.code() == 0) {
                acknowledged = tried;
            }
            return push.code() == 0;
        }

        void check() {
            var repository = directory
                    .resolve("server/data/git")
                    .resolve(new Npub(owner).text())
                    .resolve(identifier + ".git");
            if (!Files.exists(repository)) {
                if (!acknowledged.isEmpty()) {
                    throw new AssertionError("the repository is gone with " + acknowledged);
                }
                return;
            }
            git.assertSound(repository);
            var main = tip(repository, "main");
            var twin = tip(repository, "twin");
            if (!main.equals(twin)) {
                throw new AssertionError("half of a push is visible: " + main + " and " + twin);
            }
            if (!main.equals(acknowledged) && !main.equals(tried)) {
                throw new AssertionError("acknowledged " + acknowledged + " but there is " + main);
            }
        }

        private String tip(Path repository, String branch) {
            return git.run(repository, "rev-parse", "--verify", "--quiet", "refs/heads/" + branch)
                    .out()
                    .strip();
        }
    }
}
