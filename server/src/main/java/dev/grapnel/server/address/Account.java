package dev.grapnel.server.address;

import java.util.function.LongSupplier;

/// What the book knows about an address. Connections and newcomers are the book's to change, under its lock.
final class Account {
    /// Under which an account is kept. An exempt address may be one of a /64 whose others are not, so the two
    /// are apart.
    record Key(ClientAddress counted, boolean isExempt) {}

    final Key key;
    final Bucket newcomers;
    final Allowance events;
    final Allowance queries;
    int connections;

    Account(Key key, AddressLimits limits, LongSupplier nanoTime, long origin) {
        this.key = key;
        this.newcomers = new Bucket(limits.newConnections(), nanoTime.getAsLong());
        this.events =
                key.isExempt() ? new Allowance.Unlimited() : new Allowance.Limited(limits.events(), nanoTime, origin);
        this.queries =
                key.isExempt() ? new Allowance.Unlimited() : new Allowance.Limited(limits.queries(), nanoTime, origin);
    }

    /// Whether a new account would be the same, so that this one can be forgotten.
    boolean isRested(long now) {
        return key.isExempt() || (newcomers.isFull(now) && events.isRested() && queries.isRested());
    }
}
