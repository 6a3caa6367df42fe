/// Small rules of single NIPs, as pure functions of an event and the time: what a deletion names (09), proof
/// of work (13), expiry (40), requests to vanish (62), protected events (70), and which dates are taken.
///
/// Start at [EventRules], which asks those that every incoming event must pass. Not here: what is stored,
/// banned or already deleted; nobody here knows other events.
@NullMarked
package dev.grapnel.nostr.rule;

import org.jspecify.annotations.NullMarked;
