package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.url.Host;
import java.util.Optional;

/// A visit that came to nothing.
public final class VisitFailed extends Exception {
    private static final long serialVersionUID = 1;

    private final transient Failure failure;
    private final transient Host domain;
    private final transient Optional<String> reason;

    /// @param domain whose failure it is: the URL's, or that of a redirect's target
    public VisitFailed(Failure failure, Host domain) {
        this(failure, domain, Optional.empty());
    }

    public VisitFailed(Failure failure, Host domain, Throwable cause) {
        this(failure, domain);
        initCause(cause);
    }

    /// @param reason what happened, in our own words
    public VisitFailed(Failure failure, Host domain, String reason, Throwable cause) {
        this(failure, domain, Optional.of(reason));
        initCause(cause);
    }

    private VisitFailed(Failure failure, Host domain, Optional<String> reason) {
        super(domain + ": " + failure.label());
        this.failure = failure;
        this.domain = domain;
        this.reason = reason;
    }

    public Failure failure() {
        return failure;
    }

    public Host domain() {
        return domain;
    }

    /// For people; nothing is decided by it.
    public Optional<String> reason() {
        return reason;
    }
}
