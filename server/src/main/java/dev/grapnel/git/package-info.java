/// Git repositories as the server keeps them, and what travels between them and git clients.
///
/// This package holds only the words all others share; they come in this order:
///
/// - `git.wire`: pkt-lines and side-bands;
/// - `git.pack`: a stream of strangers' bytes becomes a checked pack in quarantine, or nothing;
/// - `git.refs`: the refs of one repository, read as a whole and changed all or not at all;
/// - `git.repository`: where repositories lie, how they come, go, and lend each other objects;
/// - `git.reach`: what the advertised refs reach, because only that may be fetched or built upon;
/// - `git.fetch`, `git.push`: the two services of smart HTTP;
/// - `git.maintenance`: what keeps all of this fast.
///
/// Not here: HTTP (`server.git`), and who may push (`git.push.PushPolicy` asks).
@NullMarked
package dev.grapnel.git;

import org.jspecify.annotations.NullMarked;
