package dev.grapnel.server.control;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Where a server and its operator meet: `control.sock` in the data directory.
///
/// It is made in a directory that nobody else may enter and moved into place when its mode is right, so there is
/// no moment at which somebody else could connect, and what a killed server left is replaced in one step. A
/// socket's address has no room for long paths. Behind one the socket is in a private directory among the
/// temporary files, and `control.path` in the data directory says where.
final class ControlSocket implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ControlSocket.class);
    private static final String SOCKET = "control.sock";
    private static final String POINTER = "control.path";
    private static final String NURSERY = "control.new";
    private static final String SHORT_NAME = "s";
    private static final String PRIVATE_PREFIX = "grapnel-";

    /// Bytes of a path that fit into an address everywhere: Linux has 108, others 104, one of them is the end.
    private static final int PATH_BYTES_MAX = 100;

    private static final int POINTER_BYTES_MAX = 4_096;
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

    private final ServerSocketChannel channel;
    private final Path path;
    private final Optional<Path> pointer;
    private final Object identity;

    private ControlSocket(ServerSocketChannel channel, Path path, Optional<Path> pointer) throws IOException {
        this.channel = channel;
        this.path = path;
        this.pointer = pointer;
        this.identity = identityOf(path);
    }

    ServerSocketChannel channel() {
        return channel;
    }

    Path path() {
        return path;
    }

    /// Makes the socket of a data directory.
    ///
    /// @param temporary where private directories may be made
    /// @throws IOException with a sentence for the operator, also if a server answers there already
    static ControlSocket bind(Path directory, Path temporary) throws IOException {
        try {
            var real = directory.toRealPath();
            requireNobody(real);
            removePrivate(real);
            return fits(real.resolve(NURSERY).resolve(SHORT_NAME))
                    ? bindInside(real)
                    : bindElsewhere(real, temporary.toRealPath());
        } catch (UnsupportedOperationException e) {
            throw new IOException("the file system of " + directory + " knows no owners of files", e);
        }
    }

    /// The socket of a data directory, if one is there. Whether anybody answers is another question.
    ///
    /// @throws IOException if the directory cannot be looked at
    static Optional<Path> find(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return Optional.empty();
        }
        var real = directory.toRealPath();
        var usual = real.resolve(SOCKET);
        return Files.exists(usual, LinkOption.NOFOLLOW_LINKS) ? Optional.of(usual) : findElsewhere(real);
    }

    private static boolean fits(Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8).length <= PATH_BYTES_MAX;
    }

    private static void requireNobody(Path directory) throws IOException {
        var there = find(directory);
        if (there.isPresent() && isAnswering(there.get())) {
            throw new IOException("another server answers at " + there.get());
        }
    }

    private static boolean isAnswering(Path socket) {
        try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return channel.connect(UnixDomainSocketAddress.of(socket));
        } catch (IOException _) {
            return false; // a killed server's, or no socket at all
        }
    }

    private static ControlSocket bindInside(Path directory) throws IOException {
        var nursery = directory.resolve(NURSERY);
        Files.deleteIfExists(nursery.resolve(SHORT_NAME));
        Files.deleteIfExists(nursery);
        Files.createDirectory(nursery, ownerOnly());
        var path = directory.resolve(SOCKET);
        var channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            bind(channel, nursery.resolve(SHORT_NAME));
            Files.move(nursery.resolve(SHORT_NAME), path, StandardCopyOption.ATOMIC_MOVE);
            Files.delete(nursery);
            return new ControlSocket(channel, path, Optional.empty());
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static ControlSocket bindElsewhere(Path directory, Path temporary) throws IOException {
        var own = Files.createTempDirectory(temporary, PRIVATE_PREFIX, ownerOnly());
        var path = own.resolve(SHORT_NAME);
        var channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            if (!fits(path)) {
                throw new IOException("the path " + path + " is too long for a socket, and so is that of "
                        + directory.resolve(SOCKET));
            }
            bind(channel, path);
            var pointer = directory.resolve(POINTER);
            Files.writeString(pointer, path + "\n");
            return new ControlSocket(channel, path, Optional.of(pointer));
        } catch (IOException | RuntimeException e) {
            channel.close();
            Files.deleteIfExists(path);
            Files.deleteIfExists(own);
            throw e;
        }
    }

    private static void bind(ServerSocketChannel channel, Path path) throws IOException {
        channel.bind(UnixDomainSocketAddress.of(path));
        Files.setPosixFilePermissions(path, OWNER_ONLY);
    }

    private static FileAttribute<?> ownerOnly() {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    }

    /// What a pointer says counts only if it leads to a private directory of whoever wrote it: others can make
    /// directories among the temporary files, too, once ours is gone from there.
    private static Optional<Path> findElsewhere(Path directory) throws IOException {
        var pointer = directory.resolve(POINTER);
        try {
            if (Files.size(pointer) > POINTER_BYTES_MAX) {
                return Optional.empty();
            }
            var socket = Path.of(Files.readString(pointer).strip());
            return isPrivate(socket, Files.getOwner(pointer)) ? Optional.of(socket) : Optional.empty();
        } catch (NoSuchFileException | CharacterCodingException | InvalidPathException _) {
            return Optional.empty(); // nothing there, or nothing a server wrote
        }
    }

    private static boolean isPrivate(Path socket, UserPrincipal owner) throws IOException {
        var own = socket.getParent();
        return own != null
                && own.getNameCount() > 0
                && own.getFileName().toString().startsWith(PRIVATE_PREFIX)
                && Files.getOwner(own, LinkOption.NOFOLLOW_LINKS).equals(owner);
    }

    /// Removes what a killed server left among the temporary files.
    private static void removePrivate(Path directory) throws IOException {
        var left = Files.exists(directory.resolve(SOCKET), LinkOption.NOFOLLOW_LINKS)
                ? Optional.<Path>empty()
                : findElsewhere(directory);
        if (left.isPresent()) {
            Files.deleteIfExists(left.get());
            Files.deleteIfExists(Objects.requireNonNull(left.get().getParent()));
        }
        Files.deleteIfExists(directory.resolve(POINTER));
    }

    private static Object identityOf(Path path) throws IOException {
        var attributes = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        return Objects.requireNonNullElse(attributes.fileKey(), path);
    }

    /// Stops listening and takes the socket away, unless it is another one by now.
    @Override
    public void close() {
        try {
            channel.close();
            if (identityOf(path).equals(identity)) {
                Files.delete(path);
                if (pointer.isPresent()) {
                    Files.deleteIfExists(Objects.requireNonNull(path.getParent()));
                    Files.deleteIfExists(pointer.get());
                }
            }
        } catch (IOException e) {
            LOG.warn("control socket not removed path={} reason={}", path, e.getMessage());
        }
    }
}
