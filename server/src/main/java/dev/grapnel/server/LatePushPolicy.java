package dev.grapnel.server;

import dev.grapnel.git.push.Push;
import dev.grapnel.git.push.PushCase;
import dev.grapnel.git.push.PushPolicy;
import java.io.IOException;
import java.util.concurrent.Future;

/// Takes pushes once those are there who decide about them.
record LatePushPolicy(Future<PushPolicy> policy) implements PushPolicy {
    private static final PushPolicy STARTING = PushPolicy.nothing("this server is starting, try again in a moment");

    @Override
    public PushCase open(Push push) throws IOException {
        return (policy.state() == Future.State.SUCCESS ? policy.resultNow() : STARTING).open(push);
    }
}
