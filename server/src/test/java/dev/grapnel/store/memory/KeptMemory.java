package dev.grapnel.store.memory;

import dev.grapnel.store.table.TableEngine;
import dev.grapnel.store.table.TableSnapshot;
import dev.grapnel.store.table.WriteTables;
import java.util.Random;
import java.util.function.Supplier;

/// Opens engines in memory, each with what the last one held when it was closed.
public final class KeptMemory implements Supplier<TableEngine> {
    private final long eventsMax;
    private MemoryTables kept = new MemoryTables();
    private MemoryEngine last;

    public KeptMemory(long eventsMax) {
        this.eventsMax = eventsMax;
        this.last = open();
    }

    private MemoryEngine open() {
        return new MemoryEngine(new Random(1), eventsMax, kept);
    }

    @Override
    public TableEngine get() {
        last = open();
        return new Kept(last);
    }

    /// From now on the next engine begins with what was committed until now, as after a kill. Whoever still uses the
    /// last one writes to nowhere.
    public void crash() {
        kept = last.committed();
    }

    /// Another memory that begins with what is committed now; neither knows of the other.
    public KeptMemory fork() {
        var copy = new KeptMemory(eventsMax);
        copy.kept = last.committed();
        return copy;
    }

    /// The engine that was opened last.
    public TableEngine last() {
        return last;
    }

    private final class Kept implements TableEngine {
        private final MemoryEngine engine;
        private boolean closed;

        Kept(MemoryEngine engine) {
            this.engine = engine;
        }

        @Override
        public TableSnapshot pin() {
            return engine.pin();
        }

        @Override
        public WriteTables begin() {
            return engine.begin();
        }

        @Override
        public void flush() {
            engine.flush();
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                if (engine.equals(last)) {
                    kept = engine.committed();
                }
                engine.close();
            }
        }
    }
}
