package dev.grapnel.outbound;

import java.util.Optional;
import java.util.function.Function;

/// What came of checking something that strangers published.
public sealed interface Judged<T> {
    /// It may be used.
    record Passed<T>(T value) implements Judged<T> {}

    /// It may not, and nothing is repaired.
    ///
    /// @param reason a phrase of our own, which holds no text of strangers
    record Refused<T>(Rule rule, String reason) implements Judged<T> {}

    /// Something that may be used.
    static <T> Judged<T> passed(T value) {
        return new Passed<>(value);
    }

    /// Something that may not.
    static <T> Judged<T> refused(Rule rule, String reason) {
        return new Refused<>(rule, reason);
    }

    /// The value, if it may be used.
    default Optional<T> find() {
        return switch (this) {
            case Passed<T>(var value) -> Optional.of(value);
            case Refused<T> _ -> Optional.empty();
        };
    }

    /// The value of what is known to be good; anything else is a mistake of the caller.
    ///
    /// @throws IllegalArgumentException with the reason
    default T require() {
        return switch (this) {
            case Passed<T>(var value) -> value;
            case Refused<T>(var rule, var reason) -> throw new IllegalArgumentException(rule.word() + ": " + reason);
        };
    }

    /// Goes on with the value.
    default <U> Judged<U> then(Function<? super T, Judged<U>> next) {
        return switch (this) {
            case Passed<T>(var value) -> next.apply(value);
            case Refused<T>(var rule, var reason) -> refused(rule, reason);
        };
    }
}
