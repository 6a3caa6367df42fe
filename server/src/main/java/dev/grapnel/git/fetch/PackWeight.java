package dev.grapnel.git.fetch;

import dev.grapnel.git.fetch.UploadPack.Task;
import java.io.IOException;

/// How much memory the answer to a fetch takes. Objects that are listed one by one take most of it; where
/// bitmaps tell what is to be sent, there is no such list.
public final class PackWeight {
    /// Of an object that is counted: its place in the walk and in the list.
    private static final long COUNTED_BYTES = 200;

    /// Of an object in the list of what is sent.
    private static final long LISTED_BYTES = 120;

    private static final long MARKED_BYTES = 4;

    private PackWeight() {}

    /// At most, before anything was counted.
    public static long most(Task task, Offer offer) throws IOException {
        return switch (task) {
            case Task.Nothing _, Task.Refuse _, Task.List _ -> 0;
            case Task.Fetch(var request, var _) when request.wants().isEmpty() -> 0;
            case Task.Fetch(var request, var _) ->
                offer.objects().getApproximateObjectCount() * (isMarked(request, offer) ? MARKED_BYTES : COUNTED_BYTES);
        };
    }

    private static boolean isMarked(FetchRequest request, Offer offer) throws IOException {
        if (!isWhole(request) || !request.filter().isNoOp()) {
            return false;
        }
        try (var reader = offer.objects().newReader()) {
            return reader.getBitmapIndex() != null;
        }
    }

    /// Whether all of the history is to be sent.
    static boolean isWhole(FetchRequest request) {
        return request.depth().shallow().isEmpty() && !request.depth().isCut();
    }

    /// How many objects can be counted with so much memory.
    static long countable(long bytes) {
        return bytes / COUNTED_BYTES;
    }

    /// While so many objects are sent.
    static long listed(long objects) {
        return objects * LISTED_BYTES;
    }
}
