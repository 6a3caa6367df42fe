package dev.grapnel.sync.sim;

/// Makes a core for a node that starts. This is the place where the real one is joined to the simulated world.
@FunctionalInterface
public interface CoreFactory {
    /// A node that does not sync.
    CoreFactory NONE = _ -> new Core() {
        @Override
        public void start() {}

        @Override
        public void stop() {}
    };

    Core create(Ports ports);
}
