package dev.grapnel.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.ReentrantLock;

/// Writes events to a stream, each whole.
final class LineAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {
    private final OutputStream out;
    private final ReentrantLock writing = new ReentrantLock();

    LineAppender(OutputStream out) {
        this.out = out;
    }

    @Override
    protected void append(ILoggingEvent event) {
        var bytes = LogLine.of(event).getBytes(StandardCharsets.UTF_8);
        writing.lock();
        try {
            out.write(bytes);
            out.flush();
        } catch (IOException _) {
            // nobody reads the log any more, or its disk is full: the service goes on, and there is nobody to tell
        } finally {
            writing.unlock();
        }
    }
}
