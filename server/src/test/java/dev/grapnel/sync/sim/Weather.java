package dev.grapnel.sync.sim;

import dev.grapnel.sync.sim.Endpoint.Welcome;
import java.time.Duration;
import java.util.Optional;

/// What goes wrong between a node and a relay, or everywhere around one of them. Changed while the world runs; what is
/// on its way keeps the time it was given.
public final class Weather {
    private Optional<Welcome> handshake = Optional.empty();
    private Duration latency = Duration.ZERO;
    private Duration jitter = Duration.ZERO;
    private Duration disorder = Duration.ZERO;
    private double loss;
    private double repetition;
    private double cut;
    private boolean isSwallowed;

    /// Every handshake comes to this from now on.
    Weather handshakes(Welcome outcome) {
        handshake = outcome instanceof Welcome.Granted ? Optional.empty() : Optional.of(outcome);
        return this;
    }

    /// So long one way.
    public Weather latency(Duration time) {
        latency = time;
        return this;
    }

    /// Up to so much longer, in order.
    Weather jitter(Duration most) {
        jitter = most;
        return this;
    }

    /// Messages of different subscriptions overtake each other by up to this.
    Weather disorder(Duration most) {
        disorder = most;
        return this;
    }

    /// So many messages of a relay vanish while the link stays up; such a relay counts as a liar.
    Weather loss(double chance) {
        loss = chance;
        return this;
    }

    /// So many come twice.
    Weather repetition(double chance) {
        repetition = chance;
        return this;
    }

    /// After so many messages the link breaks.
    Weather cut(double chance) {
        cut = chance;
        return this;
    }

    /// Half open: nothing arrives any more in either direction, and nobody is told.
    public Weather swallow(boolean isOn) {
        isSwallowed = isOn;
        return this;
    }

    /// Nothing is wrong any more, but for the distance.
    Weather clear() {
        handshake = Optional.empty();
        jitter = Duration.ZERO;
        disorder = Duration.ZERO;
        loss = 0;
        repetition = 0;
        cut = 0;
        isSwallowed = false;
        return this;
    }

    Optional<Welcome> handshake() {
        return handshake;
    }

    Duration latency() {
        return latency;
    }

    Duration jitter() {
        return jitter;
    }

    Duration disorder() {
        return disorder;
    }

    double loss() {
        return loss;
    }

    double repetition() {
        return repetition;
    }

    double cut() {
        return cut;
    }

    boolean isSwallowed() {
        return isSwallowed;
    }

    /// Whether a message that is lost or altered may be the network's fault.
    boolean isLying() {
        return loss > 0;
    }
}
