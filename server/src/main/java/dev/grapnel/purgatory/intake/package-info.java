/// Takes pushes that signed events allow (service 6).
///
/// Start at [SignedPushes]. Whether a push may happen is decided by `purgatory.push`, what follows from it by
/// `purgatory.reconcile`; here both are brought together, under the identifier's lock.
@NullMarked
package dev.grapnel.purgatory.intake;

import org.jspecify.annotations.NullMarked;
