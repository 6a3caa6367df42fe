package dev.grapnel.server;

import dev.grapnel.config.ServiceSettings;
import dev.grapnel.git.SteppedDisk;
import dev.grapnel.log.Logging;
import dev.grapnel.server.ops.Build;
import dev.grapnel.server.websocket.WebSocketConfig;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.crash.SteppedEngine;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;

/// The whole GRASP server as a program that ends at a chosen step of its devices, as if it were killed: nothing is
/// tidied up. Its data is in the working directory.
///
/// Every step that changes what the next start finds has a moment before and one after it, each with a name such
/// as `before commit HELD_STATES+ HELD_IDS+` or `after rename npub1.../x.git/packed-refs`. While there is a file
/// `doom`, it tells in `moments` which ones come, and ends at the one that the file describes.
final class DoomedServer {
    /// What it ends with.
    static final int DEAD = 137;

    private static final Path DATA = Path.of("data");
    private static final Path DOOM = Path.of("doom");
    private static final Path MOMENTS = Path.of("moments");

    private final Path git = DATA.resolve("git").toAbsolutePath();
    private int matched;
    private String doom = "";

    private DoomedServer() {}

    /// Has a server end.
    ///
    /// @param directory in which it runs
    /// @param moment a regular expression that is found in the name of the moment
    /// @param number which one of those moments, from 1
    static void doom(Path directory, String moment, int number) throws IOException {
        var draft = directory.resolve("doom.new");
        Files.writeString(draft, number + "\n" + moment);
        Files.move(draft, directory.resolve(DOOM), StandardCopyOption.ATOMIC_MOVE);
    }

    /// Lets it live.
    static void spare(Path directory) throws IOException {
        Files.deleteIfExists(directory.resolve(DOOM));
        Files.deleteIfExists(directory.resolve(MOMENTS));
    }

    /// What has come since it was doomed.
    static List<String> moments(Path directory) throws IOException {
        return Files.readAllLines(directory.resolve(MOMENTS));
    }

    public static void main(String[] arguments) throws Exception {
        var configuration = RelayUnderTest.configuration(
                DATA, "DOMAIN", GraspUnderTest.DOMAIN, "HUNT_ENABLED", "false", "GIT_REQUESTS_PER_MINUTE_PER_IP", "0");
        var log = new FileOutputStream("log", true);
        var _ = Logging.start(configuration.require(ServiceSettings.LOG_LEVEL), log);
        var server = new DoomedServer();
        var service = Service.start(
                configuration,
                Operator.of(StoreSamples.author(GraspUnderTest.OPERATOR)),
                new Build("0.0.0-test", "", "https://example.com/grapnel"),
                GitRules.GRASP,
                new Devices(
                        server.new WatchedDisk(), engine -> new SteppedEngine(engine, server::commit), Outside::real),
                WebSocketConfig.DEFAULTS,
                InstantSource.system(),
                System::nanoTime);
        System.out.println("listens on http://127.0.0.1:" + service.port() + "/");
        new CountDownLatch(1).await();
    }

    private void commit(String changes, Runnable commit) {
        try {
            step("commit " + changes, commit::run);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void step(String name, SteppedDisk.Step step) throws IOException {
        meet("before " + name);
        step.run();
        meet("after " + name);
    }

    private synchronized void meet(String moment) throws IOException {
        String now;
        try {
            now = Files.readString(DOOM);
        } catch (NoSuchFileException _) {
            return;
        }
        if (!now.equals(doom)) {
            doom = now;
            matched = 0;
        }
        Files.writeString(MOMENTS, moment + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        var lines = doom.split("\n", 2);
        if (Pattern.compile(lines[1]).matcher(moment).find() && ++matched == Integer.parseInt(lines[0])) {
            Runtime.getRuntime().halt(DEAD);
        }
    }

    /// Says what is done to which file of the repositories.
    private final class WatchedDisk extends SteppedDisk {
        private String name(Path file) {
            return git.relativize(file.toAbsolutePath()).toString();
        }

        @Override
        public void create(Path file) throws IOException {
            DoomedServer.this.step("create " + name(file), () -> super.create(file));
        }

        @Override
        public void write(Path file, Content content) throws IOException {
            DoomedServer.this.step("write " + name(file), () -> super.write(file, content));
        }

        @Override
        public void append(Path file, Content content) throws IOException {
            DoomedServer.this.step("append " + name(file), () -> super.append(file, content));
        }

        @Override
        public void rename(Path from, Path to) throws IOException {
            DoomedServer.this.step("rename " + name(from) + " to " + name(to), () -> super.rename(from, to));
        }

        @Override
        public void link(Path existing, Path link) throws IOException {
            DoomedServer.this.step("link " + name(link), () -> super.link(existing, link));
        }

        @Override
        public void delete(Path file) throws IOException {
            DoomedServer.this.step("delete " + name(file), () -> super.delete(file));
        }
    }
}
