package dev.grapnel.server.address;

import dev.grapnel.server.address.Admitted.Full;
import dev.grapnel.server.address.Admitted.TooFast;
import dev.grapnel.server.address.Admitted.TooManyHere;
import dev.grapnel.server.address.Admitted.Welcome;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/// The one place where addresses are counted (relay 6.6).
///
/// Accounts with connections are as many as connections at most. One without stays only while it has something
/// to tell, that is until it has rested, and such accounts have a bound of their own.
public final class AddressBook {
    /// Connections end when they like, so this is a guess that keeps clients from asking all the time.
    static final Duration ROOM_EXPECTED = Duration.ofSeconds(30);

    /// Rested accounts to look for at each coming and going: more than one can leave behind.
    private static final int FORGOTTEN_AT_ONCE = 16;

    private final AddressLimits limits;
    private final LongSupplier nanoTime;
    private final long origin;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Account.Key, Account> connected = new HashMap<>();

    /// Accounts without a connection, the one unused for longest first.
    private final LinkedHashMap<Account.Key, Account> idle = new LinkedHashMap<>();

    private int connections;
    private int flagged;

    /// @param nanoTime never goes back, origin and overflow as of [System#nanoTime]
    public AddressBook(AddressLimits limits, LongSupplier nanoTime) {
        this.limits = limits;
        this.nanoTime = nanoTime;
        this.origin = nanoTime.getAsLong();
    }

    /// Asks for a place. A refusal costs the address nothing.
    public Admitted connect(ClientAddress address) {
        var key = new Account.Key(address.counted(), limits.isExempt(address));
        lock.lock();
        try {
            long now = nanoTime.getAsLong();
            forgetRested(now);
            if (connections >= limits.connectionsMax()) {
                return new Full(ROOM_EXPECTED);
            }
            var account = account(key);
            return findRefusal(account, now).orElseGet(() -> welcome(address, account));
        } finally {
            lock.unlock();
        }
    }

    /// How many are here.
    public AddressFigures figures() {
        lock.lock();
        try {
            return new AddressFigures(connections, connected.size(), flagged);
        } finally {
            lock.unlock();
        }
    }

    /// Accounts without a connection.
    int remembered() {
        lock.lock();
        try {
            return idle.size();
        } finally {
            lock.unlock();
        }
    }

    void leave(Account account) {
        lock.lock();
        try {
            long now = nanoTime.getAsLong();
            connections--;
            account.connections--;
            if (account.connections == limits.flaggedAbove()) {
                flagged--;
            }
            if (account.connections == 0) {
                connected.remove(account.key);
                remember(account, now);
            }
            forgetRested(now);
        } finally {
            lock.unlock();
        }
    }

    private Account account(Account.Key key) {
        var known = connected.get(key);
        if (known == null) {
            known = idle.get(key);
        }
        return known == null ? new Account(key, limits, nanoTime, origin) : known;
    }

    private Optional<Admitted> findRefusal(Account account, long now) {
        if (account.key.isExempt()) {
            return Optional.empty();
        }
        if (account.connections >= limits.connectionsPerAddress()) {
            return Optional.of(new TooManyHere(ROOM_EXPECTED));
        }
        if (account.newcomers.take(now)) {
            return Optional.empty();
        }
        if (account.connections == 0) {
            idle.putLast(account.key, account); // it was used just now
        }
        return Optional.of(new TooFast(account.newcomers.untilNext(now)));
    }

    private Admitted welcome(ClientAddress address, Account account) {
        enter(account);
        return new Welcome(new Client(this, address, account));
    }

    private void enter(Account account) {
        idle.remove(account.key);
        connected.put(account.key, account);
        connections++;
        account.connections++;
        if (account.connections - 1 == limits.flaggedAbove()) {
            flagged++;
        }
    }

    private void remember(Account account, long now) {
        if (!account.isRested(now)) {
            idle.putLast(account.key, account);
        }
        if (idle.size() > limits.rememberedMax()) {
            idle.pollFirstEntry();
        }
    }

    private void forgetRested(long now) {
        for (int i = 0; i < FORGOTTEN_AT_ONCE; i++) {
            var first = idle.firstEntry();
            if (first == null || !first.getValue().isRested(now)) {
                return;
            }
            idle.pollFirstEntry();
        }
    }
}
