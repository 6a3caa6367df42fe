package dev.grapnel.git.fetch;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jgit.lib.AnyObjectId;
import org.eclipse.jgit.lib.ObjectDatabase;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.ObjectLoader;
import org.eclipse.jgit.lib.ObjectReader;

/// Objects of which it is counted how often somebody looks at one.
final class CountedObjects extends ObjectDatabase {
    private final ObjectDatabase objects;
    private final AtomicLong looks = new AtomicLong();

    CountedObjects(ObjectDatabase objects) {
        this.objects = objects;
    }

    /// How often since the last time this was asked.
    long takeLooks() {
        return looks.getAndSet(0);
    }

    @Override
    public ObjectInserter newInserter() {
        throw new IllegalStateException("fetching writes nothing");
    }

    @Override
    public ObjectReader newReader() {
        return new Reader(objects.newReader());
    }

    @Override
    public long getApproximateObjectCount() {
        return objects.getApproximateObjectCount();
    }

    @Override
    public void close() {
        objects.close();
    }

    private final class Reader extends ObjectReader.Filter {
        private final ObjectReader reader;

        Reader(ObjectReader reader) {
            this.reader = reader;
        }

        @Override
        protected ObjectReader delegate() {
            return reader;
        }

        @Override
        public ObjectReader newReader() {
            return new Reader(reader.newReader());
        }

        @Override
        public boolean has(AnyObjectId id) throws IOException {
            looks.incrementAndGet();
            return reader.has(id);
        }

        @Override
        public ObjectLoader open(AnyObjectId id) throws IOException {
            return open(id, OBJ_ANY);
        }

        @Override
        public ObjectLoader open(AnyObjectId id, int typeHint) throws IOException {
            looks.incrementAndGet();
            return reader.open(id, typeHint);
        }

        @Override
        public void close() {
            reader.close();
        }
    }
}
