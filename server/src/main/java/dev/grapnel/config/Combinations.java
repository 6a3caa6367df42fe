package dev.grapnel.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Values that are good alone but not together (service 10.2, purgatory P-901).
final class Combinations {
    private static final Duration DORMANT_CHECK_MIN = Duration.ofMinutes(1);
    private static final Duration DORMANT_CHECK_MAX = Duration.ofHours(1);

    private final Configuration configuration;
    private final List<String> problems = new ArrayList<>();

    private Combinations(Configuration configuration) {
        this.configuration = configuration;
    }

    /// What is wrong, each a sentence. A setting without a value was refused before, so nothing is said of it.
    static List<String> judge(Configuration configuration) {
        var judging = new Combinations(configuration);
        judging.judgeArchive();
        judging.judgePaths();
        judging.judgeSizes();
        judging.judgeTimes();
        judging.judgeDomain();
        judging.judgePrivate();
        return List.copyOf(judging.problems);
    }

    private boolean isOn(Setting<Boolean> setting) {
        return configuration.find(setting).orElse(false);
    }

    private boolean isFilled(Setting<? extends List<?>> setting) {
        return configuration.find(setting).filter(list -> !list.isEmpty()).isPresent();
    }

    private void judgeArchive() {
        boolean all = isOn(ServiceSettings.ARCHIVE_ALL);
        boolean some = isFilled(ServiceSettings.ARCHIVE_WHITELIST);
        boolean services = isFilled(ServiceSettings.ARCHIVE_GRASP_SERVICES);
        if (services && all) {
            problems.add("GRAPNEL_ARCHIVE_GRASP_SERVICES and GRAPNEL_ARCHIVE_ALL are mutually exclusive; keep one");
        }
        if (services && some) {
            problems.add(
                    "GRAPNEL_ARCHIVE_GRASP_SERVICES and GRAPNEL_ARCHIVE_WHITELIST are mutually exclusive; keep one");
        }
        boolean archives = all || some || services;
        boolean readOnly = configuration.find(ServiceSettings.ARCHIVE_READ_ONLY).orElse(archives);
        if (readOnly && !archives) {
            problems.add("GRAPNEL_ARCHIVE_READ_ONLY needs GRAPNEL_ARCHIVE_ALL, GRAPNEL_ARCHIVE_WHITELIST or"
                    + " GRAPNEL_ARCHIVE_GRASP_SERVICES");
        }
        if (readOnly && isFilled(ServiceSettings.REPOSITORY_WHITELIST)) {
            problems.add("GRAPNEL_REPOSITORY_WHITELIST is incompatible with a read-only archive; set"
                    + " GRAPNEL_ARCHIVE_READ_ONLY=false or use GRAPNEL_ARCHIVE_WHITELIST");
        }
    }

    private void judgePaths() {
        var git = configuration.find(ServiceSettings.GIT_DATA_PATH).map(Combinations::normal);
        var relay = configuration.find(ServiceSettings.RELAY_DATA_PATH).map(Combinations::normal);
        if (git.isPresent()
                && relay.isPresent()
                && (git.get().startsWith(relay.get()) || relay.get().startsWith(git.get()))) {
            problems.add("GRAPNEL_GIT_DATA_PATH and GRAPNEL_RELAY_DATA_PATH must be distinct, and neither inside the"
                    + " other");
        }
    }

    private static Path normal(Path path) {
        return path.toAbsolutePath().normalize();
    }

    private void judgeSizes() {
        long event = configuration.find(RelaySettings.MAX_EVENT_BYTES).orElse(0L);
        long message = configuration.find(RelaySettings.MAX_MESSAGE_LENGTH).orElse(Long.MAX_VALUE);
        if (event > message) {
            problems.add("GRAPNEL_MAX_EVENT_BYTES (" + event + ") is more than GRAPNEL_MAX_MESSAGE_LENGTH (" + message
                    + ")");
        }
    }

