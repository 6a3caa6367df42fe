/// What the operator asks a running server, over a local socket that only the owner of the data may use.
///
/// Start at [ControlServer], which answers, and [ControlCommand], which is one thing that can be asked;
/// [ControlClient] is the other end. A request is one line of JSON, an answer any number of them. A new command is
/// a class and an entry in the list the server is opened with. Not here: words for people, which `command` has.
@NullMarked
package dev.grapnel.server.control;

import org.jspecify.annotations.NullMarked;
