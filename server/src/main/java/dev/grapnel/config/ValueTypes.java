package dev.grapnel.config;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.url.Scheme;
import dev.grapnel.nostr.url.ServiceAddress;
import dev.grapnel.nostr.url.WebUrl;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/// The sorts of values there are.
final class ValueTypes {
    private static final Duration CENTURY = Duration.ofDays(36_500);
    private static final Map<String, Boolean> BOOLEANS = Map.of(
            "true", true, "1", true, "yes", true, "on", true, "false", false, "0", false, "no", false, "off", false);

    static final ValueType<Boolean> BOOLEAN = new ValueType<>(
            "<bool>",
            "true or false (1/0, yes/no, on/off)",
            text -> {
                var value = BOOLEANS.get(text.toLowerCase(Locale.ROOT));
                return value == null ? Parsed.invalid("is neither true nor false") : Parsed.valid(value);
            },
            Object::toString,
            true,
            ValueType.NO_LIST);

    static final ValueType<String> TEXT = ValueType.of("<text>", "any text", Parsed::valid, text -> text);

    static final ValueType<Path> PATH = ValueType.of(
            "<path>",
            "a path",
            text -> {
                try {
                    return Parsed.valid(Path.of(text));
                } catch (InvalidPathException e) {
                    return Parsed.invalid("is not a path: " + e.getReason());
                }
            },
            Path::toString);

    static final ValueType<PublicKey> NPUB = ValueType.of(
            "<npub>",
            "npubs",
            text -> switch (Npub.parse(text)) {
                case Parsed.Valid<Npub>(var npub) -> Parsed.valid(npub.key());
                case Parsed.Invalid<Npub>(var reason) -> Parsed.invalid("is not an npub: " + reason);
            },
            key -> new Npub(key).text());

    static final ValueType<String> DOMAIN = parsed(
            "<host>",
            "a host, with its port if that is not the usual one",
            text -> ServiceAddress.parse(text, "/")
                    .map(_ -> text.endsWith("/") ? text.substring(0, text.length() - 1) : text),
            text -> text);

    static final ValueType<String> BASE_PATH = parsed(
            "<path>",
            "a path such as /git",
            text -> ServiceAddress.parse("localhost", text).map(_ -> text),
            text -> text);

    static final ValueType<String> RELAY = parsed("<url>", "URLs of relays", ValueTypes::parseRelay, text -> text);

    /// Without a scheme `wss` is meant.
    static final ValueType<String> RELAY_OR_HOST = parsed(
            "<url>",
            "the URL of a relay",
            text -> parseRelay(text.contains("://") ? text : "wss://" + text),
            text -> text);

    /// A service of others: `host[:port]`, and the path below which it lies if there is one.
    static final ValueType<ServiceAddress> SERVICE = parsed(
            "<service>",
            "hosts, each with its port and its base path if it has them, without a scheme",
            ValueTypes::parseService,
            ServiceAddress::toString);

    /// Where browsers and git are sent, without a path.
    static final ValueType<WebUrl> ORIGIN =
            parsed("<origin>", "an origin such as https://git.example.com", ValueTypes::parseOrigin, WebUrl::toString);

    static final ValueType<Scheme> WEB_SCHEME = parsed(
            "<scheme>",
            "https and http",
            text -> Scheme.parse(text)
                    .then(scheme -> scheme.isWeb()
                            ? Parsed.valid(scheme)
                            : Parsed.invalid("the scheme is neither https nor http")),
            Scheme::word);

    static final ValueType<URI> CONTACT = parsed(
            "<uri>", "a URI such as mailto:me@example.com or https://example.com", ValueTypes::parseUri, URI::toString);

    /// Characters of the URL of a relay (P-815).
    private static final int RELAY_MAX = 512;

    private ValueTypes() {}

    private static Parsed<ServiceAddress> parseService(String text) {
        if (text.contains("://")) {
            return Parsed.invalid("there is a scheme; write the host only");
        }
        int slash = text.indexOf('/');
        return slash < 0
                ? ServiceAddress.parse(text, "/")
                : ServiceAddress.parse(text.substring(0, slash), text.substring(slash));
    }

    private static Parsed<WebUrl> parseOrigin(String text) {
        return WebUrl.parse(text.endsWith("/") ? text.substring(0, text.length() - 1) : text)
                .then(url -> {
                    if (!url.scheme().isWeb()) {
                        return Parsed.invalid("the scheme is neither https nor http");
                    }
                    return url.isBare() && url.target().segments().isEmpty()
                            ? Parsed.valid(url)
                            : Parsed.invalid("there is more than scheme, host and port");
                });
    }

    private static Parsed<URI> parseUri(String text) {
        try {
            var uri = new URI(text);
            return uri.isAbsolute() ? Parsed.valid(uri) : Parsed.invalid("there is no scheme such as mailto:");
        } catch (URISyntaxException e) {
            return Parsed.invalid(e.getReason());
        }
    }

    private static Parsed<String> parseRelay(String text) {
        return WebUrl.parse(text).then(url -> {
            if (url.scheme().isWeb()) {
                return Parsed.invalid("the scheme is not ws or wss");
            }
            if (url.hasUserInfo()) {
                return Parsed.invalid("there is a user in it, but relays are asked without a name or a password");
            }
            if (text.length() > RELAY_MAX) {
                return Parsed.invalid("it has more than " + RELAY_MAX + " characters");
            }
            boolean hasControls =
                    url.target().segments().stream().flatMapToInt(String::chars).anyMatch(Character::isISOControl);
            return hasControls ? Parsed.invalid("there are escaped control characters in it") : Parsed.valid(text);
        });
    }

