package dev.grapnel.outbound.http;

import dev.grapnel.outbound.RemoteUrl;

/// Whether a server that another one named may be asked now (P-805): its domain has limits of its own, and is
/// charged for the visit.
@FunctionalInterface
public interface RedirectGuard {
    /// Takes what a visit of the target needs; `false` if nothing is free there, and the request ends as busy.
    boolean permits(RemoteUrl target);
}
