/// What an operator looks at: whether the service is ready, and its figures (service 2.2, 11).
///
/// Start at [Metrics], which counts and writes the text that Prometheus reads, and [Readiness]. Parts hand in
/// what they can tell as a supplier; nothing here asks a part for more than a number.
///
/// Not here: HTTP. Who may read what is decided in `server.web`.
@NullMarked
package dev.grapnel.server.ops;

import org.jspecify.annotations.NullMarked;
