package dev.grapnel.server.web;

import dev.grapnel.config.Configuration;
import dev.grapnel.config.ServiceSettings;
import dev.grapnel.config.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Which parts really work in this build, beyond a plain relay: nothing is promised to clients before it is
/// on.
///
/// @param acceptance only events about hosted repositories are taken, and git serves those (GRASP-01)
/// @param sync other relays are followed and missing git data is looked for (GRASP-02)
/// @param syncPlus contributions are looked for where their authors write (GRASP-03)
/// @param archive the archive settings have an effect (GRASP-05)
/// @param pullRequests `/prs/` is served (GRASP-06)
/// @param search full-text search (NIP-50)
/// @param management the management API (NIP-86)
public record Features(
        boolean acceptance,
        boolean sync,
        boolean syncPlus,
        boolean archive,
        boolean pullRequests,
        boolean search,
        boolean management) {
    /// A relay that takes every valid event, and nothing else.
    public static final Features RELAY_ONLY = new Features(false, false, false, false, false, false, false);

    /// Signed events decide which repositories there are.
    ///
    /// @param sync whether other relays are followed
    public static Features grasp(boolean sync) {
        return new Features(true, sync, false, true, false, false, false);
    }

    private static final String CRITERIA = "Announcements must list this service in both the clone and relays tags.";

    /// What of GRASP is on, in numeric order.
    List<String> grasps(Configuration configuration) {
        var grasps = new ArrayList<String>();
        addIf(acceptance, "GRASP-01", grasps);
        addIf(sync, "GRASP-02", grasps);
        addIf(syncPlus, "GRASP-03", grasps);
        addIf(archive && isArchive(configuration), "GRASP-05", grasps);
        addIf(pullRequests, "GRASP-06", grasps);
        return List.copyOf(grasps);
    }

    /// Which repositories are taken; nothing to say while none are.
    Optional<String> criteria(Configuration configuration) {
        if (!acceptance) {
            return Optional.empty();
        }
        if (isReadOnly(configuration)) {
            return Optional.of("None accepted directly: read-only archive.");
        }
        return Optional.of(
                isFilled(configuration, ServiceSettings.REPOSITORY_WHITELIST)
                        ? CRITERIA + " Only whitelisted repositories and maintainers."
                        : CRITERIA);
    }

    /// What somebody chose for the readers, in words; nothing if nobody did (service 3).
    Optional<String> curation(Configuration configuration) {
        if (!acceptance) {
            return Optional.empty();
        }
        if (isReadOnly(configuration)) {
            return Optional.of(readOnlyCuration(configuration));
        }
        if (!isFilled(configuration, ServiceSettings.REPOSITORY_WHITELIST)) {
            return Optional.empty();
        }
        return Optional.of(
                archive && isArchive(configuration)
                        ? "Accepts whitelisted repositories (with or without service listing) and whitelisted"
                                + " repositories that list this service"
                        : "Accepts only whitelisted repositories and maintainers that list this service");
    }

    private static String readOnlyCuration(Configuration configuration) {
        if (configuration.require(ServiceSettings.ARCHIVE_ALL)) {
            return "Read-only sync of all repositories found on network";
        }
        return isFilled(configuration, ServiceSettings.ARCHIVE_WHITELIST)
                ? "Read-only sync of whitelisted repositories and maintainers"
                : "Read-only sync of repositories from specified GRASP servers";
    }

    private boolean isReadOnly(Configuration configuration) {
        return archive
                && isArchive(configuration)
                && configuration.find(ServiceSettings.ARCHIVE_READ_ONLY).orElse(true);
    }

    private static boolean isArchive(Configuration configuration) {
        return configuration.require(ServiceSettings.ARCHIVE_ALL)
                || isFilled(configuration, ServiceSettings.ARCHIVE_WHITELIST)
                || isFilled(configuration, ServiceSettings.ARCHIVE_GRASP_SERVICES);
    }

    private static boolean isFilled(Configuration configuration, Setting<? extends List<?>> setting) {
        return !configuration.require(setting).isEmpty();
    }

    private static void addIf(boolean isOn, String name, List<String> names) {
        if (isOn) {
            names.add(name);
        }
    }
}
