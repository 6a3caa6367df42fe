package dev.grapnel.nostr.event;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// A handful of digests to be used again: making one costs more memory than reading a small event otherwise takes.
///
/// A thread looks into one slot only, chosen by its number, and makes a new digest if that is empty, so nobody waits
/// and
/// no more than [#SLOTS] are kept, however many threads there are. (One for each thread would be one for each
/// connection.)
final class Sha256Pool {
    private static final int SLOTS = 16;

    private final AtomicReferenceArray<@Nullable MessageDigest> slots = new AtomicReferenceArray<>(SLOTS);

    /// A digest that has not been fed.
    MessageDigest take() {
        var digest = slots.getAndSet(slot(), null);
        return digest == null ? make() : digest;
    }

    /// Takes back a digest whose outcome was read, which leaves it as new.
    void giveBack(MessageDigest digest) {
        slots.setRelease(slot(), digest);
    }

    private static int slot() {
        return (int) Thread.currentThread().threadId() & (SLOTS - 1);
    }

    private static MessageDigest make() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
