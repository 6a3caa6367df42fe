package dev.grapnel.sync.sim;

import java.util.List;

/// Something of 10.3 that must be true, as far as the world can see it.
interface Invariant {
    /// Which one it is.
    String name();

    /// What was wrong since the last time somebody asked; after every so many steps, and when the world is quiet.
    ///
    /// @param moment whether everything that was to be done should be done
    List<String> problems(Core.Moment moment);
}
