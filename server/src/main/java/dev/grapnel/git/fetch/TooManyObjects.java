package dev.grapnel.git.fetch;

/// A pack would consist of more objects than there is memory to list. Unchecked, because it has to get through
/// the git library, which counts.
final class TooManyObjects extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooManyObjects(long objects) {
        super("this server has not enough memory to list more than " + objects
                + " objects, which this fetch would need; tell its operator");
    }
}
