package dev.grapnel.sync.link;

import dev.grapnel.sync.health.Learned;
import dev.grapnel.sync.health.Learned.Trait;
import dev.grapnel.sync.link.ChunkMaker.Sizes;
import dev.grapnel.sync.world.RelayInformation;
import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.Supplier;

/// What a relay will bear: by what it says of itself, by what it was found to refuse, and by our own rules (R3.6, R3.8,
/// R3.14). What was found holds for a day (R4.20).
final class Bearing {
    static final Duration MEMORY = Duration.ofHours(24);
    static final int WIDE = 450;
    static final int REQUEST_BYTES = 96_000;
    private static final int FILTER_BYTES = 32_000;
    /// What a live REQ of one filter has beside the filter's values.
    private static final int BESIDE = 128;
    private static final int REQUEST_BYTES_LARGE = 400_000;
    private static final int LARGE = 1_000_000;
    private static final int MESSAGE_UNKNOWN = 131_072;
    private static final int FRAME = 60_000;
    private static final int FRAME_LEAST = 4_096;
    private static final int SLOTS_UNKNOWN = 20;
    private static final int SLOTS_LEAST = 3;
    private static final int FILTERS = 10;
    private static final int SESSIONS = 2;
    /// A cap of bytes below this leaves no room for a single request, so it is not what was meant.
    private static final long OPEN_BYTES_LEAST = 1_024;
    /// Nobody is ever sent so much.
    private static final long OPEN_BYTES_MOST = 1_000_000_000;
    /// What an id takes in a filter.
    private static final int ID_BYTES = 67;
    private static final int[] WIDTHS = {450, 225, 100, 50, 25, 10};
    private static final int[] FILTER_COUNTS = {10, 5, 2, 1};

    private final LinkConfig config;
    private final Supplier<Learned> memory;
    private final Scheduler loop;
    private RelayInformation information = RelayInformation.NONE;
    private boolean isResting;

    Bearing(LinkConfig config, Supplier<Learned> memory, Scheduler loop) {
        this.config = config;
        this.memory = memory;
        this.loop = loop;
    }

    /// @param changed run if that was news
    void inform(RelayInformation said, Runnable changed) {
        boolean isNews = !said.equals(information);
        information = said;
        if (isNews) {
            changed.run();
        }
    }

    RelayInformation information() {
        return information;
    }

    /// B of R3.14.
    int slots() {
        int said = Math.max(1, information.subscriptionsMax().orElse(SLOTS_UNKNOWN));
        return (int) Math.min(said, find(Trait.SUBSCRIPTIONS, said));
    }

    /// Slots that may be taken in all.
    int usableSlots() {
        int all = slots();
        return all > 4 ? all - 2 : Math.min(all, 2);
    }

    /// Slots that live subscriptions may take, that of announcements included.
    int liveSlots() {
        return usableSlots() - 1;
    }

    /// Whether anything but announcements can be live.
    boolean canStream() {
        return slots() > 4;
    }

    int filtersPerRequest() {
        int said = Math.min(FILTERS, Math.max(1, information.filtersMax().orElse(FILTERS)));
        return (int) Math.min(said, find(Trait.FILTERS, said));
    }

    /// Values and bytes of a filter.
    Sizes sizes(boolean isWide) {
        int wanted = isWide ? Math.max(WIDE, config.chunkSize()) : config.chunkSize();
        int width = (int) Math.min(wanted, find(Trait.WIDTH, wanted));
        int bytes = information.messageMax().isPresent()
                ? Math.min(FILTER_BYTES, Math.max(256, information.messageMax().getAsInt() - 512))
                : FILTER_BYTES;
        return new Sizes(width, Math.min(bytes, Math.min(requestBytes(), catchUpBytes()) - BESIDE));
    }

    /// Ids of one request, of so many that are wanted.
    int idsPerRequest(int most) {
        return Math.clamp((catchUpBytes() - BESIDE) / ID_BYTES, 1, most);
    }

    /// More values than this, one for each letter they are asked by, fit into no plan (R3.19).
    long valuesMax(boolean isWide) {
        return (long) config.liveFiltersMax() * sizes(isWide).width();
    }

    /// Bytes of a live REQ (R3.8, R3.8a).
    int requestBytes() {
        int most = REQUEST_BYTES;
        if (information.messageMax().isPresent()) {
            int said = information.messageMax().getAsInt();
            most = said >= LARGE ? REQUEST_BYTES_LARGE : Math.min(REQUEST_BYTES, Math.max(1_024, said - 4_096));
        }
        return (int) Math.min(most, find(Trait.MESSAGE_BYTES, most));
    }

