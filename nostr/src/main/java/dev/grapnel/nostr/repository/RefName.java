package dev.grapnel.nostr.repository;

import dev.grapnel.nostr.Parsed;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// The full name of a ref, by the rules of `git check-ref-format` and the limits of service 9. Ordered by
/// bytes, as git orders refs.
public record RefName(String text) implements Comparable<RefName> {
    /// Begins every branch.
    public static final String BRANCHES = "refs/heads/";

    /// Begins every tag.
    public static final String TAGS = "refs/tags/";

    /// Begins every proposal, `refs/nostr/<event id>`.
    public static final String PROPOSALS = "refs/nostr/";

    /// Most bytes of UTF-8.
    public static final int BYTES_MAX = 500;

    /// @throws IllegalArgumentException if this is no name of a ref
    public RefName {
        Views.refuse(findDefect(text));
    }

    /// Reads a full name, which has at least one slash.
    public static Parsed<RefName> parse(String text) {
        return findDefect(text).<Parsed<RefName>>map(Parsed::invalid).orElseGet(() -> Parsed.valid(new RefName(text)));
    }

    /// The branch of this short name, if it can be one.
    public static Parsed<RefName> branch(String shortName) {
        return parse(BRANCHES + shortName);
    }

    /// Whether it names a branch.
    public boolean isBranch() {
        return text.startsWith(BRANCHES);
    }

    /// Whether it names a tag.
    public boolean isTag() {
        return text.startsWith(TAGS);
    }

    /// Whether it belongs to a proposal.
    public boolean isProposal() {
        return text.startsWith(PROPOSALS);
    }

    /// Order of the UTF-8 bytes, which is that of code points.
    @Override
    public int compareTo(RefName other) {
        int length = Math.min(text.length(), other.text.length());
        for (int i = 0; i < length; i++) {
            char mine = text.charAt(i);
            char theirs = other.text.charAt(i);
            if (mine != theirs) {
                boolean bothOrNone = Character.isSurrogate(mine) == Character.isSurrogate(theirs);
                return bothOrNone ? mine - theirs : Character.isSurrogate(mine) ? 1 : -1;
            }
        }
        return text.length() - other.text.length();
    }

    @Override
    public String toString() {
        return text;
    }

    private static Optional<String> findDefect(String text) {
        if (isLong(text)) {
            return Optional.of("a ref name has at most " + BYTES_MAX + " bytes");
        }
        if (text.equals("refs/heads/HEAD")) {
            return Optional.of("a branch named HEAD would be taken for the default branch");
        }
        boolean good = text.indexOf('/') >= 0
                && isAllowed(text)
                && !text.endsWith(".")
                && !text.contains("..")
                && !text.contains("@{")
                && hasGoodComponents(text);
        return good ? Optional.empty() : Optional.of("git allows no such ref name");
    }

    /// No char takes more than three bytes, so most names need not be encoded to know.
    private static boolean isLong(String text) {
        return text.length() > BYTES_MAX
                || (text.length() > BYTES_MAX / 3 && text.getBytes(StandardCharsets.UTF_8).length > BYTES_MAX);
    }

    /// A state may have 25,000 names: a loop takes a fraction of what a stream does.
    private static boolean isAllowed(String text) {
        int c;
        for (int i = 0; i < text.length(); i += Character.charCount(c)) {
            c = text.codePointAt(i);
            if (!isAllowed(c)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isAllowed(int c) {
        boolean halfPair = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
        return c > 0x1f && c != 0x7f && !halfPair && !isForbidden(c);
    }

    private static boolean isForbidden(int c) {
        return switch (c) {
            case ' ', '~', '^', ':', '?', '*', '[', '\\' -> true;
            default -> false;
        };
    }

    private static boolean hasGoodComponents(String text) {
        int start = 0;
        while (start <= text.length()) {
            int slash = text.indexOf('/', start);
            int end = slash < 0 ? text.length() : slash;
            boolean empty = start == end;
            boolean lock = end - start >= 5 && text.startsWith(".lock", end - 5);
            if (empty || text.charAt(start) == '.' || lock) {
                return false;
            }
            start = end + 1;
        }
        return true;
    }
}
