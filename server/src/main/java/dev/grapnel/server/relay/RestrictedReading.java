package dev.grapnel.server.relay;

import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.Refusal.Prefix;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.store.Viewer;
import java.util.List;
import java.util.Optional;

/// Who may ask for kinds that are not for everybody (relay 4.8).
final class RestrictedReading {
    private static final Refusal UNKNOWN =
            new Refusal(Prefix.AUTH_REQUIRED, "these kinds are shown to their authors and recipients only");
    private static final Refusal OTHERS = new Refusal(
            Prefix.RESTRICTED, "these kinds are counted for their authors and recipients only, and you named others");

    private RestrictedReading() {}

    /// Why a REQ or NEG-OPEN is refused, if it is.
    static Optional<Refusal> judgeQuery(List<Filter> filters, Viewer viewer, boolean canAuthenticate) {
        boolean asks = filters.stream().anyMatch(filter -> isRestricted(filter, viewer));
        return asks && canAuthenticate && viewer.keys().isEmpty() ? Optional.of(UNKNOWN) : Optional.empty();
    }

    /// Why a COUNT is refused, if it is: a number alone tells something about others.
    static Optional<Refusal> judgeCount(List<Filter> filters, Viewer viewer, boolean canAuthenticate) {
        boolean others =
                filters.stream().anyMatch(filter -> isRestricted(filter, viewer) && !isAboutReader(filter, viewer));
        if (!others || !canAuthenticate) {
            return Optional.empty(); // without authentication nothing of it is counted
        }
        return Optional.of(viewer.keys().isEmpty() ? UNKNOWN : OTHERS);
    }

    private static boolean isRestricted(Filter filter, Viewer viewer) {
        return filter.kinds()
                .filter(kinds -> !kinds.isEmpty() && viewer.restrictedKinds().containsAll(kinds))
                .isPresent();
    }

    private static boolean isAboutReader(Filter filter, Viewer viewer) {
        boolean authors =
                filter.authors().filter(keys -> viewer.keys().containsAll(keys)).isPresent();
        return authors
                || filter.tags().stream()
                        .anyMatch(tag -> tag.letter() == 'p'
                                && tag.values().toList().stream()
                                        .allMatch(value -> PublicKey.parse(value)
                                                .find()
                                                .filter(viewer.keys()::contains)
                                                .isPresent()));
    }
}
