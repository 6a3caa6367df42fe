package dev.grapnel.purgatory.push;

import dev.grapnel.git.push.PushCommand;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryState;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Commands that help whoever was refused, each one line fit to be copied (service 6.9).
///
/// Refs are written in full where that costs nobody anything: a short name may begin with a dash or a plus
/// sign, and then it is an option or a force to git.
record Hints(Remote remote) {
    /// More than this nobody copies: then all branches and tags are named at once.
    private static final int LENGTH_MAX = 4000;

    private static final String ROLES = "hint: ngit repo";

    /// Short names that git cannot take for anything else. `tag` makes git read the next word as a tag.
    private static final Pattern SHORT = Pattern.compile("(?!tag$|refs/|heads/|tags/|remotes/)[A-Za-z0-9][\\w./-]*");

    /// Sign a state and push by it.
    String sign(List<PushCommand> refs) {
        return push(remote.nostrUrl(), refs.stream().map(Hints::shortest).toList());
    }

    /// Push everything that a state still misses together with what was pushed. Aligning does the deletions.
    String complete(RepositoryState state, Collection<RefName> missing, List<PushCommand> pushed) {
        var refs = new TreeSet<>(missing);
        pushed.forEach(command -> command.name().find().filter(state::declares).ifPresent(refs::add));
        return push(remote.url(), refs.stream().map(RefName::text).toList());
    }

    /// Push the same, or a part of it.
    String push(List<PushCommand> commands) {
        return push(remote.url(), commands.stream().map(Hints::full).toList());
    }

    /// Push the commit that the author of a proposal has signed.
    String proposal(String commit, String ref) {
        return push(remote.url(), List.of(commit + ":" + ref));
    }

    /// Learn what has happened meanwhile.
    String fetch() {
        return "hint: git fetch " + ShellWord.quoted(remote.url());
    }

    /// See who may do what, and what an invitation waits for.
    String roles() {
        return ROLES;
    }

    private static String push(String where, List<String> refs) {
        var start = "hint: git push " + ShellWord.quoted(where);
        var line = new StringBuilder(start);
        for (var ref : refs) {
            line.append(' ').append(ShellWord.quoted(ref));
            if (line.length() > LENGTH_MAX) {
                return start + " 'refs/heads/*' 'refs/tags/*'";
            }
        }
        return line.toString();
    }

    /// As a person would write it.
    private static String shortest(PushCommand command) {
        var full = full(command);
        if (!full.startsWith(RefName.BRANCHES)) {
            return full;
        }
        var name = full.substring(RefName.BRANCHES.length());
        return SHORT.matcher(name).matches() ? name : full;
    }

    /// Only the ref of a proposal has no namesake where it comes from.
    private static String full(PushCommand command) {
        if (command.isDeletion()) {
            return ":" + command.ref();
        }
        return command.ref().startsWith(RefName.PROPOSALS) ? named(command.after(), command.ref()) : command.ref();
    }

    private static String named(Oid commit, String ref) {
        return commit + ":" + ref;
    }
}
