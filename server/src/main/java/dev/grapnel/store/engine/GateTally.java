package dev.grapnel.store.engine;

/// What became of gates in one commit (service 4.9.1).
///
/// @param put how many came
/// @param used how many became ordinary requests
/// @param expired how many ended with their time
/// @param evicted how many made room for others
public record GateTally(int put, int used, int expired, int evicted) {
    /// Whether nothing happened.
    public boolean isNothing() {
        return put == 0 && used == 0 && expired == 0 && evicted == 0;
    }
}
