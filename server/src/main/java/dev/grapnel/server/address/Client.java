package dev.grapnel.server.address;

import java.util.concurrent.atomic.AtomicBoolean;

/// One admitted connection. What it may do it shares with all others of its address.
public final class Client implements AutoCloseable {
    private final AddressBook book;
    private final ClientAddress address;
    private final Account account;
    private final AtomicBoolean isOpen = new AtomicBoolean(true);

    Client(AddressBook book, ClientAddress address, Account account) {
        this.book = book;
        this.address = address;
        this.account = account;
    }

    /// Whose connection it is.
    public ClientAddress address() {
        return address;
    }

    /// Whether its next EVENT may be looked at; counts it.
    public boolean mayPublish() {
        return account.events.take();
    }

    /// Whether its next REQ, COUNT or NEG-OPEN may be looked at; counts it.
    public boolean mayQuery() {
        return account.queries.take();
    }

    /// Whether its address does not stop. Ask after a refusal only: then the quiet neighbours of a flooder
    /// stay.
    public boolean isAbusive() {
        return account.events.isAbused() || account.queries.isAbused();
    }

    /// Gives its place back; once.
    @Override
    public void close() {
        if (isOpen.compareAndSet(true, false)) {
            book.leave(account);
        }
    }
}