    /// Bytes of a REQ for what is stored (R3.13, R3.14a).
    int catchUpBytes() {
        int most = Math.min(requestBytes(), REQUEST_BYTES);
        var cap = openBytes();
        return cap.isPresent() ? (int) Math.min(most, cap.getAsLong() / 2) : most;
    }

    /// Bytes all open subscriptions may have together, if that is known (R3.14a).
    OptionalLong openBytes() {
        return memory.get().find(Trait.OPEN_BYTES, loop.wall());
    }

    /// Bytes live subscriptions may have together.
    long liveBytes() {
        var cap = openBytes();
        return cap.isPresent() ? Math.max(cap.getAsLong() - 100_000, cap.getAsLong() / 2) : Long.MAX_VALUE;
    }

    int pageLimit() {
        return Math.min(config.pageLimit(), Math.max(1, information.limitMax().orElse(config.pageLimit())));
    }

    /// The limit of live filters (R3.10).
    int liveLimit() {
        return memory.get().has(Trait.NO_LIMIT_ZERO, loop.wall()) ? 1 : 0;
    }

    /// Comparisons at once.
    int sessions() {
        return (int) find(Trait.SESSIONS, SESSIONS);
    }

    /// Whether comparisons rest until the next connection, because the relay counts them as queries (R3.15).
    void restComparing(boolean rests) {
        isResting = rests;
    }

    /// Whether a comparison may be tried.
    boolean compares() {
        return config.usesNegentropy()
                && !isResting
                && sessions() > 0
                && !memory.get().has(Trait.NO_NEGENTROPY, loop.wall())
                && !memory.get().has(Trait.BROKEN_NEGENTROPY, loop.wall());
    }

    /// Bytes of our messages of a comparison; 0 if none fits (R5.4).
    int frameBytes(int filterLength) {
        int message = information.messageMax().orElse(MESSAGE_UNKNOWN);
        message = (int) Math.min(message, find(Trait.MESSAGE_BYTES, message));
        int frame = Math.min(FRAME, (message - 512 - filterLength) / 2);
        return frame < FRAME_LEAST ? 0 : frame;
    }

    /// Whether it never says EOSE.
    boolean neverEnds() {
        return memory.get().has(Trait.NO_EOSE, loop.wall());
    }

    void learn(Trait trait, long value) {
        learn(trait, value, MEMORY);
    }

    void learn(Trait trait, long value, Duration time) {
        memory.get().learn(trait, value, loop.wall().plus(time));
    }

    void forget(Trait trait) {
        memory.get().forget(trait);
    }

    boolean has(Trait trait) {
        return memory.get().has(trait, loop.wall());
    }

    /// Takes a structural refusal to heart.
    ///
    /// @param open subscriptions and comparisons that were open
    /// @param isWide whether filters had the large width
    /// @return whether anything changed
    boolean learn(RefusalLine line, String text, int open, boolean isWide) {
        return switch (line) {
            case OPEN_BYTES -> {
                long known = find(Trait.OPEN_BYTES, Long.MAX_VALUE);
                long said = Math.clamp(RefusalLine.bytes(text).orElseThrow(), OPEN_BYTES_LEAST, OPEN_BYTES_MOST);
                learn(Trait.OPEN_BYTES, Math.min(said, known));
                yield said < known / 4 * 3; // who says a little less each time would have us plan all the time
            }
            case FILTER_COUNT -> lower(Trait.FILTERS, FILTER_COUNTS, filtersPerRequest());
            case ITEMS -> {
                boolean isNews = sessions() > 1;
                if (isNews) {
                    learn(Trait.SESSIONS, 1);
                }
                yield isNews;
            }
            case SESSIONS -> {
                boolean isNews = sessions() > 0;
                learn(Trait.SESSIONS, Math.max(0, sessions() - 1));
                yield isNews;
            }
            case SUBSCRIPTIONS -> {
                int least = Math.max(SLOTS_LEAST, open - 1);
                boolean isNews = least < slots();
                learn(Trait.SUBSCRIPTIONS, Math.min(least, slots()));
                yield isNews;
            }
            case VALUES -> lower(Trait.WIDTH, WIDTHS, sizes(isWide).width());
            case LIMIT -> {
                boolean isNews = liveLimit() == 0;
                learn(Trait.NO_LIMIT_ZERO, 1);
                yield isNews;
            }
            case AUTH, RATE, POLICY, INVALID, OTHER -> false;
        };
    }

    private boolean lower(Trait trait, int[] steps, int present) {
        for (int step : steps) {
            if (step < present) {
                learn(trait, step);
                return true;
            }
        }
        return false;
    }

    private long find(Trait trait, long otherwise) {
        return memory.get().find(trait, loop.wall()).orElse(otherwise);
    }
}
