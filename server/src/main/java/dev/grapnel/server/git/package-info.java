/// Git over HTTP: the endpoints of service 2.5, each request on a thread of its own, as many at work as
/// there are places.
///
/// Start at [GitEndpoints]. [GitAsk] decides what a request is, [Body] reads what strangers send within its
/// limits, [Places] says who may work, [Showcase] remembers what is shown of each repository until its refs
/// change.
///
/// Packing is never done on virtual threads: it would keep all others waiting. Whoever waits for its client
/// gives its place back meanwhile.
@NullMarked
package dev.grapnel.server.git;

import org.jspecify.annotations.NullMarked;
