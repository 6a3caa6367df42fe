package dev.grapnel.git.client;

import dev.grapnel.nostr.Bytes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jgit.internal.storage.file.FileRepository;
import org.eclipse.jgit.transport.PacketLineOut;
import org.eclipse.jgit.transport.RefAdvertiser.PacketLineOutRefAdvertiser;
import org.eclipse.jgit.transport.UploadPack;
import org.eclipse.jgit.transport.UploadPackInternalServerErrorException;

/// A server built on JGit, without a network.
final class LibraryTransport implements Transport {
    private final FileRepository repository;
    private final boolean isVersion2;
    private final List<Awaited> awaited = new ArrayList<>();

    LibraryTransport(Path repository, boolean isVersion2) throws IOException {
        this.repository = new FileRepository(repository.toFile());
        this.isVersion2 = isVersion2;
    }

    /// What each POST was for.
    List<Awaited> awaited() {
        return awaited;
    }

    private UploadPack server() {
        var server = new UploadPack(repository);
        server.setBiDirectionalPipe(false);
        if (isVersion2) {
            server.setExtraParameters(Set.of("version=2"));
        }
        return server;
    }

    @Override
    public Answer get(String path, Map<String, String> headers) throws IOException {
        var out = new ByteArrayOutputStream();
        server().sendAdvertisedRefs(new PacketLineOutRefAdvertiser(new PacketLineOut(out)), "git-upload-pack");
        return new Said("advertisement", out.toByteArray());
    }

    @Override
    public Answer post(String path, Map<String, String> headers, Bytes body, Awaited what) throws IOException {
        awaited.add(what);
        var out = new ByteArrayOutputStream();
        try {
            server().upload(new ByteArrayInputStream(body.toArray()), out, null);
        } catch (UploadPackInternalServerErrorException _) {
            // it has told the client, which is all that servers do, too
        }
        return new Said("result", out.toByteArray());
    }

    private static final class Said implements Answer {
        private final String what;
        private final byte[] bytes;

        Said(String what, byte[] bytes) {
            this.what = what;
            this.bytes = bytes;
        }

        @Override
        public int status() {
            return 200;
        }

        @Override
        public Optional<String> findHeader(String name) {
            return name.equals("Content-Type")
                    ? Optional.of("application/x-git-upload-pack-" + what)
                    : Optional.empty();
        }

        @Override
        public InputStream body() {
            return new ByteArrayInputStream(bytes);
        }

        @Override
        public void close() {
            // nothing is open
        }
    }

    @Override
    public void close() {
        repository.close();
    }
}
