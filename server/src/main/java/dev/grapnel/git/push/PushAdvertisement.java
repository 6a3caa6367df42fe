package dev.grapnel.git.push;

import dev.grapnel.git.refs.Refs;
import dev.grapnel.git.wire.PacketWriter;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Collection;

/// Says to what a client can push, and what it need not send.
public final class PushAdvertisement {
    private static final String CAPABILITIES = "report-status report-status-v2 delete-refs side-band-64k quiet atomic"
            + " ofs-delta push-options object-format=sha1 agent=";

    private final PacketWriter packets;
    private String behindFirst;

    private PushAdvertisement(OutputStream out, String agent) {
        this.packets = new PacketWriter(out);
        this.behindFirst = "\0" + CAPABILITIES + agent;
    }

    /// Writes all refs, then what other repositories of the same name have (service 2.6).
    ///
    /// @param agent name and version of this server
    public static void write(Refs refs, Collection<Oid> have, String agent, OutputStream out) throws IOException {
        var advertisement = new PushAdvertisement(out, agent);
        for (var entry : refs.values().entrySet()) {
            advertisement.line(entry.getValue().target(), entry.getKey().text());
        }
        for (var id : have) {
            advertisement.line(id, ".have");
        }
        advertisement.end();
    }

    private void line(Oid id, String name) throws IOException {
        packets.line(id + " " + name + behindFirst + "\n");
        behindFirst = "";
    }

    private void end() throws IOException {
        if (!behindFirst.isEmpty()) {
            line(Oid.ZERO, "capabilities^{}");
        }
        packets.flush();
    }
}
