package dev.grapnel.server.web;

import dev.grapnel.config.Configuration;
import dev.grapnel.config.RelaySettings;
import dev.grapnel.config.RelaySettings.Auth;
import dev.grapnel.config.ServiceSettings;
import dev.grapnel.config.Setting;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// What the relay says about itself (NIP-11, relay 5.1, service 3): only what is on, only numbers that are
/// enforced.
final class Nip11 {
    private final Configuration configuration;
    private final ServiceIdentity identity;
    private final Features features;

    Nip11(Configuration configuration, ServiceIdentity identity, Features features) {
        this.configuration = configuration;
        this.identity = identity;
        this.features = features;
    }

    String name() {
        return configuration.find(ServiceSettings.RELAY_NAME).orElse(identity.domain() + " grasp relay");
    }

    String description() {
        return configuration.require(ServiceSettings.RELAY_DESCRIPTION);
    }

    Optional<String> contact() {
        return configuration.find(ServiceSettings.CONTACT).map(URI::toString);
    }

    boolean isAuthRequired() {
        return configuration.require(RelaySettings.AUTH) == Auth.REQUIRED;
    }

    /// Whether events are refused that a plain relay would take.
    boolean restrictsWrites() {
        return features.acceptance();
    }

    long limit(Setting<Long> setting) {
        return configuration.require(setting);
    }

    /// What answers a filter that has no limit.
    long defaultLimit() {
        return Math.min(limit(RelaySettings.DEFAULT_LIMIT), limit(RelaySettings.MAX_LIMIT));
    }

    /// In the order of their numbers.
    List<Integer> supportedNips() {
        var nips = new TreeSet<>(List.of(1, 11, 34, 40, 70));
        boolean deletes = !configuration.require(ServiceSettings.DELETION_REQUEST_DISRESPECTOR);
        addIf(identity.address().basePath().isEmpty(), 5, nips);
        addIf(deletes, 9, nips);
        addIf(limit(RelaySettings.MIN_POW_DIFFICULTY) > 0, 13, nips);
        addIf(configuration.require(RelaySettings.AUTH) != Auth.OFF, 42, nips);
        addIf(configuration.require(RelaySettings.COUNT), 45, nips);
        addIf(features.search() && configuration.require(RelaySettings.SEARCH), 50, nips);
        addIf(deletes, 62, nips);
        addIf(configuration.require(RelaySettings.EOSE_HINT), 67, nips);
        addIf(configuration.require(RelaySettings.NEGENTROPY), 77, nips);
        addIf(features.management(), 86, nips);
        addIf(features.management(), 98, nips);
        return List.copyOf(nips);
    }

    List<String> supportedGrasps() {
        return features.grasps(configuration);
    }

    /// The document.
    byte[] json() {
        var document = new JsonObject()
                .string("name", name())
                .string("description", description())
                .string("pubkey", identity.operator().toHex())
                .string("self", identity.operator().toHex());
        contact().ifPresent(contact -> document.string("contact", contact));
        document.string("icon", identity.iconUrl())
                .string("software", identity.build().homePage())
                .string("version", identity.build().text())
                .numbers("supported_nips", supportedNips())
                .strings("supported_grasps", supportedGrasps());
        features.criteria(configuration).ifPresent(text -> document.string("repo_acceptance_criteria", text));
        features.curation(configuration).ifPresent(text -> document.string("curation", text));
        return document.object("limitation", limitation()).bytes();
    }

    private JsonObject limitation() {
        var limitation = new JsonObject()
                .number("max_message_length", limit(RelaySettings.MAX_MESSAGE_LENGTH))
                .number("max_subscriptions", limit(RelaySettings.MAX_SUBSCRIPTIONS))
                .number("max_limit", limit(RelaySettings.MAX_LIMIT))
                .number("max_subid_length", limit(RelaySettings.MAX_SUBID_LENGTH))
                .number("max_event_tags", limit(RelaySettings.MAX_EVENT_TAGS))
                .number("max_content_length", limit(RelaySettings.MAX_CONTENT_LENGTH))
                .number("min_pow_difficulty", limit(RelaySettings.MIN_POW_DIFFICULTY))
                .bool("auth_required", isAuthRequired())
                .bool("payment_required", false)
                .bool("restricted_writes", restrictsWrites());
        configuration
                .find(RelaySettings.CREATED_AT_LOWER_LIMIT)
                .ifPresent(age -> limitation.number("created_at_lower_limit", age.toSeconds()));
        return limitation
                .number(
                        "created_at_upper_limit",
                        configuration
                                .require(RelaySettings.CREATED_AT_UPPER_LIMIT)
                                .toSeconds())
                .number("default_limit", defaultLimit());
    }

    private static void addIf(boolean isOn, int nip, Set<Integer> nips) {
        if (isOn) {
            nips.add(nip);
        }
    }
}
