package dev.grapnel.sync.index;

import java.util.List;

/// Finds out which tables are kept.
record TableList(List<Cells> cells) implements Kept {
    @Override
    public int number(int value) {
        return value;
    }

    @Override
    public long number(long value) {
        return value;
    }

    @Override
    public int[] numbers(int[] values) {
        return values;
    }

    @Override
    public void table(Cells table) {
        cells.add(table);
    }

    @Override
    public boolean isReturning() {
        return false;
    }
}
