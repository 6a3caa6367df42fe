package dev.grapnel.git.fetch;

import dev.grapnel.git.fetch.FetchRequest.Capability;
import dev.grapnel.git.fetch.FetchRequest.Depth;
import dev.grapnel.git.wire.BrokenPacket;
import dev.grapnel.git.wire.PacketReader;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.repository.Oid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.eclipse.jgit.errors.PackProtocolException;
import org.eclipse.jgit.transport.FilterSpec;

/// Gathers the lines of a request, which mean the same in both versions of the protocol. How many there can
/// be is bounded by the size of a request.
final class RequestLines {
    private static final int NAMES_MAX = 1000;

    private final Set<Oid> wants = new LinkedHashSet<>();
    private final List<Oid> haves = new ArrayList<>();
    private final Set<Oid> shallow = new HashSet<>();
    private final List<String> not = new ArrayList<>();
    private final EnumSet<Capability> capabilities = EnumSet.noneOf(Capability.class);
    private FilterSpec filter = FilterSpec.NO_FILTER;
    private int depth;
    private long since;
    private boolean done;

    /// Takes a line; whether it is one that both versions know.
    ///
    /// @throws BrokenPacket if it is one, but with something that cannot stand there
    boolean take(String line) throws BrokenPacket {
        int space = line.indexOf(' ');
        var word = space < 0 ? line : line.substring(0, space);
        var rest = space < 0 ? "" : line.substring(space + 1);
        switch (word) {
            case "want" -> wants.add(id(rest));
            case "have" -> haves.add(id(rest));
            case "shallow" -> shallow.add(id(rest));
            case "deepen" -> depth = (int) number(line, rest, Integer.MAX_VALUE);
            case "deepen-since" -> since = number(line, rest, Long.MAX_VALUE);
            case "deepen-not" -> addName(rest);
            case "filter" -> filter = filter(rest);
            case "done" -> done = true;
            default -> {
                return false;
            }
        }
        return true;
    }

    private static Oid id(String hex) throws BrokenPacket {
        return switch (Oid.parse(hex)) {
            case Parsed.Valid<Oid>(var id) -> id;
            case Parsed.Invalid<Oid> _ -> throw new BrokenPacket("an object is named by 40 hex digits");
        };
    }

    private void addName(String latin) throws BrokenPacket {
        if (not.size() == NAMES_MAX) {
            throw new BrokenPacket("more than " + NAMES_MAX + " lines of one kind");
        }
        not.add(PacketReader.utf8(latin));
    }

    private static long number(String line, String digits, long most) throws BrokenPacket {
        boolean good =
                !digits.isEmpty() && digits.length() < 19 && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        if (!good) {
            throw new BrokenPacket("no number in: " + line);
        }
        long number = Long.parseLong(digits);
        if (number == 0) {
            throw new BrokenPacket("invalid depth in: " + line);
        }
        return Math.min(number, most);
    }

    private static FilterSpec filter(String text) throws BrokenPacket {
        try {
            return FilterSpec.fromFilterLine(text);
        } catch (PackProtocolException | NumberFormatException e) {
            throw new BrokenPacket("no filter is written like this: " + text);
        }
    }

    /// A capability; those nobody here knows change nothing.
    void capability(String word) {
        Arrays.stream(Capability.values())
                .filter(known -> known.word().equals(word))
                .forEach(capabilities::add);
    }

    FetchRequest request() {
        return new FetchRequest(wants, haves, done, capabilities, new Depth(shallow, depth, since, not), filter);
    }

    boolean isDone() {
        return done;
    }
}
