package dev.grapnel.bench;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.filter.Filter;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// Matching one event against one filter, for the shapes git clients send.
@State(Scope.Benchmark)
public class FilterBench {
    @Param
    public FilterShape shape = FilterShape.KINDS;

    @Param({"COMMENT", "STATE"})
    public Sample sample = Sample.COMMENT;

    /// Whether the filter matches; if not, only its last condition fails.
    @Param({"true", "false"})
    public boolean hit;

    private Event event = Sample.COMMENT.event();
    private Filter filter = Filter.ALL;

    @Setup
    public void prepare() {
        event = sample.event();
        filter = shape.filter(sample, hit);
        // States have only one tag letter, so nothing with two can find them.
        boolean possible = shape != FilterShape.KINDS_TWO_LETTERS || sample != Sample.STATE;
        if (filter.matches(event) != (hit && possible)) {
            throw new IllegalStateException("the filter is wrong: " + filter);
        }
    }

    /// This library.
    @Benchmark
    public boolean grapnel() {
        return filter.matches(event);
    }
}
