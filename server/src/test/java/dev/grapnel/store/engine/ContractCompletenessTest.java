package dev.grapnel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.engine.CancellationToken;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherExecutionRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/// The contract names every rule of relay 4.10: a store that has forgotten one of them does not pass.
@Timeout(120)
final class ContractCompletenessTest {
    @Test
    void theContractIsKeptWhenNothingIsForgotten() {
        var run = new Run();
        run.without(ForgottenRule.NONE);
        assertEquals(List.of(), run.failed);
        assertTrue(run.passed > 60, () -> "only " + run.passed + " tests were found");
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void aForgottenRuleIsMissed(ForgottenRule rule) {
        var run = new Run();
        run.without(rule);
        assertFalse(run.failed.isEmpty(), () -> "nobody missed " + rule + " in " + run.passed + " tests");
    }

    /// Runs the contract until something fails.
    private static final class Run implements TestExecutionListener {
        private final CancellationToken enough = CancellationToken.create();
        private final List<String> failed = new ArrayList<>();
        private int passed;

        void without(ForgottenRule rule) {
            var tests = LauncherDiscoveryRequestBuilder.request()
                    .selectors(selectClass(ForgetfulStore.class))
                    .build();
            var request = LauncherExecutionRequestBuilder.request(tests)
                    .cancellationToken(enough)
                    .listeners(this)
                    .build();
            ScopedValue.where(ForgetfulStore.FORGOTTEN, rule)
                    .run(() -> LauncherFactory.create().execute(request));
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (!test.isTest()) {
                return;
            }
            if (result.getStatus() == Status.SUCCESSFUL) {
                passed++;
            } else if (result.getStatus() == Status.FAILED) {
                failed.add(test.getDisplayName() + ": "
                        + result.getThrowable().map(Throwable::getMessage).orElse(""));
                enough.cancel();
            }
        }
    }
}
