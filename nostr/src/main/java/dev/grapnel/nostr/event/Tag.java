package dev.grapnel.nostr.event;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One tag of an event: a name and any number of further elements, decoded when asked for.
public final class Tag {
    private final Tags tags;
    private final int index;

    Tag(Tags tags, int index) {
        this.tags = tags;
        this.index = index;
    }

    /// Number of elements, the name included; at least 1.
    public int size() {
        return tags.elements(index);
    }

    /// The first element.
    public String name() {
        return element(0);
    }

    /// Whether the name is exactly this.
    public boolean isNamed(String name) {
        return tags.isNamed(index, name);
    }

    /// The second element, which is what filters look at; a tag of one element has none.
    public Optional<String> value() {
        return size() > 1 ? Optional.of(element(1)) : Optional.empty();
    }

    /// Any element; 0 is the name.
    public String element(int number) {
        return tags.element(index, number);
    }

    /// All elements behind the name.
    public List<String> values() {
        return List.copyOf(elements().subList(1, size()));
    }

    /// All elements.
    public List<String> elements() {
        var elements = new ArrayList<String>(size());
        for (int i = 0; i < size(); i++) {
            elements.add(element(i));
        }
        return List.copyOf(elements);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Tag that && elements().equals(that.elements());
    }

    @Override
    public int hashCode() {
        return elements().hashCode();
    }

    @Override
    public String toString() {
        return elements().toString();
    }
}
