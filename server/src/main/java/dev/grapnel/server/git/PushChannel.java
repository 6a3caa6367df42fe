package dev.grapnel.server.git;

import dev.grapnel.git.push.ReceivePack;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.LongSupplier;
import org.eclipse.jetty.http.HttpStatus;
import org.jspecify.annotations.Nullable;

/// How a push is answered over HTTP (service 6.9).
final class PushChannel implements ReceivePack.Channel {
    private final Exchange exchange;
    private final Places.Place place;
    private final Body body;
    private final GitConfig config;
    private final LongSupplier nanoTime;
    private @Nullable OutputStream out;
    private boolean replied;

    PushChannel(Exchange exchange, Places.Place place, Body body, GitConfig config, LongSupplier nanoTime) {
        this.exchange = exchange;
        this.place = place;
        this.body = body;
        this.config = config;
        this.nanoTime = nanoTime;
    }

    @Override
    public OutputStream begin() {
        var begun = place.writing(exchange.begin("application/x-git-receive-pack-result"));
        out = begun;
        return begun;
    }

    @Override
    public void refuse(String reason) {
        replied = true;
        exchange.reply(HttpStatus.FORBIDDEN_403, reason);
    }

    @Override
    public void drain() throws IOException {
        var sink = new byte[64 * 1024];
        long until = nanoTime.getAsLong() + config.drainTime().toNanos();
        long left = config.drain();
        while (left > 0 && nanoTime.getAsLong() - until < 0) {
            int got = readOn(sink);
            if (got < 0) {
                return;
            }
            left -= got;
        }
    }

    /// What is wrong with the rest of a refused push is of no interest any more.
    private int readOn(byte[] sink) throws IOException {
        try {
            return body.read(sink, 0, sink.length);
        } catch (BodyRefused _) {
            return -1;
        }
    }

    /// The answer is complete.
    void end() throws IOException {
        var begun = out;
        if (begun != null) {
            exchange.end(begun);
        } else if (!replied) {
            throw new IllegalStateException("a push was not answered");
        }
    }
}