    /// A whole number that is at least this.
    static ValueType<Long> number(long min) {
        return number(min, Long.MAX_VALUE);
    }

    /// A whole number from one to another.
    static ValueType<Long> number(long min, long max) {
        return ValueType.of(
                "<n>",
                max == Long.MAX_VALUE ? "a whole number, at least " + min : "a whole number from " + min + " to " + max,
                text -> parseNumber(text, min, max),
                number -> Long.toString(number));
    }

    private static Parsed<Long> parseNumber(String text, long min, long max) {
        if (!text.matches("[0-9]{1,18}")) {
            return Parsed.invalid("is not a whole number");
        }
        long number = Long.parseLong(text);
        if (number < min) {
            return Parsed.invalid("is less than " + min);
        }
        return number > max ? Parsed.invalid("is more than " + max) : Parsed.valid(number);
    }

    /// A time that is written as a number, in a unit that the setting's name says.
    static ValueType<Duration> seconds(long min) {
        return duration("seconds", min, Duration::ofSeconds, Duration::toSeconds);
    }

    static ValueType<Duration> milliseconds(long min) {
        return duration("milliseconds", min, Duration::ofMillis, Duration::toMillis);
    }

    static ValueType<Duration> hours(long min) {
        return duration("hours", min, Duration::ofHours, Duration::toHours);
    }

    static ValueType<Duration> days(long min) {
        return duration("days", min, Duration::ofDays, Duration::toDays);
    }

    /// Who writes more than a century means "never", and clocks that count nanoseconds know no more than three.
    private static ValueType<Duration> duration(
            String unit, long min, LongFunction<Duration> read, ToLongFunction<Duration> write) {
        long most = write.applyAsLong(CENTURY);
        return ValueType.of(
                "<n>",
                unit + ", a whole number, at least " + min,
                text -> parseNumber(text, min, Long.MAX_VALUE).map(number -> read.apply(Math.min(number, most))),
                duration -> Long.toString(write.applyAsLong(duration)));
    }

    /// One of a closed set of words.
    static <E extends Enum<E>> ValueType<E> oneOf(Class<E> words) {
        var list =
                Arrays.stream(words.getEnumConstants()).map(ValueTypes::wordOf).collect(Collectors.joining(", "));
        return ValueType.of(
                "<word>",
                "one of " + list,
                text -> Arrays.stream(words.getEnumConstants())
                        .filter(word -> wordOf(word).equals(text.toLowerCase(Locale.ROOT)))
                        .findFirst()
                        .map(Parsed::valid)
                        .orElseGet(() -> Parsed.invalid("is none of " + list)),
                ValueTypes::wordOf);
    }

    private static String wordOf(Enum<?> word) {
        return word.name().toLowerCase(Locale.ROOT);
    }

    /// Several values, separated by commas. A malformed entry is named; it is never left out.
    static <T> ValueType<List<T>> listOf(ValueType<T> type) {
        return listOf(type, ",", "commas");
    }

    /// The same for entries that hold commas themselves.
    static <T> ValueType<List<T>> listWithSemicolons(ValueType<T> type) {
        return listOf(type, ";", "semicolons");
    }

    private static <T> ValueType<List<T>> listOf(ValueType<T> type, String separator, String word) {
        return new ValueType<>(
                type.word().replace(">", separator + "...>"),
                "a list, separated by " + word + ", of " + type.description(),
                text -> parseList(text, separator, type),
                list -> list.stream().map(type::write).collect(Collectors.joining(separator)),
                false,
                separator);
    }

    private static <T> Parsed<List<T>> parseList(String text, String separator, ValueType<T> type) {
        var values = new ArrayList<T>();
        for (var entry : text.split(separator, -1)) {
            var trimmed = entry.strip();
            if (trimmed.isEmpty()) {
                continue; // a comma at the end, or nothing at all
            }
            switch (type.parse(trimmed)) {
                case Parsed.Valid<T>(var value) -> values.add(value);
                case Parsed.Invalid<T>(var reason) -> {
                    return Parsed.invalid("has an entry, " + Secrets.hide(trimmed) + ", that " + reason);
                }
            }
        }
        return Parsed.valid(List.copyOf(values));
    }

    /// The same, each entry once.
    static <T> ValueType<List<T>> setOf(ValueType<T> type) {
        var list = listOf(type);
        return new ValueType<>(
                list.word(),
                list.description(),
                text -> list.parse(text)
                        .then(values -> new HashSet<>(values).size() == values.size()
                                ? Parsed.valid(values)
                                : Parsed.invalid("has an entry twice")),
                list.writer(),
                false,
                list.separator());
    }

    /// Reads with something that gives its own reasons.
    static <T> ValueType<T> parsed(
            String word, String description, Function<String, Parsed<T>> parser, Function<T, String> writer) {
        return ValueType.of(
                word,
                description,
                text -> switch (parser.apply(text)) {
                    case Parsed.Valid<T> valid -> valid;
                    case Parsed.Invalid<T>(var reason) -> Parsed.invalid("cannot be: " + reason);
                },
                writer);
    }
}
