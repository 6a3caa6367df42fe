package dev.grapnel.sync.sim;

import dev.grapnel.sync.sim.Endpoint.Welcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/// All weathers that a link is subject to: its own, that around its node, and that around its relay.
record Climate(Weather own, Weather node, Weather relay) {
    private List<Weather> all() {
        return List.of(node, relay, own);
    }

    Optional<Welcome> handshake() {
        return all().stream().flatMap(weather -> weather.handshake().stream()).findFirst();
    }

    Duration latency() {
        return sum(Weather::latency);
    }

    Duration jitter() {
        return sum(Weather::jitter);
    }

    Duration disorder() {
        return sum(Weather::disorder);
    }

    double loss() {
        return most(Weather::loss);
    }

    double repetition() {
        return most(Weather::repetition);
    }

    double cut() {
        return most(Weather::cut);
    }

    boolean isSwallowed() {
        return own.isSwallowed() || node.isSwallowed() || relay.isSwallowed();
    }

    private Duration sum(Function<Weather, Duration> part) {
        return part.apply(own).plus(part.apply(node)).plus(part.apply(relay));
    }

    private double most(ToDoubleFunction<Weather> part) {
        return Math.max(part.applyAsDouble(own), Math.max(part.applyAsDouble(node), part.applyAsDouble(relay)));
    }
}
