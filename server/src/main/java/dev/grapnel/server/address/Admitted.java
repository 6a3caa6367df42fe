package dev.grapnel.server.address;

import java.time.Duration;

/// Whether a connection may come.
public sealed interface Admitted {
    /// It may.
    ///
    /// @param client to be closed with the connection
    record Welcome(Client client) implements Admitted {}

    /// There is no room for anybody: 503.
    record Full(Duration retryAfter) implements Admitted {}

    /// This address has all the connections it may have: 429.
    record TooManyHere(Duration retryAfter) implements Admitted {}

    /// This address connects too often: 429.
    record TooFast(Duration retryAfter) implements Admitted {}
}
