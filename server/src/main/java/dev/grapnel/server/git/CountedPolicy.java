package dev.grapnel.server.git;

import dev.grapnel.git.push.Push;
import dev.grapnel.git.push.PushCase;
import dev.grapnel.git.push.PushCommand;
import dev.grapnel.git.push.PushPolicy;
import dev.grapnel.git.push.PushVerdict;
import dev.grapnel.git.push.ReceivedPush;
import dev.grapnel.server.ops.GitMeter;
import dev.grapnel.server.ops.GitMeter.Authorization;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/// Counts what a policy decides.
record CountedPolicy(PushPolicy policy, GitMeter meter) implements PushPolicy {
    @Override
    public PushCase open(Push push) throws IOException {
        return new Counted(push, policy.open(push), meter);
    }

    private record Counted(Push push, PushCase decided, GitMeter meter) implements PushCase {
        @Override
        public PushVerdict judge() throws IOException {
            var verdict = decided.judge();
            if (verdict instanceof PushVerdict.Refused) {
                meter.judged(Authorization.REJECTED);
            }
            return verdict;
        }

        @Override
        public Optional<PushVerdict> findObstacle() throws IOException {
            return decided.findObstacle();
        }

        @Override
        public InputStream watching(InputStream pack) {
            return decided.watching(pack);
        }

        @Override
        public PushVerdict settle(ReceivedPush received) throws IOException {
            var verdict = decided.settle(received);
            meter.judged(
                    switch (verdict) {
                        case PushVerdict.Refused _ -> Authorization.REJECTED;
                        case PushVerdict.Allowed _ ->
                            push.commands().stream().allMatch(Counted::isVoid)
                                    ? Authorization.NOOP
                                    : Authorization.ACCEPTED;
                    });
            return verdict;
        }

        private static boolean isVoid(PushCommand command) {
            return command.before().equals(command.after());
        }

        @Override
        public void close() {
            decided.close();
        }
    }
}
