/// Measures any Nostr relay from outside, by its `ws` URL: several relays with the same client in the same run.
///
/// Start at [LoadTool], which knows the commands. A [Scenario] is run against a [Target] once a round; its
/// [Outcome] is figures and [Surprises], and [Comparison] sets rounds of several targets beside each other.
/// [Crew] is a scenario's share of one thread. Messages of relays are looked at by [AnswerScan], not parsed.
/// Nothing here knows what kind of relay it talks to; [EchoRelay] is one that does nothing, to find the limit
/// of the tool itself.
@NullMarked
package dev.grapnel.bench.load;

import org.jspecify.annotations.NullMarked;
