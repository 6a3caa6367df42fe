package dev.grapnel.git.client;

import dev.grapnel.git.wire.BrokenPacket;
import dev.grapnel.git.wire.PacketReader;
import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Gathers what is kept of an advertisement, while its lines pass by.
final class RefListing {
    private static final String PEELED = "^{}";
    private static final String PEELED_ATTRIBUTE = "peeled:";

    private final IdSet ids = new IdSet();
    private final Map<String, RefName> interesting = new HashMap<>();
    private final Map<RefName, Oid> named = new HashMap<>();
    private final MessageDigest digest;

    /// @param names that somebody asks about
    RefListing(Collection<RefName> names) {
        names.forEach(name -> interesting.put(name.text(), name));
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /// A line of version 0, without what the server can do.
    void takeVersion0(String line) throws BrokenPacket {
        var id = id(line);
        var name = line.substring(Oid.DIGITS + 1);
        if (id.isZero()) {
            return; // stands there only because something must
        }
        add(id, name);
        if (!name.endsWith(PEELED)) {
            name(id, name);
        }
    }

    /// A line of version 2.
    void takeVersion2(String line) throws BrokenPacket {
        if (line.startsWith("unborn ")) {
            return;
        }
        var id = id(line);
        int end = line.indexOf(' ', Oid.DIGITS + 1);
        var name = line.substring(Oid.DIGITS + 1, end < 0 ? line.length() : end);
        add(id, name);
        name(id, name);
        for (int at = end; at >= 0; at = line.indexOf(' ', at + 1)) {
            if (line.startsWith(PEELED_ATTRIBUTE, at + 1)) {
                add(id(line.substring(at + 1 + PEELED_ATTRIBUTE.length()) + " "), name + PEELED);
            }
        }
    }

    private static Oid id(String line) throws BrokenPacket {
        var id = line.length() > Oid.DIGITS && line.charAt(Oid.DIGITS) == ' '
                ? Oid.parse(line.substring(0, Oid.DIGITS)).find()
                : Optional.<Oid>empty();
        return id.orElseThrow(() -> new BrokenPacket("a line about a ref does not begin with an object id"));
    }

    private void add(Oid id, String name) {
        ids.add(id);
        digest.update((id + " " + name + "\n").getBytes(StandardCharsets.ISO_8859_1));
    }

    private void name(Oid id, String latin) {
        var name = interesting.get(PacketReader.utf8(latin));
        if (name != null) {
            named.put(name, id);
        }
    }

    Advertisement finish(Advertisement.Rest rest) {
        ids.finish();
        return new Advertisement(ids, named, Bytes.wrap(digest.digest()), rest);
    }
}
