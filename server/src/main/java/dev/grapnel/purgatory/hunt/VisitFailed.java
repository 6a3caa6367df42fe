package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.url.Host;
import java.util.Optional;

/// A visit that came to nothing.
public final class VisitFailed extends Exception {
    private static final long serialVersionUID = 1;

    private final transient Failure failure;
    private final transient Host domain;
    private final transient Optional<Site> site;
    private final String reason;

    /// @param domain whose failure it is: the URL's, or that of a redirect's target
    public VisitFailed(Failure failure, Host domain) {
        this(failure, domain, Optional.empty(), "");
    }

    private VisitFailed(Failure failure, Host domain, Optional<Site> site, String reason) {
        super(domain + ": " + failure.label());
        this.failure = failure;
        this.domain = domain;
        this.site = site;
        this.reason = reason;
    }

    public VisitFailed(Failure failure, Host domain, Throwable cause) {
        this(failure, domain, Optional.empty(), "");
        initCause(cause);
    }

    /// @param site whose failure it is
    /// @param reason what exactly happened, for the operator: never a stranger's words
    public VisitFailed(Failure failure, Site site, String reason, Throwable cause) {
        this(failure, site.host(), Optional.of(site), reason);
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

    /// Where exactly it failed, if that is known.
    public Optional<Site> site() {
        return site;
    }
}
