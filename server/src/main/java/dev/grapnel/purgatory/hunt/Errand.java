package dev.grapnel.purgatory.hunt;

/// A conversation with a server of strangers. Used by one thread, [#cancel] aside.
public interface Errand extends AutoCloseable {
    /// Ends what runs, from another thread and within seconds: the thread inside gets [Failure.Cancelled]. One that
    /// has ended does not mind.
    void cancel();

    /// Ends the conversation. Nothing fails here.
    @Override
    void close();
}
