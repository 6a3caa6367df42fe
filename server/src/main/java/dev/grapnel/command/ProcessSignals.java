package dev.grapnel.command;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/// Signals of the operating system, through the class that the JDK has for them but does not promise to keep:
/// it is found by name, and where it is missing signals do what they do by themselves.
final class ProcessSignals {
    private ProcessSignals() {}

    /// Runs something for each signal of a name, such as `TERM`, on a thread of the JDK.
    ///
    /// @return whether it is going to; not if the signal is ignored already (`nohup`), or is not to be had
    static boolean handle(String name, Runnable action) {
        try {
            var signal = Class.forName("sun.misc.Signal");
            var handler = Class.forName("sun.misc.SignalHandler");
            var ignoring = handler.getField("SIG_IGN").get(null);
            var register = signal.getMethod("handle", signal, handler);
            var numbered = signal.getConstructor(String.class).newInstance(name);
            var ours = Proxy.newProxyInstance(
                    ProcessSignals.class.getClassLoader(),
                    new Class<?>[] {handler},
                    (_, method, arguments) -> answer(method, arguments, action));
            return !ignoring.equals(register.invoke(null, numbered, ours));
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException) {
                return false; // the system has no such signal, or the VM keeps it for itself
            }
            throw new IllegalStateException("could not handle SIG" + name, e);
        } catch (ReflectiveOperationException _) {
            return false; // this JDK has no such class
        }
    }

    /// What every object answers, the action answers.
    private static @Nullable Object answer(Method method, @Nullable Object @Nullable [] arguments, Runnable action)
            throws ReflectiveOperationException {
        if (method.getDeclaringClass().equals(Object.class)) {
            return method.invoke(action, arguments);
        }
        action.run();
        return null;
    }
}
