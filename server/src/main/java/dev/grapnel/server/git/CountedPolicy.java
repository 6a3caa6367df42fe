package dev.grapnel.server.git;

import dev.grapnel.git.push.Push;
import dev.grapnel.git.push.PushCommand;
import dev.grapnel.git.push.PushPolicy;
import dev.grapnel.git.push.PushVerdict;
import dev.grapnel.git.push.ReceivedPush;
import dev.grapnel.server.ops.GitMeter;
import dev.grapnel.server.ops.GitMeter.Authorization;
import java.io.IOException;

/// Counts what a policy decides.
record CountedPolicy(PushPolicy policy, GitMeter meter) implements PushPolicy {
    @Override
    public PushVerdict judge(Push push) throws IOException {
        var verdict = policy.judge(push);
        if (verdict instanceof PushVerdict.Refused) {
            meter.judged(Authorization.REJECTED);
        }
        return verdict;
    }

    @Override
    public PushVerdict settle(Push push, ReceivedPush received) throws IOException {
        var verdict = policy.settle(push, received);
        meter.judged(
                switch (verdict) {
                    case PushVerdict.Refused _ -> Authorization.REJECTED;
                    case PushVerdict.Allowed _ ->
                        push.commands().stream().allMatch(CountedPolicy::isVoid)
                                ? Authorization.NOOP
                                : Authorization.ACCEPTED;
                });
        return verdict;
    }

    private static boolean isVoid(PushCommand command) {
        return command.before().equals(command.after());
    }
}
