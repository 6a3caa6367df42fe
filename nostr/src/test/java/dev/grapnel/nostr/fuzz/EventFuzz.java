package dev.grapnel.nostr.fuzz;

import static dev.grapnel.nostr.fuzz.Oracle.require;

import dev.grapnel.nostr.Hex;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventLimits;
import dev.grapnel.nostr.event.EventReader;
import dev.grapnel.nostr.event.ParsedEvent;
import java.util.Arrays;

/// Reads events: from the data as it is, and from a valid event the data describes. The latter begins with a byte above
/// ASCII, which no JSON text does.
public final class EventFuzz {
    private static final EventReader READER = new EventReader(EventLimits.DEFAULTS);
    private static final EventReader NARROW = new EventReader(new EventLimits(600, 2, 8, 16, 3));

    private EventFuzz() {}

    public static void fuzzerTestOneInput(byte[] data) {
        if (data.length > 0 && data[0] < 0) {
            readDescribed(EventText.of(Arrays.copyOfRange(data, 1, data.length)));
        } else {
            readRaw(data);
        }
    }

    private static void readDescribed(byte[] json) {
        switch (READER.read(json)) {
            case ParsedEvent.Valid(var event) -> check(event, json);
            case ParsedEvent.Defective(var _, var defect) -> throw new AssertionError(defect.toString());
            case ParsedEvent.Nameless(var defect) -> throw new AssertionError(defect.toString());
            case ParsedEvent.Unreadable(var reason) -> throw new AssertionError(reason);
        }
        NARROW.read(json);
    }

    private static void readRaw(byte[] json) {
        NARROW.read(json);
        switch (READER.read(json)) {
            case ParsedEvent.Valid(var event) -> check(event, json);
            case ParsedEvent.Defective(var id, var defect) -> {
                require(Hex.isHexOfAnyCase(id, 64), "the echoed id is none");
                Oracle.requireJson(json);
                RightIds.findCorrected(json, id, defect.text()).ifPresent(EventFuzz::readCorrected);
            }
            case ParsedEvent.Nameless _ -> Oracle.requireJson(json);
            case ParsedEvent.Unreadable _ -> {}
        }
    }

    private static void readCorrected(byte[] json) {
        if (READER.read(json) instanceof ParsedEvent.Valid(var event)) {
            check(event, json);
        }
    }

    static void check(Event event, byte[] json) {
        Oracle.requireSame(event, json);
        var normalised = event.json().toArray();
        require(
                READER.read(normalised) instanceof ParsedEvent.Valid(var again)
                        && again.equals(event)
                        && again.tags().equals(event.tags()),
                "the normalised form is not a fixed point");
    }
}
