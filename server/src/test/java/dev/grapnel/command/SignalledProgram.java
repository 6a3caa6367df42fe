package dev.grapnel.command;

import dev.grapnel.config.LogLevels;
import dev.grapnel.log.Logging;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.util.concurrent.CountDownLatch;
import org.slf4j.LoggerFactory;

/// A program that waits for signals, to be started as a process of its own.
final class SignalledProgram {
    private SignalledProgram() {}

    /// Argument: `stops`, or `hangs` while it is stopping.
    static void main(String... arguments) throws InterruptedException {
        LoggerFactory.getLogger("dev.grapnel.store.Early").error("nobody is to hear this");
        var logging = Logging.start(LogLevels.parse("info").require(), new FileOutputStream(FileDescriptor.err));
        var stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> say("hook")));
        Signals.stopWith(() -> {
            say("stopping on " + Thread.currentThread().getName());
            if (arguments[0].equals("stops")) {
                stopped.countDown();
            }
        });
        say("level " + Signals.changeLevelWith(logging::step));
        stopped.await();
        System.exit(3);
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
