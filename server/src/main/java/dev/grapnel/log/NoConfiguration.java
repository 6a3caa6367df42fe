package dev.grapnel.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.status.NopStatusListener;
import org.slf4j.Logger;

/// What Logback finds first, so that it looks for no file and prints nothing of its own. Until [Logging]
/// starts, nobody hears anything: commands of the operator speak for themselves.
public final class NoConfiguration extends ContextAwareBase implements Configurator {
    @Override
    public ExecutionStatus configure(LoggerContext context) {
        context.getStatusManager().add(new NopStatusListener());
        context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.WARN);
        // They warn of every malformed request, which anybody can send as often as he likes.
        context.getLogger("org.eclipse.jetty.http").setLevel(Level.ERROR);
        context.getLogger("org.eclipse.jetty.http2").setLevel(Level.ERROR);
        context.getLogger("org.eclipse.jetty.util.HostPort").setLevel(Level.ERROR);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
