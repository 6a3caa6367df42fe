package dev.grapnel.server.control;

import dev.grapnel.config.DomainLimits;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.json.JsonWriter;
import dev.grapnel.purgatory.hunt.HuntConfig.Limits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Tells how much of other servers hunting uses, and changes it at once (P-900). After the next start the settings
/// count again.
public final class HuntLimitsAnswer implements ControlCommand {
    /// What it is asked for by.
    public static final String NAME = "hunt limits";

    private final Holder holder;

    /// Has the limits.
    public interface Holder {
        Limits limits();

        void change(Limits limits);
    }

    public HuntLimitsAnswer(Holder holder) {
        this.holder = holder;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void run(ControlRequest request, ControlOutput output) throws ControlRefusal, IOException {
        var before = holder.limits();
        var wanted = new Limits(
                number(request, "concurrent", before.concurrent()),
                number(request, "perMinute", before.perMinute()),
                overrides(request, before.overrides()),
                number(request, "fetches", before.fetches()),
                number(request, "perAddress", before.perAddress()));
        if (!wanted.equals(before)) {
            holder.change(wanted);
        }
        output.line(new JsonWriter(256)
                .raw("{\"concurrent\":")
                .number(wanted.concurrent())
                .raw(",\"perMinute\":")
                .number(wanted.perMinute())
                .raw(",\"fetches\":")
                .number(wanted.fetches())
                .raw(",\"perAddress\":")
                .number(wanted.perAddress())
                .raw(",\"overrides\":")
                .string(wanted.overrides().stream().map(DomainLimits::toString).collect(Collectors.joining(";")))
                .raw(",\"changed\":")
                .raw(Boolean.toString(!wanted.equals(before)))
                .raw("}"));
    }

    private static int number(ControlRequest request, String name, int present) throws ControlRefusal {
        var given = request.arguments().findNumber(name);
        if (given.isEmpty()) {
            return present;
        }
        if (given.getAsLong() < 1 || given.getAsLong() > Integer.MAX_VALUE) {
            throw new ControlRefusal("a limit is a number from 1");
        }
        return (int) given.getAsLong();
    }

    private static List<DomainLimits> overrides(ControlRequest request, List<DomainLimits> present)
            throws ControlRefusal {
        var given = request.arguments().findText("overrides");
        if (given.isEmpty()) {
            return present;
        }
        var overrides = new ArrayList<DomainLimits>();
        for (var text : given.get().split(";", -1)) {
            if (!text.isBlank()) {
                switch (DomainLimits.parse(text.strip())) {
                    case Parsed.Valid<DomainLimits>(var limits) -> overrides.add(limits);
                    case Parsed.Invalid<DomainLimits>(var reason) ->
                        throw new ControlRefusal("limits of a domain: " + reason);
                }
            }
        }
        return overrides;
    }
}
