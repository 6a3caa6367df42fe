package dev.grapnel.nostr.repository;

import dev.grapnel.nostr.url.ServiceAddress;
import dev.grapnel.nostr.url.WebUrl;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Whether an announcement asks this service to host its repository: both as git host and as relay (service
/// 4.4.2).
public final class ListsService {
    private ListsService() {}

    /// Whether it lists the service in `clone`, by the author's own path, and in `relays`.
    public static boolean judge(Announcement announcement, ServiceAddress service) {
        return inClone(announcement, service) && inRelays(announcement, service);
    }

    private static boolean inClone(Announcement announcement, ServiceAddress service) {
        Predicate<WebUrl> ours = url -> service.isRepository(
                url, announcement.owner(), announcement.identifier().text());
        return urls(announcement.cloneUrls().stream()).anyMatch(ours);
    }

    private static boolean inRelays(Announcement announcement, ServiceAddress service) {
        return urls(announcement.relays().stream().map(ListsService::withScheme))
                .anyMatch(service::isRelay);
    }

    private static Stream<WebUrl> urls(Stream<String> texts) {
        return texts.map(WebUrl::parse).flatMap(parsed -> parsed.find().stream());
    }

    private static String withScheme(String relay) {
        return relay.contains("://") ? relay : "wss://" + relay;
    }
}
