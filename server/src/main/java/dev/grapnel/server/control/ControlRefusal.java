package dev.grapnel.server.control;

/// A request that is not met. The message is a sentence for the operator, without `grapnel:` and final stop.
public final class ControlRefusal extends Exception {
    private static final long serialVersionUID = 1;

    public ControlRefusal(String sentence) {
        super(sentence);
    }
}
