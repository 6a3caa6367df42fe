package dev.grapnel.git.repository;

import static dev.grapnel.git.pack.PackBuilder.copy;
import static dev.grapnel.git.pack.PackBuilder.delta;
import static dev.grapnel.git.pack.PackBuilder.idOf;
import static dev.grapnel.git.pack.PackBuilder.idOfBlob;
import static dev.grapnel.git.pack.PackBuilder.insert;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.GitIds;
import dev.grapnel.git.GitProgram;
import dev.grapnel.git.ObjectType;
import dev.grapnel.git.pack.PackBuilder;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.jgit.internal.storage.file.FileRepository;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What an object is stands before it, and nothing has to be made of it to know that.
final class PackedTypesTest {
    @TempDir
    private Path root;

    private GitProgram git;
    private FileRepository repository;
    private Inventory inventory;
    private PackedTypes types;

    @BeforeEach
    void open() throws IOException {
        git = new GitProgram(root);
        git.run("init", "-q", "--bare", ".");
        repository = new FileRepository(root.toFile());
        inventory = new Inventory(repository.getObjectDatabase());
        types = new PackedTypes(inventory);
    }

    @AfterEach
    void close() {
        types.close();
        repository.close();
    }

    private Optional<ObjectType> typeOf(Oid id) throws IOException {
        return types.find(GitIds.of(id));
    }

    private Path add(byte[] pack) throws IOException {
        git.pipe(pack, "index-pack", "--stdin");
        try (var files = Files.list(root.resolve("objects/pack"))) {
            return files.filter(file -> file.toString().endsWith(".pack"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void deltasAreOfTheTypeOfTheirBaseHoweverFarThatIs() throws IOException {
        var builder = new PackBuilder().blob("start ");
        var ids = new ArrayList<Oid>(List.of(idOfBlob("start ")));
        int base = 12;
        for (int i = 0; i < 300; i++) {
            int next = builder.offset();
            builder.deltaOn(base, delta(6 + i, 7 + i, copy(0, 6 + i), insert("x")));
            ids.add(idOfBlob("start " + "x".repeat(i + 1)));
            base = next;
        }
        builder.deltaOn(ids.get(3), delta(9, 1, insert("y")));
        builder.add(ObjectType.TREE, new byte[0]);
        var _ = add(builder.build());
        for (var id : ids.reversed()) {
            assertEquals(Optional.of(ObjectType.BLOB), typeOf(id));
        }
        assertEquals(Optional.of(ObjectType.BLOB), typeOf(idOfBlob("y")));
        assertEquals(Optional.of(ObjectType.TREE), typeOf(idOf(ObjectType.TREE, new byte[0])));
        assertEquals(Optional.empty(), typeOf(idOfBlob("elsewhere")));
    }

    /// Nobody could make this object: what it is made of is damaged.
    @Test
    void nothingIsInflated() throws IOException {
        var builder = new PackBuilder().blob("start ");
        int damaged = builder.offset() + 4; // past its head
        builder.deltaOn(12, delta(6, 7, copy(0, 6), insert("x")));
        var file = add(builder.build());
        assertTrue(file.toFile().setWritable(true));
        var bytes = Files.readAllBytes(file);
        bytes[damaged] ^= 0x55;
        Files.write(file, bytes);
        assertEquals(Optional.of(ObjectType.BLOB), typeOf(idOfBlob("start x")));
    }

    @Test
    void packThatIsGoneIsLeftToTheLibrary() throws IOException {
        var file = add(new PackBuilder().blob("x").build());
        assertTrue(inventory.has(GitIds.of(idOfBlob("x"))));
        Files.delete(file);
        assertEquals(Optional.empty(), typeOf(idOfBlob("x")));
    }
}
