package dev.grapnel.git.fetch;

import dev.grapnel.git.fetch.FetchRequest.Capability;
import dev.grapnel.git.fetch.FetchRequest.Depth;
import dev.grapnel.git.wire.BrokenPacket;
import dev.grapnel.git.wire.PacketReader;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jgit.errors.PackProtocolException;
import org.eclipse.jgit.transport.FilterSpec;
import org.jspecify.annotations.Nullable;

/// Gathers the lines of a request, which mean the same in both versions of the protocol.
///
/// A client that sends slowly, or reads its pack slowly, makes us keep what it said: so ids stand in lists, at
/// thirty-odd bytes each, and a request has at most so many of them.
final class RequestLines {
    private static final int NAMES_MAX = 1000;

    /// What a client has is a hint: who says more than this gets a larger pack than needed, no more.
    private static final int HAVES_MAX = 20_000;

    /// A checkout of a partial clone asks for all its files at once.
    private static final int WANTS_MAX = 100_000;

    private static final int SHALLOW_MAX = 20_000;
    private static final Pattern LIMIT = Pattern.compile("blob:limit=([0-9]{1,12})([kmg])");

    private final List<Oid> wants = new ArrayList<>();
    private final List<Oid> haves = new ArrayList<>();
    private final List<Oid> shallow = new ArrayList<>();
    private final List<String> not = new ArrayList<>();
    private final EnumSet<Capability> capabilities = EnumSet.noneOf(Capability.class);
    private @Nullable FilterSpec filter;
    private int depth;
    private OptionalLong since = OptionalLong.empty();
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
            case "want" -> add(id(rest), wants, WANTS_MAX, "wants");
            case "have" -> have(id(rest));
            case "shallow" -> add(id(rest), shallow, SHALLOW_MAX, "shallow commits");
            case "deepen" -> depth = depth(line, rest);
            case "deepen-since" -> since = OptionalLong.of(number(line, rest));
            case "deepen-not" -> addName(rest);
            case "filter" -> filter(rest);
            case "done" -> done = true;
            default -> {
                return false;
            }
        }
        return true;
    }

    private void add(Oid id, List<Oid> list, int most, String what) {
        if (list.size() == most) {
            refuse("more than " + most + " " + what);
        } else {
            list.add(id);
        }
    }

    /// What is said first is what counts, and nothing of it is needed any more.
    private void refuse(String reason) {
        if (refusal == null) {
            refusal = reason;
        }
        wants.clear();
        haves.clear();
        shallow.clear();
        not.clear();
    }

    private void have(Oid id) {
        if (haves.size() < HAVES_MAX) {
            haves.add(id);
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
        if (latin.length() > RefName.BYTES_MAX) {
            throw new BrokenPacket("no ref has a name of more than " + RefName.BYTES_MAX + " bytes");
        }
        not.add(PacketReader.utf8(latin));
    }

    private static long number(String line, String digits) throws BrokenPacket {
        boolean good =
                !digits.isEmpty() && digits.length() < 19 && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        if (!good) {
            throw new BrokenPacket("no number in: " + UploadPack.printable(line));
        }
        return Long.parseLong(digits);
    }

    private static int depth(String line, String digits) throws BrokenPacket {
        long depth = number(line, digits);
        if (depth == 0) {
            throw new BrokenPacket("invalid depth in: " + line);
        }
        return (int) Math.min(depth, Integer.MAX_VALUE);
    }

    private void filter(String text) {
        if (filter != null) {
            refuse("more than one filter");
            return;
        }
        var limit = LIMIT.matcher(text);
        try {
            filter = FilterSpec.fromFilterLine(limit.matches() ? "blob:limit=" + bytes(limit) : text);
        } catch (PackProtocolException | NumberFormatException e) {
            refuse("this server knows the filters blob:none, blob:limit and tree");
        }
    }

    private static long bytes(Matcher limit) {
        int shift = switch (limit.group(2)) {
            case "k" -> 10;
            case "m" -> 20;
            default -> 30;
        };
        long count = Long.parseLong(limit.group(1));
        return count > Long.MAX_VALUE >> shift ? Long.MAX_VALUE : count << shift;
    }

    /// A capability; those nobody here knows change nothing.
    void capability(String word) {
        Arrays.stream(Capability.values())
                .filter(known -> known.word().equals(word))
                .forEach(capabilities::add);
    }

    FetchRequest request() {
        return new FetchRequest(
                once(wants),
                haves,
                done,
                capabilities,
                new Depth(once(shallow), depth, since, not),
                filter == null ? FilterSpec.NO_FILTER : filter);
    }

    /// Strangers may choose ids whose hashes collide; a set that can order its members takes no harm.
    private static List<Oid> once(List<Oid> ids) {
        return List.copyOf(new LinkedHashSet<>(ids));
    }

    /// Why the request, though well-formed, cannot be fulfilled.
    Optional<String> refusal() {
        if (refusal == null && depth > 0 && (since.isPresent() || !not.isEmpty())) {
            return Optional.of("deepen and deepen-since (or deepen-not) cannot be used together");
        }
        return Optional.ofNullable(refusal);
    }

    boolean isDone() {
        return done;
    }
}
