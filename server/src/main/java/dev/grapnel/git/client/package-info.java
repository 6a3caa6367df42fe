/// Fetches objects from git servers of strangers, over smart HTTP in the protocol versions 2 and 0, into
/// the hunting area of an identifier (purgatory 6.6).
///
/// Start at [RemoteVisit]: `advertise` says what is there, each `fetch` is one request and brings one pack
/// or nothing. What comes passes the same checks as a push. No ref of theirs is taken over, and nothing
/// they say decides anything but [Refusals] about one id that was asked for. What may go wrong is one of
/// [Fault].
///
/// Not here: connections and their addresses, which are a [Transport]; whom to ask for what, and when.
/// Whether an object counts is judged by the pool. One thread makes a visit, any thread may end it.
@NullMarked
package dev.grapnel.git.client;

import org.jspecify.annotations.NullMarked;
