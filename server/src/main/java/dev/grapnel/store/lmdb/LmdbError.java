package dev.grapnel.store.lmdb;

import dev.grapnel.store.table.StoreDamage;
import dev.grapnel.store.table.StoreFailure;
import org.lwjgl.util.lmdb.LMDB;

/// What LMDB's return codes mean to an operator.
final class LmdbError {
    // Numbers of the system, the same on Linux and macOS unless two are given.
    private static final int EPERM = 1;
    private static final int EIO = 5;
    private static final int ENOMEM = 12;
    private static final int EACCES = 13;
    private static final int EMFILE = 24;
    private static final int EFBIG = 27;
    private static final int ENOSPC = 28;
    private static final int EROFS = 30;
    private static final int EDQUOT_LINUX = 122;
    private static final int EDQUOT_MACOS = 69;

    private LmdbError() {}

    /// What to throw when something did not work.
    ///
    /// @param what that was tried, as in "could not ..."
    static RuntimeException failure(String what, int code) {
        return isDamage(code)
                ? new StoreDamage("could not " + what + ": " + reason(code))
                : new StoreFailure("could not " + what + ": " + reason(code));
    }

    /// Whether the environment cannot be used any more, or what it wrote may not be on the device. With
    /// [Durability#SYNC] any error of the system may be one of writing to the device, after which the system
    /// forgets what it could not write, and says so only once.
    static boolean needsReopening(int code, Durability durability) {
        return isSerious(code) || (code > 0 && durability == Durability.SYNC);
    }

    /// Whether pages of earlier commits may be lost too.
    static boolean isSerious(int code) {
        return code == LMDB.MDB_PANIC || code == EIO;
    }

    private static boolean isDamage(int code) {
        return code == LMDB.MDB_CORRUPTED
                || code == LMDB.MDB_PAGE_NOTFOUND
                || code == LMDB.MDB_INVALID
                || code == LMDB.MDB_BAD_CHECKSUM;
    }

    private static String reason(int code) {
        return switch (code) {
            case ENOSPC -> "no space left on the device; free some";
            case LMDB.MDB_SHORT_WRITE ->
                "only a part was written: no space left on the device, or the file became as large as it may be"
                        + " (ulimit -f)";
            case EDQUOT_LINUX, EDQUOT_MACOS -> "the disk quota is used up; raise it";
            case EFBIG -> "the file would become larger than the system allows; raise the limit (ulimit -f)";
            case EIO -> "the device reports an error; look into the system's log";
            case EROFS -> "the file system is read-only";
            case EACCES, EPERM -> "this user may not write there; change the owner or the permissions";
            case ENOMEM -> "not enough memory, or address space (ulimit -v)";
            case EMFILE -> "too many open files; raise the limit (ulimit -n)";
            case LMDB.MDB_PANIC -> "an earlier failure to write made the file unusable until it is opened again";
            case LMDB.MDB_VERSION_MISMATCH ->
                "the file was written by another version of LMDB than this one, " + LMDB.MDB_VERSION_STRING;
            case LMDB.MDB_INVALID -> "the file is not an LMDB file, or its beginning is damaged";
            default -> LMDB.mdb_strerror(code) + " (" + code + ")";
        };
    }
}
