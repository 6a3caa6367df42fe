package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.url.Host;

/// A visit that came to nothing.
public final class VisitFailed extends Exception {
    private static final long serialVersionUID = 1;

    private final transient Failure failure;
    private final transient Host domain;

    /// @param domain whose failure it is: the URL's, or that of a redirect's target
    public VisitFailed(Failure failure, Host domain) {
        super(domain + ": " + failure.label());
        this.failure = failure;
        this.domain = domain;
    }

    public VisitFailed(Failure failure, Host domain, Throwable cause) {
        this(failure, domain);
        initCause(cause);
    }

    public Failure failure() {
        return failure;
    }

    public Host domain() {
        return domain;
    }
}
