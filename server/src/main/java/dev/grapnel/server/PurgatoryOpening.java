package dev.grapnel.server;

import dev.grapnel.config.Configuration;
import dev.grapnel.config.PurgatorySettings;
import dev.grapnel.config.RelaySettings;
import dev.grapnel.config.ServiceSettings;
import dev.grapnel.config.Setting;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Announcement;
import dev.grapnel.nostr.repository.ListsService;
import dev.grapnel.nostr.repository.MaintainerModel;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.nostr.url.ServiceAddress;
import dev.grapnel.outbound.Judged;
import dev.grapnel.outbound.OwnAddresses;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.outbound.UrlShape;
import dev.grapnel.purgatory.Custody;
import dev.grapnel.purgatory.PurgatoryConfig;
import dev.grapnel.purgatory.intake.UploadLimits;
import dev.grapnel.purgatory.rule.AcceptanceRules;
import dev.grapnel.purgatory.rule.HeldLimits;
import dev.grapnel.purgatory.rule.Lists;
import dev.grapnel.purgatory.rule.RepositoryList;
import dev.grapnel.server.address.AddressLimits;
import dev.grapnel.server.address.ClientAddress;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What the operator set about events, as the rules want it.
///
/// @param heapBytes memory this process may use
record PurgatoryOpening(Configuration settings, ServiceAddress service, PublicKey operator, long heapBytes) {
    private static final Logger LOG = LoggerFactory.getLogger(PurgatoryOpening.class);

    /// About what the memory of one name in an announcement costs.
    private static final long BYTES_PER_NAME = 64;

    PurgatoryConfig config() {
        return new PurgatoryConfig(
                settings.require(PurgatorySettings.PURGATORY_EXPIRY_SECS),
                settings.require(PurgatorySettings.PURGATORY_SOFT_EXPIRY_SECS),
                settings.require(PurgatorySettings.PURGATORY_SWEEP_INTERVAL_SECS),
                settings.require(PurgatorySettings.PURGATORY_EXPIRED_RETENTION_SECS),
                settings.require(PurgatorySettings.PURGATORY_EXPIRED_MAX),
                settings.require(PurgatorySettings.PURGATORY_DORMANT_MAX),
                settings.require(ServiceSettings.HOLDING_RETENTION_SECS),
                settings.require(ServiceSettings.HOLDING_CLEANUP_INTERVAL_SECS),
                settings.require(ServiceSettings.BLACKLIST_AUTO_RESTORE),
                Duration.ofHours(1));
    }

    /// Changes whenever something is set otherwise that decides which events are accepted (sync R7.19).
    String fingerprint() {
        var all = Stream.of(
                "1",
                service,
                operator,
                model(),
                settings.require(ServiceSettings.EVENT_BLACKLIST),
                settings.require(ServiceSettings.REPOSITORY_BLACKLIST),
                settings.require(ServiceSettings.REPOSITORY_WHITELIST),
                settings.require(ServiceSettings.ARCHIVE_ALL),
                settings.require(ServiceSettings.ARCHIVE_WHITELIST),
                settings.require(ServiceSettings.ARCHIVE_GRASP_SERVICES),
                settings.find(ServiceSettings.ARCHIVE_READ_ONLY),
                settings.require(PurgatorySettings.OWN_DOMAINS),
                settings.require(RelaySettings.CREATED_AT_UPPER_LIMIT),
                settings.find(RelaySettings.CREATED_AT_LOWER_LIMIT),
                settings.require(RelaySettings.MIN_POW_DIFFICULTY),
                settings.require(RelaySettings.RESTRICTED_READ_KINDS),
                limits());
        return all.map(String::valueOf).collect(Collectors.joining("\n"));
    }

    MaintainerModel model() {
        return switch (settings.require(ServiceSettings.MAINTAINER_MODEL)) {
            case CONFIRMED -> MaintainerModel.CONFIRMED;
            case RECURSIVE -> MaintainerModel.RECURSIVE;
        };
    }

    AcceptanceRules rules() {
        Set<Integer> privateKinds = settings.require(RelaySettings.RESTRICTED_READ_KINDS).stream()
                .map(Long::intValue)
                .collect(Collectors.toSet());
        return new AcceptanceRules(
                service,
                operator,
                lists(),
                settings.require(PurgatorySettings.PURGATORY_EXPIRY_SECS),
                limits(),
                privateKinds);
    }

