package dev.grapnel.git.fetch;

import dev.grapnel.git.fetch.FetchRequest.Capability;
import dev.grapnel.git.refs.RefValue;
import dev.grapnel.git.refs.Refs;
import dev.grapnel.git.wire.PacketWriter;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Collection;
import java.util.function.Predicate;

/// Says what there is to fetch.
public final class Advertisement {
    private static final String HEAD = "HEAD";

    private final String agent;

    /// @param agent name and version of this server
    public Advertisement(String agent) {
        this.agent = agent;
    }

    /// The beginning of every answer to `info/refs`.
    public static void service(String name, OutputStream out) throws IOException {
        var packets = new PacketWriter(out);
        packets.line("# service=" + name + "\n");
        packets.flush();
    }

    /// Version 0: all refs, what we can do behind the first of them.
    public void refs(Refs refs, OutputStream out) throws IOException {
        var packets = new PacketWriter(out);
        var behindFirst = "\0" + capabilities(refs);
        var head = refs.find(refs.head());
        if (head.isPresent()) {
            packets.line(head.get().target() + " " + HEAD + behindFirst + "\n");
            behindFirst = "";
        }
        for (var entry : refs.values().entrySet()) {
            var name = entry.getKey().text();
            packets.line(entry.getValue().target() + " " + name + behindFirst + "\n");
            behindFirst = "";
            var peeled = entry.getValue().peeled();
            if (peeled.isPresent()) {
                packets.line(peeled.get() + " " + name + "^{}\n");
            }
        }
        if (!behindFirst.isEmpty()) {
            packets.line(Oid.ZERO + " capabilities^{}" + behindFirst + "\n");
        }
        packets.flush();
    }

    private String capabilities(Refs refs) {
        var words = new StringBuilder(
                "allow-tip-sha1-in-want allow-reachable-sha1-in-want shallow deepen-since" + " deepen-not filter");
        for (var capability : Capability.values()) {
            if (capability != Capability.WAIT_FOR_DONE) { // a word of version 2
                words.append(' ').append(capability.word());
            }
        }
        if (refs.find(refs.head()).isPresent()) {
            words.append(" symref=HEAD:").append(refs.head().text());
        }
        return words.append(" object-format=sha1 agent=").append(agent).toString();
    }

    /// Version 2: what we can do; refs are asked for.
    public void commands(OutputStream out) throws IOException {
        var packets = new PacketWriter(out);
        packets.line("version 2\n");
        packets.line("agent=" + agent + "\n");
        packets.line("ls-refs=unborn\n");
        packets.line("fetch=shallow wait-for-done filter\n");
        packets.line("server-option\n");
        packets.line("object-format=sha1\n");
        packets.flush();
    }

    /// Version 2: the answer to `ls-refs`.
    public static void list(Offer offer, LsRefs request, OutputStream out) throws IOException {
        var packets = new PacketWriter(out);
        var refs = offer.refs();
        if (request.wants(HEAD)) {
            head(offer, request, packets);
        }
        for (var entry : refs.values().entrySet()) {
            if (request.wants(entry.getKey().text())) {
                packets.line(line(entry.getKey(), entry.getValue(), request));
            }
        }
        packets.flush();
    }

    private static void head(Offer offer, LsRefs request, PacketWriter packets) throws IOException {
        var refs = offer.refs();
        var symbolic = " symref-target:" + refs.head().text();
        var value = refs.find(refs.head());
        if (value.isPresent()) {
            packets.line(value.get().target() + " " + HEAD + (request.symbolic() ? symbolic : "") + "\n");
        } else if (request.unborn() && request.symbolic() && offer.headIsClaimed()) {
            packets.line("unborn " + HEAD + symbolic + "\n");
        }
    }

    private static String line(RefName name, RefValue value, LsRefs request) {
        var peeled = request.peel() ? value.peeled().map(id -> " peeled:" + id).orElse("") : "";
        return value.target() + " " + name.text() + peeled + "\n";
    }

    /// What a client wants to know about refs.
    ///
    /// @param prefixes of the names it is interested in
    public record LsRefs(boolean peel, boolean symbolic, boolean unborn, Collection<String> prefixes) {
        boolean wants(String name) {
            Predicate<String> begins = name::startsWith;
            return prefixes.stream().anyMatch(begins);
        }
    }
}
