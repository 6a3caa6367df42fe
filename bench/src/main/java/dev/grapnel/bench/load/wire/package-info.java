/// WebSocket as cheap as it can be made, so that what is measured is the relay: a few selector threads, one
/// large buffer each, messages handed over where they lie in it.
///
/// Start at [Loop]. [Connection] is one socket, [Peer] what is done with its messages; [FrameReader] and
/// [Outbox] are the two halves of the frame codec. Everything of a connection happens on its loop's thread: no
/// locks. Not here: what the messages say, `wss`, and compressing what is sent.
@NullMarked
package dev.grapnel.bench.load.wire;

import org.jspecify.annotations.NullMarked;
