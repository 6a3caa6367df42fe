package dev.grapnel.sync.health;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/// Whether not the others are to blame but we (R6.6): without a link, and with none of several relays within reach, it
/// is rather our network, resolver or clock. Five relays that are really dead, and no other, look the same.
final class OutageGuard {
    /// Different relays that must have been tried in vain.
    static final int RELAYS = 5;

    /// How far back attempts count.
    static final Duration WINDOW = Duration.ofMinutes(5);

    private int linksUp;
    private boolean hasSucceeded;
    private long succeededAt;

    /// The last failed attempt of each of the relays that were tried last.
    private final SequencedMap<Integer, Long> failedAt = new LinkedHashMap<>();

    private boolean isOn;
    private long onSince;
    private long cutOff;

    /// Whether we seem to be cut off.
    boolean isOn() {
        return isOn;
    }

    boolean hasLinks() {
        return linksUp > 0;
    }

    /// A link was made.
    ///
    /// @return whether that ends an outage
    boolean succeeded(long now) {
        linksUp++;
        return reached(now);
    }

    /// A server answered, whatever it said: that is beyond our network.
    ///
    /// @return whether that ends an outage
    boolean reached(long now) {
        hasSucceeded = true;
        succeededAt = now;
        failedAt.clear();
        boolean wasOn = isOn;
        if (wasOn) {
            cutOff += now - onSince;
            isOn = false;
        }
        return wasOn;
    }

    /// A link is no more.
    void ended() {
        linksUp--;
    }

    /// An attempt came to nothing.
    ///
    /// @return whether that shows an outage
    boolean failed(int relay, long now) {
        failedAt.remove(relay);
        failedAt.put(relay, now);
        if (failedAt.size() > RELAYS) {
            failedAt.pollFirstEntry();
        }
        if (isOn || linksUp > 0 || !isInVain(now)) {
            return false;
        }
        isOn = true;
        onSince = now;
        return true;
    }

    private boolean isInVain(long now) {
        return failedAt.size() == RELAYS
                && now - failedAt.firstEntry().getValue() <= WINDOW.toNanos()
                && (!hasSucceeded || now - succeededAt > WINDOW.toNanos());
    }

    /// Now, on both clocks.
    Moment moment(long now) {
        return new Moment(now, (isOn ? onSince : now) - cutOff);
    }
}
