package dev.grapnel.nostr;

import java.util.Optional;
import java.util.function.Function;

/// Outcome of reading something a stranger wrote: the value, or why it is none. Bad input is foreseen, so it
/// is a case and not an exception.
public sealed interface Parsed<T> {
    /// It was well-formed.
    record Valid<T>(T value) implements Parsed<T> {}

    /// It was not; the reason is a phrase without prefix and without final stop, fit to be shown to its author.
    record Invalid<T>(String reason) implements Parsed<T> {}

    /// A value.
    static <T> Parsed<T> valid(T value) {
        return new Valid<>(value);
    }

    /// A reason.
    static <T> Parsed<T> invalid(String reason) {
        return new Invalid<>(reason);
    }

    /// The value, if there is one.
    default Optional<T> find() {
        return switch (this) {
            case Valid<T>(var value) -> Optional.of(value);
            case Invalid<T> _ -> Optional.empty();
        };
    }

    /// The value of text that is known to be good; anything else is a mistake of the caller.
    ///
    /// @throws IllegalArgumentException with the reason
    default T require() {
        return switch (this) {
            case Valid<T>(var value) -> value;
            case Invalid<T>(var reason) -> throw new IllegalArgumentException(reason);
        };
    }

    /// Goes on with the value.
    default <U> Parsed<U> then(Function<? super T, Parsed<U>> next) {
        return switch (this) {
            case Valid<T>(var value) -> next.apply(value);
            case Invalid<T>(var reason) -> invalid(reason);
        };
    }

    /// Turns the value into another.
    default <U> Parsed<U> map(Function<? super T, ? extends U> change) {
        return switch (this) {
            case Valid<T>(var value) -> valid(change.apply(value));
            case Invalid<T>(var reason) -> invalid(reason);
        };
    }
}
