package dev.grapnel.git.client;

import dev.grapnel.git.repository.NoRoom;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/// Why a visit came to nothing. Told apart by what happened, never by what somebody wrote (purgatory
/// P-670).
public sealed interface Fault {
    /// The server answered with another status than 200.
    ///
    /// @param retryAfter when it wants to be asked again, if it says so in a way that can be read
    record Status(int status, Optional<Duration> retryAfter) implements Fault {}

    /// It is no server that can be fetched from here: it does not speak smart HTTP, names objects in
    /// another way, or has only a part of the history.
    record Unsuitable(String reason) implements Fault {}

    /// What it said is not what the protocol has there, it broke off, or its pack is not whole.
    record Malformed(String reason) implements Fault {}

    /// It sent more than it may, or something that harms: limits, unsound objects, wrong ids.
    record Hostile(String reason) implements Fault {}

    /// It says that it failed.
    ///
    /// @param words a stranger's: for nobody who decides, and for no log above DEBUG
    record Complaint(String words) implements Fault {}

    /// No connection, or one that broke.
    ///
    /// @param cause as the transport gave it
    record Disconnected(IOException cause) implements Fault {}

    /// There is no room left for what it would send.
    ///
    /// @param where in which areas; empty if the disk is full
    record Full(Optional<NoRoom.Where> where) implements Fault {}
}
