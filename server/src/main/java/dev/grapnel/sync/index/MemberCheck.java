package dev.grapnel.sync.index;

import dev.grapnel.sync.world.Archive;
import dev.grapnel.sync.world.Mutation;
import java.util.List;
import java.util.function.Consumer;

/// Looks which members are still served, after mutations were lost.
final class MemberCheck implements Work {
    private final WantedIndex index;
    private final Archive archive;
    private final Consumer<List<Mutation>> gone;
    private int member;

    MemberCheck(WantedIndex index, Archive archive, Consumer<List<Mutation>> gone) {
        this.index = index;
        this.archive = archive;
        this.gone = gone;
    }

    @Override
    public boolean advance() {
        if (member >= index.threads().members().count()) {
            return false;
        }
        var id = index.memberId(member);
        if (!index.threads().members().isGone(member) && archive.standing(id) != Archive.Standing.SERVED) {
            gone.accept(List.of(new Mutation.Left(id)));
        }
        member++;
        return true;
    }
}
