package dev.grapnel.config;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Everything that can be set.
public final class Settings {
    /// In the order in which people read about them.
    public static final List<Setting<?>> ALL = Stream.of(
                    ServiceSettings.ALL, RelaySettings.ALL, PurgatorySettings.ALL, SyncSettings.ALL)
            .<Setting<?>>flatMap(List::stream)
            .toList();

    /// Names of older software and documents, which are told to be ignored.
    static final Set<String> IGNORED = Set.of(
            "NGIT_OWNER_NPUB",
            "NGIT_ABUSE_THRESHOLD",
            "NGIT_TOP_N_REPOS",
            "NGIT_SYNC_STARTUP_DELAY_SECS",
            "NGIT_SYNC_RECONNECT_DELAY_SECS",
            "NGIT_SYNC_RECONNECT_LOOKBACK_DAYS",
            "NGIT_AUTH_REQUIRED",
            "NGIT_RATE_LIMIT_ENABLED",
            "NGIT_PROACTIVE_SYNC_GIT",
            "NGIT_BLOSSOM_*");

    /// Names that concern others: containers, the launcher, and whoever reads the operator's key.
    static final Set<String> SILENT = Set.of(
            "GRAPNEL_JAVA_OPTS",
            "GRAPNEL_JDK_PATHS",
            "GRAPNEL_MAVEN_PATHS",
            "GRAPNEL_RELAY_OWNER_NSEC",
            "NGIT_HOST_PORT",
            "NGIT_IMAGE",
            "NGIT_IMAGE_VERSION",
            "NGIT_IMAGE_REVISION",
            "NGIT_BUILD_REVISION",
            "NGIT_CADDY_IP",
            "NGIT_DOCS_SOURCE_COMMIT",
            "NGIT_RELAY_OWNER_NSEC");

    private Settings() {}
}
