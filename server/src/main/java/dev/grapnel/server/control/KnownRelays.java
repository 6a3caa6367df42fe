package dev.grapnel.server.control;

import dev.grapnel.log.SafeText;
import dev.grapnel.purgatory.RelayPlaces;
import dev.grapnel.server.ops.SyncView;
import dev.grapnel.sync.SyncPicture;
import dev.grapnel.sync.SyncPicture.Relay;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/// Finds the relay that an operator means among those that are followed.
final class KnownRelays {
    private static final int NAMED_MAX = 5;

    /// One letter in so many may be wrong.
    private static final int LETTERS = 4;

    private KnownRelays() {}

    /// @throws ControlRefusal if no relays are followed, or how that goes cannot be told now
    static SyncPicture picture(SyncView sync) throws ControlRefusal {
        if (!sync.isOn()) {
            throw new ControlRefusal(
                    "this server follows no other relays: it was started with --sync-enabled=false, or takes any"
                            + " event");
        }
        return sync.picture().orElseThrow(() -> new ControlRefusal("sync does not answer just now; try again"));
    }

    /// @throws ControlRefusal naming those that resemble it, if it is not among them
    static Relay require(SyncPicture picture, String text) throws ControlRefusal {
        var url = RelayPlaces.parseConfigured(text).find();
        return find(picture, relay -> url.filter(relay.url()::equals).isPresent())
                .or(() -> find(picture, relay -> relay.name().equals(text)))
                .or(() -> find(picture, relay -> bare(relay.name()).equals(bare(text))))
                .orElseThrow(() -> new ControlRefusal(unknown(picture, text)));
    }

    /// Only if it is the only one.
    private static Optional<Relay> find(SyncPicture picture, Predicate<Relay> which) {
        var found = picture.relays().stream().filter(which).limit(2).toList();
        return found.size() == 1 ? Optional.of(found.getFirst()) : Optional.empty();
    }

    private static String unknown(SyncPicture picture, String text) {
        var resembling = resembling(picture.relays().stream().map(Relay::name).toList(), text);
        int waiting = picture.order().waiting();
        return "no relay " + SafeText.of(text) + " is followed"
                + (waiting == 0
                        ? "; "
                        : " (" + waiting
                                + " are not followed yet: new ones come in by and by, at most --sync-max-relays); ")
                + (resembling.isEmpty()
                        ? "grapnel sync list shows those that are"
                        : "one of these, perhaps: " + String.join(", ", resembling));
    }

    /// The most alike first.
    static List<String> resembling(List<String> names, String text) {
        var wanted = bare(text);
        return names.stream()
                .filter(name -> isAlike(bare(name), wanted))
                .sorted(Comparator.<String>comparingInt(name -> distance(bare(name), wanted))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(NAMED_MAX)
                .toList();
    }

    private static String bare(String name) {
        return name.strip()
                .toLowerCase(Locale.ROOT)
                .replaceFirst("^wss?://", "")
                .replaceFirst("/+$", "");
    }

    private static boolean isAlike(String name, String wanted) {
        if (wanted.isEmpty()) {
            return false;
        }
        return name.contains(wanted)
                || wanted.contains(name)
                || distance(name, wanted) <= Math.max(2, wanted.length() / LETTERS);
    }

    /// How many letters must be added, taken away or changed (Levenshtein).
    private static int distance(String a, String b) {
        var row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
