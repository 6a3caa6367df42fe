package dev.grapnel.sync.index;

import dev.grapnel.nostr.event.References;
import dev.grapnel.store.Lineage;
import dev.grapnel.sync.world.Mutation.MemberServed;
import dev.grapnel.sync.world.SnapshotFiles;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Lets the next process use the tables of this one (R8.5), which saves it from reading all roots and walking all
/// threads.
///
/// The tables are changed where they lie, so at any moment a crash may leave them half changed. What says whether they
/// can be used is a small file, the head: of which history of the store, up to which commit, the numbers that are not
/// in tables, and one sum over the sums of all blocks of all tables. It is written after each batch. Tables that
/// changed since, were torn by a loss of power or damaged have another sum, and are thrown away; so are those of
/// another store, or of one that has not come as far. What the store committed since is told by its feed.
final class KeptTables {
    static final String HEAD = "tables";

    private static final Logger LOG = LoggerFactory.getLogger(KeptTables.class);

    private final WantedIndex index;
    private final IndexTables tables;
    private final SnapshotFiles files;
    private final List<Cells> cells = new ArrayList<>();
    private final List<BlockSums> sums = new ArrayList<>();
    private boolean isSaving;
    private boolean isChanged = true;
    private byte @Nullable [] waiting;

    KeptTables(WantedIndex index, SnapshotFiles files) {
        this.index = index;
        this.tables = index.tables();
        this.files = files;
        index.keep(new TableList(cells));
        for (int number = 0; number < cells.size(); number++) {
            sums.add(new BlockSums(number));
        }
    }

    // ---- what an earlier process left

    /// Gets back what is left, if it can be used; else it is thrown away.
    ///
    /// @param lineage of the store
    /// @param commit the last one of the store
    /// @param answer gets the commit up to which the index is complete, members of threads excepted; empty if
    ///     nothing could be used
    void find(Turns turns, Lineage lineage, long commit, Consumer<Optional<Long>> answer) {
        var head = readHead().filter(left -> isOurs(left, lineage, commit));
        if (head.isEmpty()) {
            tables.discard();
            answer.accept(Optional.empty());
            return;
        }
        var look = new Look(head.get());
        turns.run(look, () -> {
            if (!look.isSound()) {
                LOG.info("sync.tables made anew, what was left is not whole");
                tables.discard();
                answer.accept(Optional.empty());
                return;
            }
            look.adopt();
            index.keep(head.get().reading());
            turns.run(
                    index.repos().meeting(),
                    () -> answer.accept(Optional.of(head.get().commit())));
        });
    }

    private Optional<TableHead> readHead() {
        if (!tables.areKept()) {
            return Optional.empty();
        }
        try {
            var file = files.load(HEAD);
            var head = file.flatMap(TableHead::parse);
            if (file.isPresent() && head.isEmpty()) {
                LOG.info("sync.tables made anew, their head is damaged");
            }
            return head;
        } catch (IOException e) {
            LOG.warn("sync.tables made anew, their head cannot be read", e);
            return Optional.empty();
        }
    }

    private boolean isOurs(TableHead head, Lineage lineage, long commit) {
        boolean isOurs = head.lineage() != 0
                && head.lineage() == lineage.former()
                && head.commit() <= commit
                && head.limits().equals(limits())
                && head.chunks().keySet().equals(chunks().keySet());
        if (!isOurs) {
            LOG.info("sync.tables made anew, they belong to another store or other limits");
        }
        return isOurs;
    }

    /// Limits that decide what is in the tables.
    private List<Integer> limits() {
        var limits = index.limits();
        return List.of(
                limits.descendantsMax(),
                limits.depthMax(),
                limits.membersMax(),
                limits.addressedMax(),
                Threads.PLACES_MAX,
                References.MAX,
                MemberServed.ADDRESS_BYTES_MAX,
                tables.chunkBytes());
    }

    private Map<String, Integer> chunks() {
        var chunks = new TreeMap<String, Integer>();
        cells.forEach(table -> chunks.put(table.name(), table.chunkCount()));
        return chunks;
    }

    /// Looks at all that is left, block by block.
    private final class Look implements Work {
        private final TableHead head;
        private final List<List<MemorySegment>> found = new ArrayList<>();
        private boolean isComplete = true;
        private int table;
        private int block;

        Look(TableHead head) {
            this.head = head;
        }

        @Override
        public boolean advance() {
            if (!isComplete || table == cells.size()) {
                return false;
            }
            if (found.size() == table) {
                var name = cells.get(table).name();
                var left = tables.find(name, head.chunks().getOrDefault(name, 0));
                isComplete = left.isPresent();
                left.ifPresent(found::add);
                return isComplete;
            }
            int perChunk = tables.chunkBytes() / Cells.BLOCK_BYTES;
            var chunks = found.get(table);
            if (block == chunks.size() * perChunk) {
                block = 0;
                table++;
                return true;
            }
            long at = (long) (block % perChunk) * Cells.BLOCK_BYTES;
            sums.get(table).put(block, chunks.get(block / perChunk).asSlice(at, Cells.BLOCK_BYTES));
            block++;
            return true;
        }

        boolean isSound() {
            boolean isSound = isComplete && total() == head.sum();
            if (!isSound) {
                sums.forEach(BlockSums::clear);
            }
            return isSound;
        }

        void adopt() {
            for (int number = 0; number < cells.size(); number++) {
                cells.get(number).adopt(found.get(number));
            }
        }
    }

    private long total() {
        return sums.stream().mapToLong(BlockSums::total).sum();
    }

    // ---- for the next process

    /// Takes the sums of what has changed. Nothing may change until [#save].
    Work summing() {
        int[] table = {0};
        int[] block = {0};
        return () -> {
            if (!tables.areKept() || table[0] == cells.size()) {
                return false;
            }
            int changed = cells.get(table[0]).takeChanged(block[0]);
            if (changed < 0) {
                table[0]++;
                block[0] = 0;
            } else {
                sums.get(table[0]).put(changed, cells.get(table[0]).block(changed));
                isChanged = true;
                block[0] = changed + 1;
            }
            return true;
        };
    }

    /// Something has changed that is in no table.
    void change() {
        isChanged = true;
    }

    /// Says that the tables are what the store is up to a commit, if they have changed since that was last said: what
    /// the feed tells twice does no harm. Of several heads that wait only the last is written.
    void save(Lineage lineage, long commit) {
        if (!isChanged || !tables.areKept() || lineage.current() == 0 || !index.isWorthKeeping()) {
            return;
        }
        isChanged = false;
        var head = new TableHead.Writing(lineage.current(), commit, total(), limits(), chunks());
        index.keep(head);
        if (isSaving) {
            waiting = head.toBytes();
        } else {
            write(head.toBytes());
        }
    }

    /// The same at once, whatever has changed.
    void saveNow(Lineage lineage, long commit) {
        var rest = summing();
        while (rest.advance()) {
            // every step does something
        }
        isChanged = true;
        save(lineage, commit);
    }

    private void write(byte[] head) {
        boolean isBegun = false;
        isSaving = true;
        try {
            files.save(HEAD, head, this::written);
            isBegun = true;
        } finally {
            if (!isBegun) { // else nothing would ever be written again
                isSaving = false;
                isChanged = true;
            }
        }
    }

    private void written(Optional<IOException> failure) {
        isSaving = false;
        failure.ifPresent(e -> {
            LOG.warn("sync.tables not kept", e);
            isChanged = true;
        });
        var next = waiting;
        waiting = null;
        if (next != null) {
            write(next);
        }
    }
}
