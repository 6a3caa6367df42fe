/// The operator's commands: what they are called, which options they have, what they print.
///
/// Start at [Commands], which lists them. What they do is in `store.tool` and `git.maintenance`; here are
/// words, exit codes and progress. Every failure that is foreseen is one sentence behind `grapnel: `. Not
/// here: the server.
@NullMarked
package dev.grapnel.command;

import org.jspecify.annotations.NullMarked;
