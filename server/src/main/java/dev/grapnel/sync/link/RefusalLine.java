package dev.grapnel.sync.link;

import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/// What a text of CLOSED, NOTICE or NEG-ERR means (R4.20): the first line that fits, before any prefix is looked at,
/// because some relays put `rate-limited:` before refusals that no waiting mends.
enum RefusalLine {
    /// 1: bytes of open subscriptions.
    OPEN_BYTES,
    /// 2: filters of one REQ.
    FILTER_COUNT,
    /// 3: events of a comparison.
    ITEMS,
    /// 4: comparisons at once.
    SESSIONS,
    /// 5: subscriptions at once.
    SUBSCRIPTIONS,
    /// 6: values of a filter.
    VALUES,
    /// 7: the limit of a filter.
    LIMIT,
    /// 8
    AUTH,
    /// 9
    RATE,
    /// 10
    POLICY,
    /// 11
    INVALID,
    /// 12
    OTHER;

    private static final Pattern BYTES = Pattern.compile("active subscriptions exceed max size (\\d+)");
    private static final int DIGITS_MAX = 18;
    private static final Pattern MANY = Pattern.compile("\\btoo many\\b|\\bmax\\b");
    private static final Pattern FILTERS = Pattern.compile("\\bfilter counts?\\b|\\bnumber of filters\\b");
    private static final Pattern FILTER_WORD = Pattern.compile("\\bfilters\\b");
    private static final Pattern SESSION_WORD = Pattern.compile("\\bnegs?\\b|\\bnegentropy\\b");
    private static final Pattern REQUEST_WORD =
            Pattern.compile("\\breqs?\\b|\\bsubscriptions?\\b|\\bsubs?\\b|\\bconcurrent\\b");
    private static final Pattern VALUE_WORD = Pattern.compile("\\btags?\\b|\\bvalues?\\b");
    private static final Pattern POLICIES = Pattern.compile(
            "\\brestricted\\b|\\bblocked\\b|\\bmuted?\\b|\\bpayments?\\b|\\bmembers?\\b|\\brequests? rejected\\b");

    /// Classifies a text.
    ///
    /// @param isComparison whether it came in a NEG-ERR
    static RefusalLine of(String message, boolean isComparison) {
        var text = message.toLowerCase(Locale.ROOT);
        boolean isMany = MANY.matcher(text).find();
        if (BYTES.matcher(text).find()) {
            return OPEN_BYTES;
        }
        if (FILTERS.matcher(text).find() || (isMany && FILTER_WORD.matcher(text).find())) {
            return FILTER_COUNT;
        }
        if (text.contains("negentropy items") || (isComparison && text.startsWith("blocked"))) {
            return ITEMS;
        }
        if (isMany && SESSION_WORD.matcher(text).find()) {
            return SESSIONS;
        }
        if (isMany && REQUEST_WORD.matcher(text).find()) {
            return SUBSCRIPTIONS;
        }
        if (text.contains("item too large")
                || (isMany && VALUE_WORD.matcher(text).find())) {
            return VALUES;
        }
        return ofRequest(text);
    }

    private static RefusalLine ofRequest(String text) {
        if (text.contains("limit")
                && !text.contains("rate")
                && containsAny(text, "positive", "invalid", "unsupported", "must")) {
            return LIMIT;
        }
        if (containsAny(text, "auth-required", "authentication required")) {
            return AUTH;
        }
        if ((text.contains("rate") && text.contains("limit"))
                || containsAny(text, "slow down", "throttl", "too many")) {
            return RATE;
        }
        if (POLICIES.matcher(text).find()) {
            return POLICY;
        }
        return containsAny(text, "invalid", "unsupported", "filter validation failed") ? INVALID : OTHER;
    }

    /// The number of line 1, the only one that is believed. One with more digits than anybody needs is just large.
    static OptionalLong bytes(String message) {
        var found = BYTES.matcher(message.toLowerCase(Locale.ROOT));
        if (!found.find()) {
            return OptionalLong.empty();
        }
        var digits = found.group(1);
        return OptionalLong.of(digits.length() > DIGITS_MAX ? Long.MAX_VALUE : Long.parseLong(digits));
    }

    /// Whether a rate refusal named queries (R3.15).
    static boolean namesQueries(String message) {
        return message.toLowerCase(Locale.ROOT).contains("quer");
    }

    /// Whether a NOTICE answers an unanswered NEG-OPEN as nobody does who understands it (R5.9).
    static boolean isBewildered(String message) {
        var text = message.toLowerCase(Locale.ROOT);
        return containsAny(
                text,
                "negentropy",
                "neg-",
                "envelope",
                "error",
                "invalid",
                "unrecognized",
                "bad msg",
                "could not parse",
                "disabled",
                "unsupported",
                "unknown");
    }

    /// As notes call it.
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Lines 1 to 7: a limit of the relay's, which waiting does not change.
    boolean isStructural() {
        return compareTo(LIMIT) <= 0;
    }

    /// Whether it would be refused again, unlike what came too fast (line 9) or met with trouble there (line 12).
    boolean isLasting() {
        return this != RATE && this != OTHER;
    }

    /// Whether it depends on what else is open, there or here, so that it may be over soon.
    boolean isAboutRoom() {
        return switch (this) {
            case OPEN_BYTES, ITEMS, SESSIONS, SUBSCRIPTIONS -> true;
            case FILTER_COUNT, VALUES, LIMIT, AUTH, RATE, POLICY, INVALID, OTHER -> false;
        };
    }

    private static boolean containsAny(String text, String... words) {
        for (var word : words) {
            if (text.contains(word)) {
                return true;
            }
        }
        return false;
    }
}
