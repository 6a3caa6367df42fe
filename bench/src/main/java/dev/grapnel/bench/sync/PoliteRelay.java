package dev.grapnel.bench.sync;

import dev.grapnel.bench.purgatory.Report;
import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.sync.link.Link;
import dev.grapnel.sync.world.Heard;
import dev.grapnel.sync.world.Transport.Line;
import org.jspecify.annotations.Nullable;

/// A relay that has nothing of what it is asked for and says so at once. Counts requests, and what the link's answers
/// to
/// its answers cost.
final class PoliteRelay implements Line {
    private static final String REQUEST = "[\"REQ\",\"";

    private final VirtualLoop loop;
    private final boolean isMute;
    private @Nullable Link link;
    private long requests;
    private long bytes;
    private final Samples ends = new Samples();
    private final Samples confirmations = new Samples();
    private boolean isConfirming;

    /// @param isMute whether it never answers a request for what is stored
    PoliteRelay(VirtualLoop loop, boolean isMute) {
        this.loop = loop;
        this.isMute = isMute;
    }

    void serve(Link served) {
        link = served;
        served.opened(this);
    }

    @Override
    public String machine() {
        return "polite";
    }

    @Override
    public void send(Bytes text, Runnable written) {
        loop.post(written);
        bytes += text.length();
        if (text.at(2) == 'R') {
            requests++;
            var id = new StringBuilder();
            for (int at = REQUEST.length(); text.at(at) != '"'; at++) {
                id.append((char) text.at(at));
            }
            if (!isMute || id.charAt(0) == 'l' || id.charAt(0) == 'a') {
                loop.post(() -> end(new SubscriptionId(id.toString())));
            }
        }
    }

    private void end(SubscriptionId id) {
        var end = new Heard.Said(new RelayMessage.EndOfStored(id, RelayMessage.Completeness.UNSTATED), 0);
        isConfirming = false;
        long begun = Report.cpuNanos();
        if (link != null) {
            link.heard(end);
        }
        (isConfirming ? confirmations : ends).add(Report.cpuNanos() - begun);
    }

    long requests() {
        return requests;
    }

    long bytes() {
        return bytes;
    }

    /// The link has confirmed something.
    void confirmed() {
        isConfirming = true;
    }

    /// What an EOSE costs that confirms nothing, in nanoseconds of CPU.
    Samples ends() {
        return ends;
    }

    /// What an EOSE costs that confirms a batch.
    Samples confirmations() {
        return confirmations;
    }

    @Override
    public void ping() {
        // it is there
    }

    @Override
    public long heardAt() {
        return loop.nanos();
    }

    @Override
    public void close() {
        throw new IllegalStateException("nobody should hang up");
    }
}