    private void judgeTimes() {
        requireOrder(SyncSettings.SYNC_BASE_BACKOFF_SECS, SyncSettings.SYNC_MAX_BACKOFF_SECS);
        requireOrder(SyncSettings.SYNC_DAILY_MIN_HOURS, SyncSettings.SYNC_DAILY_MAX_HOURS);
        requireOrder(PurgatorySettings.SYNC_BACKOFF_BASE_SECS, PurgatorySettings.SYNC_BACKOFF_MAX_SECS);
        if (isOn(PurgatorySettings.HUNT_ENABLED)) {
            requireOrder(PurgatorySettings.SYNC_DEFAULT_DELAY_SECS, PurgatorySettings.PURGATORY_EXPIRY_SECS);
        }
        judgeDormantCheck();
        requireOrder(PurgatorySettings.HUNT_FETCH_TIMEOUT_SECS, PurgatorySettings.HUNT_ATTEMPT_TIMEOUT_SECS);
        requireOrder(PurgatorySettings.HUNT_STALL_TIMEOUT_SECS, PurgatorySettings.HUNT_FETCH_TIMEOUT_SECS);
    }

    private void judgeDormantCheck() {
        long seconds = configuration
                .find(PurgatorySettings.PURGATORY_DORMANT_CHECK_SECS)
                .orElse(DORMANT_CHECK_MIN)
                .toSeconds();
        long least = isOn(ServiceSettings.TEST) ? 1 : DORMANT_CHECK_MIN.toSeconds();
        if (seconds < least || seconds > DORMANT_CHECK_MAX.toSeconds()) {
            problems.add("GRAPNEL_PURGATORY_DORMANT_CHECK_SECS (" + seconds + ") is not " + least + " to "
                    + DORMANT_CHECK_MAX.toSeconds());
        }
    }

    private void judgePrivate() {
        boolean isPrivate = isOn(ServiceSettings.PRIVATE_MODE);
        if (isPrivate != isFilled(ServiceSettings.PRIVATE_MEMBERS)) {
            problems.add("GRAPNEL_PRIVATE_MODE and GRAPNEL_PRIVATE_MEMBERS belong together; set both or none");
        }
        if (isPrivate && isOn(ServiceSettings.GRASP06_ENABLE)) {
            problems.add("GRAPNEL_GRASP06_ENABLE cannot be with GRAPNEL_PRIVATE_MODE, because the endpoint for"
                    + " contributors has no authentication");
        }
        if (isPrivate && configuration.find(RelaySettings.AUTH).equals(Optional.of(RelaySettings.Auth.OFF))) {
            problems.add("GRAPNEL_AUTH=off cannot be with GRAPNEL_PRIVATE_MODE, because a private service needs"
                    + " authentication");
        }
        if (!isPrivate
                && configuration.find(ServiceSettings.PRIVATE_PUBLIC_ORIGIN).isPresent()) {
            problems.add("GRAPNEL_PRIVATE_PUBLIC_ORIGIN is of use with GRAPNEL_PRIVATE_MODE only");
        }
    }

    private void requireOrder(Setting<Duration> less, Setting<Duration> more) {
        var low = configuration.find(less);
        var high = configuration.find(more);
        if (low.isPresent() && high.isPresent() && low.get().compareTo(high.get()) > 0) {
            problems.add("GRAPNEL_" + less.name() + " (" + less.type().write(low.get()) + ") is more than GRAPNEL_"
                    + more.name() + " (" + more.type().write(high.get()) + ")");
        }
    }

    private void judgeDomain() {
        var bind = configuration.find(ServiceSettings.BIND_ADDRESS);
        if (bind.isPresent()
                && !bind.get().isLoopback()
                && configuration.find(ServiceSettings.DOMAIN).isEmpty()) {
            problems.add("GRAPNEL_DOMAIN is needed, because the server listens on " + bind.get()
                    + ", where others reach it; set it to the host they use");
        }
    }
}
