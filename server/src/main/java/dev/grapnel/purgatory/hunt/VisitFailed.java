package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.url.Host;

/// A visit that came to nothing.
public final class VisitFailed extends Exception {
    private static final long serialVersionUID = 1;

    private final transient Failure failure;
    private final transient Host domain;
    private final String reason;

    /// @param domain whose failure it is: the URL's, or that of a redirect's target
    public VisitFailed(Failure failure, Host domain) {
        this(failure, domain, "");
    }

    private VisitFailed(Failure failure, Host domain, String reason) {
        super(domain + ": " + failure.label());
        this.failure = failure;
        this.domain = domain;
        this.reason = reason;
    }

    public VisitFailed(Failure failure, Host domain, Throwable cause) {
        this(failure, domain, "", cause);
    }

    /// @param reason what exactly happened, for the operator: never a stranger's words
    public VisitFailed(Failure failure, Host domain, String reason, Throwable cause) {
        this(failure, domain, reason);
        initCause(cause);
    }

    /// What exactly happened; may be empty.
    public String reason() {
        return reason;
    }

    public Failure failure() {
        return failure;
    }

    public Host domain() {
        return domain;
    }
}
