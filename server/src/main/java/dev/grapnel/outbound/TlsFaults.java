package dev.grapnel.outbound;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;

/// What an exception of an open socket means, by its type and the types of its causes.
final class TlsFaults {
    private static final int CAUSES_MAX = 16;

    private TlsFaults() {}

    static Failure classify(IOException e) {
        if (isCausedBy(e, TlsFaults::isAboutCertificate)) {
            return new Failure.CertificateInvalid();
        }
        if (!(e instanceof SSLException)
                || isCausedBy(e, cause -> cause instanceof EOFException || cause instanceof SocketException)) {
            return new Failure.Broken();
        }
        return e instanceof SSLHandshakeException ? new Failure.HandshakeRefused() : new Failure.TlsFailed();
    }

    private static boolean isAboutCertificate(Throwable cause) {
        return cause instanceof CertificateException
                || cause instanceof CertPathValidatorException
                || cause instanceof CertPathBuilderException;
    }

    private static boolean isCausedBy(Throwable e, Predicate<Throwable> wanted) {
        return Stream.iterate(Optional.of(e), Optional::isPresent, next -> next.map(Throwable::getCause))
                .limit(CAUSES_MAX)
                .flatMap(Optional::stream)
                .anyMatch(wanted);
    }
}
