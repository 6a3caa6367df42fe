package dev.grapnel.git.fetch;

import dev.grapnel.nostr.repository.Oid;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.eclipse.jgit.transport.FilterSpec;

/// What a client asks for, in either version of the protocol.
///
/// @param wants objects it asks for, each once, in its order
/// @param haves objects it says it has, in its order
/// @param done whether it will not say more about what it has
/// @param capabilities words of the protocol it uses
/// @param depth how its history is to be cut
/// @param filter what it does not want of what it asks for
public record FetchRequest(
        List<Oid> wants, List<Oid> haves, boolean done, Set<Capability> capabilities, Depth depth, FilterSpec filter) {

    /// What clients may ask to be done.
    public enum Capability {
        SIDE_BAND("side-band"),
        SIDE_BAND_64K("side-band-64k"),
        OFS_DELTA("ofs-delta"),
        THIN_PACK("thin-pack"),
        NO_PROGRESS("no-progress"),
        INCLUDE_TAG("include-tag"),
        MULTI_ACK("multi_ack"),
        MULTI_ACK_DETAILED("multi_ack_detailed"),
        NO_DONE("no-done"),
        WAIT_FOR_DONE("wait-for-done"),
        DEEPEN_RELATIVE("deepen-relative");

        private final String word;

        Capability(String word) {
            this.word = word;
        }

        /// As the protocol writes it.
        public String word() {
            return word;
        }
    }

    /// How history is to be cut.
    ///
    /// @param shallow commits without whose parents the client lives already, each once
    /// @param commits how many generations; 0 for all
    /// @param since seconds; nothing older is wanted
    /// @param not names of refs whose history is not wanted
    public record Depth(List<Oid> shallow, int commits, OptionalLong since, List<String> not) {
        public Depth {
            shallow = List.copyOf(shallow);
            not = List.copyOf(not);
        }

        /// Whether a cut is asked for; where the client was cut before is another matter.
        public boolean isCut() {
            return commits > 0 || isHistorical();
        }

        /// Whether dates or refs say where to cut.
        boolean isHistorical() {
            return since.isPresent() || !not.isEmpty();
        }
    }

    public FetchRequest {
        wants = List.copyOf(wants);
        haves = List.copyOf(haves);
        capabilities = Set.copyOf(capabilities);
    }

    /// Whether the client uses this word.
    public boolean has(Capability capability) {
        return capabilities.contains(capability);
    }
}
