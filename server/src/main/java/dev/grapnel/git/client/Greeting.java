package dev.grapnel.git.client;

import dev.grapnel.git.client.Advertisement.Rest;
import dev.grapnel.git.wire.BrokenPacket;
import dev.grapnel.git.wire.Packet;
import dev.grapnel.git.wire.PacketReader;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/// What a server says first.
///
/// @param isVersion2 whether it speaks version 2, and refs are to be asked for; else they came with this
/// @param capabilities words for what it can do, without their values
/// @param isShallow whether its own history is cut off
record Greeting(boolean isVersion2, Set<String> capabilities, boolean isShallow) {
    private static final String SERVICE = "# service=";
    private static final int WORDS_MAX = 200;

    Greeting {
        capabilities = Set.copyOf(capabilities);
    }

    /// Reads it.
    ///
    /// @param refs get what comes in version 0
    static Greeting read(PacketReader packets, RefListing refs) throws IOException {
        var first = packets.next();
        if (first instanceof Packet.Line line && line.latin().startsWith(SERVICE)) {
            if (!line.latin().equals(SERVICE + "git-upload-pack") || !(packets.next() instanceof Packet.Flush)) {
                throw new BrokenPacket("the advertisement is that of another service");
            }
            first = packets.next();
        }
        if (first instanceof Packet.Line line && line.latin().equals("version 2")) {
            return readVersion2(packets);
        }
        return readVersion0(first, packets, refs);
    }

    private static Greeting readVersion2(PacketReader packets) throws IOException {
        var words = new HashSet<String>();
        for (var packet = packets.next(); !(packet instanceof Packet.Flush); packet = packets.next()) {
            take(require(packet), words);
        }
        if (!words.contains("ls-refs") || !words.contains("fetch")) {
            throw new BrokenPacket("the server speaks version 2, but cannot be fetched from");
        }
        return new Greeting(true, words, false);
    }

    private static Greeting readVersion0(Packet first, PacketReader packets, RefListing refs) throws IOException {
        var words = new HashSet<String>();
        boolean isFirst = true;
        boolean isShallow = false;
        for (var packet = first; !(packet instanceof Packet.Flush); packet = packets.next()) {
            var line = require(packet);
            int end = line.indexOf('\0');
            if (isFirst && end >= 0) {
                for (var word : line.substring(end + 1).split(" ", WORDS_MAX)) {
                    take(word, words);
                }
                line = line.substring(0, end);
                isFirst = false;
            }
            if (line.startsWith("shallow ")) {
                isShallow = true;
            } else if (!line.equals("version 1")) {
                refs.takeVersion0(line);
            }
        }
        return new Greeting(false, words, isShallow);
    }

    /// @throws Complained if the server does
    static String require(Packet packet) throws IOException {
        if (packet instanceof Packet.Line line) {
            var text = line.latin();
            if (text.startsWith("ERR ")) {
                throw new Complained(PacketReader.utf8(text.substring(4)));
            }
            return text;
        }
        throw new BrokenPacket("the answer ends within a list");
    }

    private static void take(String word, Set<String> words) throws VisitFailed, BrokenPacket {
        if (word.startsWith("object-format=") && !word.equals("object-format=sha1")) {
            throw new VisitFailed(new Fault.Unsuitable("it does not name objects by SHA-1"));
        }
        int value = word.indexOf('=');
        words.add(value < 0 ? word : word.substring(0, value));
        if (words.size() > WORDS_MAX) {
            throw new BrokenPacket("the server can do more than " + WORDS_MAX + " things");
        }
    }

    boolean can(String word) {
        return capabilities.contains(word);
    }

    /// Version 2 says nothing about it.
    Rest rest() {
        if (isVersion2) {
            return Rest.UNTOLD;
        }
        return can("allow-tip-sha1-in-want") || can("allow-reachable-sha1-in-want") ? Rest.GIVEN : Rest.WITHHELD;
    }
}
