/// The log: one line for each event on standard error, at levels that the operator chooses and can change while
/// the server runs.
///
/// Start at [Logging]. [LogLine] is what a line looks like; strangers' text cannot begin a line of its own in
/// it. Everybody else logs through SLF4J: a fixed phrase and key=value. Not here: signals, files, rotation.
@NullMarked
package dev.grapnel.log;

import org.jspecify.annotations.NullMarked;