    private HeldLimits limits() {
        return new HeldLimits(
                settings.require(PurgatorySettings.PURGATORY_MAX_ANNOUNCEMENTS),
                number(PurgatorySettings.PURGATORY_MAX_PER_OWNER),
                settings.require(PurgatorySettings.PURGATORY_MAX_STATES),
                number(PurgatorySettings.PURGATORY_MAX_STATES_PER_AUTHOR),
                settings.require(PurgatorySettings.PURGATORY_MAX_PRS),
                number(PurgatorySettings.PURGATORY_MAX_PRS_PER_AUTHOR),
                heapBytes / 8 / BYTES_PER_NAME);
    }

    /// How much may be pushed that nobody has signed.
    UploadLimits uploads() {
        long pushBytes = settings.require(ServiceSettings.MAX_UNMATCHED_PUSH_BYTES);
        return new UploadLimits(
                settings.require(ServiceSettings.MAX_UNSIGNED_BYTES_PER_IP),
                settings.require(ServiceSettings.MAX_UNSIGNED_BYTES),
                pushBytes == 0 ? Long.MAX_VALUE : pushBytes,
                settings.require(PurgatorySettings.PURGATORY_MAX_PLACEHOLDERS),
                settings.require(PurgatorySettings.PURGATORY_MAX_PLACEHOLDERS_PER_REPO),
                settings.require(PurgatorySettings.PURGATORY_MAX_PLACEHOLDERS_PER_IP),
                settings.require(PurgatorySettings.PURGATORY_EXPIRY_SECS));
    }

    private int number(Setting<Long> setting) {
        return (int) Math.min(settings.require(setting), Integer.MAX_VALUE);
    }

    private Lists lists() {
        var archive = new Lists.Archive(
                settings.require(ServiceSettings.ARCHIVE_ALL),
                RepositoryList.of(settings.require(ServiceSettings.ARCHIVE_WHITELIST)),
                settings.require(ServiceSettings.ARCHIVE_GRASP_SERVICES));
        boolean archives = archive.everything()
                || !archive.whitelist().isEmpty()
                || !archive.services().isEmpty();
        return new Lists(
                Set.copyOf(settings.require(ServiceSettings.EVENT_BLACKLIST)),
                RepositoryList.of(settings.require(ServiceSettings.REPOSITORY_BLACKLIST)),
                RepositoryList.of(settings.require(ServiceSettings.REPOSITORY_WHITELIST)),
                archive,
                settings.find(ServiceSettings.ARCHIVE_READ_ONLY).orElse(archives));
    }

    /// Whether nobody may push here.
    boolean isReadOnly() {
        return lists().isReadOnly();
    }

    Custody.Wishes wishes() {
        var lists = lists();
        var own = OwnAddresses.of(service, settings.require(PurgatorySettings.OWN_DOMAINS));
        var shape = UrlShape.git(settings.require(PurgatorySettings.HUNT_SCHEMES));
        return new Custody.Wishes() {
            @Override
            public boolean isMuted(PublicKey author) {
                return lists.authors().contains(author) && !author.equals(operator);
            }

            @Override
            public boolean isBlacklisted(RepositoryAddress repository) {
                return isMuted(repository.owner())
                        || lists.blacklist().find(repository).isPresent();
            }

            @Override
            public boolean isWhitelisted(RepositoryAddress repository) {
                return lists.isAllowed(repository);
            }

            @Override
            public boolean isAllowed(Announcement announcement) {
                return lists.isAllowed(announcement.address()) || lists.archives(announcement);
            }

            @Override
            public boolean isOwn(String cloneUrl) {
                return RemoteUrl.parse(cloneUrl, shape) instanceof Judged.Passed<RemoteUrl>(var url) && own.covers(url);
            }

            @Override
            public boolean isHosted(Announcement announcement) {
                return !isBlacklisted(announcement.address())
                        && (lists.archives(announcement)
                                || (!lists.isReadOnly()
                                        && lists.isAllowed(announcement.address())
                                        && ListsService.judge(announcement, service)));
            }
        };
    }

    /// Tells the operator what is unusual.
    void warn() {
        if (model() == MaintainerModel.RECURSIVE) {
            LOG.warn("maintainers.recursive everybody who is listed may sign states, so refs may differ from those of"
                    + " other servers");
        }
        if (settings.require(ServiceSettings.ARCHIVE_ALL)) {
            LOG.warn("every repository that anybody announces is kept: strangers can fill this disk");
        }
    }

    /// Nobody for those who have no limits of their own.
    String countedAs(InetAddress client) {
        var address = new ClientAddress(client);
        return AddressLimits.from(settings).isExempt(address)
                ? ""
                : address.counted().toString();
    }
}
