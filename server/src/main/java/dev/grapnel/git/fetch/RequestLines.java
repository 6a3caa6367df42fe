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
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jgit.errors.PackProtocolException;
import org.eclipse.jgit.transport.FilterSpec;
import org.jspecify.annotations.Nullable;

/// Gathers the lines of a request, which mean the same in both versions of the protocol. How many there can
/// be is bounded by the size of a request.
final class RequestLines {
    private static final int NAMES_MAX = 1000;

    /// What a client has is a hint: who says more than this gets a larger pack than needed, no more.
    private static final int HAVES_MAX = 20_000;

    private static final int WANTS_MAX = 100_000;
    private static final Pattern LIMIT = Pattern.compile("blob:limit=([0-9]{1,12})([kmg])");

    private final Set<Oid> wants = new LinkedHashSet<>();
    private final List<Oid> haves = new ArrayList<>();
    private final Set<Oid> shallow = new HashSet<>();
    private final List<String> not = new ArrayList<>();
    private final EnumSet<Capability> capabilities = EnumSet.noneOf(Capability.class);
    private FilterSpec filter = FilterSpec.NO_FILTER;
    private int depth;
    private long since;
    private boolean done;
    private @Nullable String refusal;

    /// Takes a line; whether it is one that both versions know.
    ///
    /// @throws BrokenPacket if it is one, but with something that cannot stand there
    boolean take(String line) throws BrokenPacket {
        int space = line.indexOf(' ');
        var word = space < 0 ? line : line.substring(0, space);
        var rest = space < 0 ? "" : line.substring(space + 1);
        switch (word) {
            case "want" -> want(id(rest));
            case "have" -> have(id(rest));
            case "shallow" -> shallow(id(rest));
            case "deepen" -> depth = (int) number(line, rest, Integer.MAX_VALUE);
            case "deepen-since" -> since = number(line, rest, Long.MAX_VALUE);
            case "deepen-not" -> addName(rest);
            case "filter" -> filter(rest);
            case "done" -> done = true;
            default -> {
                return false;
            }
        }
        return true;
    }

    private void want(Oid id) {
        if (wants.size() == WANTS_MAX) {
            refusal = "more than " + WANTS_MAX + " wants";
        } else {
            wants.add(id);
        }
    }

    private void have(Oid id) {
        if (haves.size() < HAVES_MAX) {
            haves.add(id);
        }
    }

    private void shallow(Oid id) {
        if (shallow.size() == WANTS_MAX) {
            refusal = "more than " + WANTS_MAX + " shallow commits";
        } else {
            shallow.add(id);
        }
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

    private void filter(String text) {
        var limit = LIMIT.matcher(text);
        try {
            filter = FilterSpec.fromFilterLine(limit.matches() ? "blob:limit=" + bytes(limit) : text);
        } catch (PackProtocolException | NumberFormatException e) {
            refusal = "this server knows the filters blob:none, blob:limit and tree";
        }
    }

    private static long bytes(Matcher limit) {
        int shift = switch (limit.group(2)) {
            case "k" -> 10;
            case "m" -> 20;
            default -> 30;
        };
        return Long.parseLong(limit.group(1)) << shift;
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

    /// Why the request, though well-formed, cannot be fulfilled.
    Optional<String> refusal() {
        return Optional.ofNullable(refusal);
    }

    boolean isDone() {
        return done;
    }
}
