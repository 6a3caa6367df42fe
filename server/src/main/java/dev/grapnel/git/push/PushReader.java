package dev.grapnel.git.push;

import dev.grapnel.git.wire.BrokenPacket;
import dev.grapnel.git.wire.Packet;
import dev.grapnel.git.wire.PacketReader;
import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads what stands before the pack, and not a byte of the pack (service 6.1).
final class PushReader {
    private static final int OPTIONS_MAX = 100;
    private static final int SHALLOW_MAX = 10_000;
    private static final int IDS = 2 * Oid.DIGITS + 2;

    private final PacketReader packets;
    private final int commandsMax;
    private final List<PushCommand> commands = new ArrayList<>();
    private final List<String> options = new ArrayList<>();
    private Set<String> capabilities = Set.of();
    private int shallow;

    /// @param commandsMax one more is still read, so that the push can be refused with a reason
    PushReader(InputStream in, int commandsMax) {
        this.packets = new PacketReader(in);
        this.commandsMax = commandsMax;
    }

    /// @throws BrokenPacket if this is no push
    PushRequest read() throws IOException {
        boolean first = true;
        for (var line = nextLine(); line != null; line = nextLine()) {
            if (line.startsWith("shallow ")) {
                readShallow(line);
            } else {
                readCommand(first ? takeCapabilities(line) : line);
                first = false;
            }
        }
        if (capabilities.contains("push-options")) {
            readOptions();
        }
        return new PushRequest(commands, capabilities, options, shallow > 0);
    }

    private @Nullable String nextLine() throws IOException {
        return switch (packets.next()) {
            case Packet.Line line -> line.latin();
            case Packet.Flush _ -> null;
            case Packet.End _ -> endOfBody();
            case Packet.Delimiter _, Packet.ResponseEnd _ -> throw new BrokenPacket("no packet of a push");
        };
    }

    /// A body may be empty; one that ends within the commands is broken.
    private @Nullable String endOfBody() throws BrokenPacket {
        if (commands.isEmpty() && shallow == 0) {
            return null;
        }
        throw new BrokenPacket("the request ends within its commands");
    }

    private void readShallow(String line) throws BrokenPacket {
        shallow++;
        if (shallow > SHALLOW_MAX || line.length() != "shallow ".length() + Oid.DIGITS) {
            throw new BrokenPacket("no shallow line of a push");
        }
    }

    private String takeCapabilities(String line) {
        int nul = line.indexOf('\0');
        if (nul < 0) {
            return line;
        }
        capabilities = new HashSet<>(List.of(line.substring(nul + 1).trim().split(" +", -1)));
        return line.substring(0, nul);
    }

    private void readCommand(String line) throws BrokenPacket {
        boolean shaped = line.length() > IDS && line.charAt(Oid.DIGITS) == ' ' && line.charAt(IDS - 1) == ' ';
        if (!shaped) {
            throw new BrokenPacket("no command of a push");
        }
        var name = name(line);
        var command = new PushCommand(
                PacketReader.utf8(name),
                Bytes.wrap(name.getBytes(StandardCharsets.ISO_8859_1)),
                id(line.substring(0, Oid.DIGITS)),
                id(line.substring(Oid.DIGITS + 1, IDS - 1)));
        if (commands.size() <= commandsMax) {
            commands.add(command);
        }
    }

    /// It ends with the line.
    private static String name(String line) {
        int end = line.indexOf('\n');
        return end < 0 ? line.substring(IDS) : line.substring(IDS, Math.max(IDS, end));
    }

    private static Oid id(String hex) throws BrokenPacket {
        return switch (Oid.parse(hex)) {
            case Parsed.Valid<Oid>(var id) -> id;
            case Parsed.Invalid<Oid> _ -> throw new BrokenPacket("an object is named by 40 hex digits");
        };
    }

    private void readOptions() throws IOException {
        for (var packet = packets.next(); !(packet instanceof Packet.Flush); packet = packets.next()) {
            if (!(packet instanceof Packet.Line line)) {
                throw new BrokenPacket("the request ends within its options");
            }
            if (options.size() < OPTIONS_MAX) { // nobody here knows any, so the rest is missed by nobody
                options.add(line.latin());
            }
        }
    }
}
