package dev.grapnel.nostr.repository;

import dev.grapnel.nostr.Samples;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.key.SecretKey;
import dev.grapnel.nostr.nip19.Npub;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// People called A, B, C and so on, the same in every run, and what they sign.
final class People {
    static final Identifier X = new Identifier("x");

    private static final String HEX = "0123456789abcdef";

    private People() {}

    static SecretKey secretOf(String name) {
        return Samples.key(name.charAt(0));
    }

    static PublicKey keyOf(String name) {
        return secretOf(name).publicKey();
    }

    static String npubOf(String name) {
        return new Npub(keyOf(name)).text();
    }

    /// Announcements written as in service A.2, `A: M A, m B!; B -> A, C`, with `?` for somebody who has no
    /// key.
    static List<Announcement> announcements(String text) {
        return Arrays.stream(text.split(";", -1))
                .map(part -> announcement(part.strip()))
                .toList();
    }

    static Announcement announcement(String text) {
        return announcement("x", 10, text);
    }

    static Announcement announcement(String identifier, long createdAt, String text) {
        var tags = new ArrayList<List<String>>();
        tags.add(List.of("d", identifier));
        var parts = text.split(": | -> ", 2);
        if (text.contains(" -> ")) {
            tags.add(maintainers(parts[1]));
        } else if (parts.length > 1) {
            Arrays.stream(parts[1].split(", ", -1)).map(People::role).forEach(tags::add);
        }
        return Announcement.parse(sign(parts[0], Kinds.ANNOUNCEMENT, createdAt, tags))
                .require();
    }

    private static List<String> maintainers(String names) {
        var tag = new ArrayList<>(List.of("maintainers"));
        Arrays.stream(names.split(", ", -1)).map(name -> keyOf(name).toHex()).forEach(tag::add);
        return tag;
    }

    private static List<String> role(String text) {
        var parts = text.split(" ", -1);
        if (parts[0].equals("maintainers")) {
            return maintainers(parts[1]);
        }
        var name = parts[1].substring(0, 1);
        var tag = new ArrayList<>(
                List.of(parts[0], name.equals("?") ? "nobody" : keyOf(name).toHex()));
        if (parts[1].endsWith("!")) {
            tag.addAll(List.of("100", "200"));
        } else if (parts[1].endsWith("!defer")) {
            tag.addAll(List.of("100", "defer"));
        }
        return tag;
    }

    @SafeVarargs
    static List<List<String>> tags(List<String>... tags) {
        var all = new ArrayList<List<String>>();
        for (var tag : tags) {
            all.add(tag);
        }
        return all;
    }

    static Event sign(String name, int kind, long createdAt, List<List<String>> tags) {
        return Samples.event(secretOf(name), createdAt, kind, tags, "");
    }

    /// A state whose id begins with this digit.
    static RepositoryState state(String name, long createdAt, char firstDigit, List<List<String>> refs) {
        for (int nonce = 0; ; nonce++) {
            var tags = new ArrayList<>(refs);
            tags.add(List.of("d", "x"));
            tags.add(List.of("nonce", Integer.toString(nonce)));
            var event = sign(name, Kinds.STATE, createdAt, tags);
            if (HEX.indexOf(firstDigit) == event.id().a() >>> 60) {
                return RepositoryState.parse(event).require();
            }
        }
    }
}
