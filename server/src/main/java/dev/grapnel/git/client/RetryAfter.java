package dev.grapnel.git.client;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Pattern;

/// Reads when a server wants to be asked again (RFC 9110, 10.2.3).
public final class RetryAfter {
    private static final Pattern SECONDS = Pattern.compile("[0-9]+");

    /// More than this is for ever, which is no answer.
    private static final int DIGITS_MAX = 9;

    private static final long MOST = 999_999_999;

    private RetryAfter() {}

    /// How long to wait, if that can be read.
    public static Optional<Duration> parse(String header, Instant now) {
        var text = header.strip();
        if (SECONDS.matcher(text).matches()) {
            return Optional.of(Duration.ofSeconds(text.length() > DIGITS_MAX ? MOST : Long.parseLong(text)));
        }
        try {
            var wait = Duration.between(
                    now,
                    ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                            .toInstant());
            return Optional.of(wait.isNegative() ? Duration.ZERO : wait);
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }
}
