package dev.grapnel.store.engine;

import dev.grapnel.nostr.event.Address;
import dev.grapnel.nostr.event.KindClass;
import dev.grapnel.nostr.event.TagValues;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.filter.TagCondition;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.store.table.Postings;
import dev.grapnel.store.table.ReadTables;
import dev.grapnel.store.table.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Chooses the lists that answer a filter (relay 7.4).
final class FilterPlan {
    /// Up to so many lists of two conditions together are better than two unions of single ones.
    private static final int COMPOSITE_MAX = 1_000;

    /// A condition with so few postings is walked and the events looked at, rather than opening more lists than
    /// that.
    private static final int TINY = 64;

    /// From so many lists of a kind and a value each on it is worth looking whether those of the values alone
    /// are as good.
    private static final int MANY = 32;

    private final ReadTables tables;
    private final Steps steps;
    private final long fromHigh;
    private final long fromLow;
    private final Filter filter;
    private final Optional<List<Integer>> kinds;
    private final Optional<List<PublicKey>> authors;

    private FilterPlan(Filter filter, ReadTables tables, Steps steps, long fromHigh, long fromLow) {
        this.fromHigh = fromHigh;
        this.fromLow = fromLow;
        this.filter = filter;
        this.tables = tables;
        this.steps = steps;
        this.kinds = filter.kinds();
        this.authors = filter.authors();
    }

    /// Opens the lists of a filter that can match, at or after a posting.
    static FilterScan open(Filter filter, ReadTables tables, Steps steps, long fromHigh, long fromLow) {
        return new FilterPlan(filter, tables, steps, fromHigh, fromLow).open();
    }

    private FilterScan open() {
        if (filter.ids().isPresent()) {
            return scan(List.of(byIds()), isByIdOnly() ? Check.ID : Check.ALL);
        }
        var addresses = findAddresses();
        if (addresses.isPresent()) {
            return scan(List.of(byAddresses(addresses.get())), isByAddressOnly() ? Check.NONE : Check.ALL);
        }
        return openLists();
    }

    private FilterScan scan(List<Postings> parts, Check check) {
        return new FilterScan(filter, parts, check, steps, fromHigh, fromLow);
    }

    private boolean isByIdOnly() {
        return kinds.isEmpty() && authors.isEmpty() && filter.tags().isEmpty();
    }

    /// Whether addresses say everything: an implied empty `d` does not meet `#d`, and neither kinds without `d`
    /// nor other letters are looked at.
    private boolean isByAddressOnly() {
        return filter.tags().isEmpty()
                || (filter.tags().size() == 1
                        && kinds.orElseThrow().stream().allMatch(kind -> KindClass.of(kind) == KindClass.ADDRESSABLE)
                        && !identifiers().contains("")
                        && !hasHashedValues());
    }

    private Postings byIds() {
        var found = new ArrayList<Posting>();
        for (var id : filter.ids().orElseThrow()) {
            addAll(found, tables.postings(Table.IDS, Keys.id(id)));
        }
        return new ArrayPostings(found);
    }

    private Postings byAddresses(List<Address> addresses) {
        var found = new ArrayList<Posting>();
        for (var address : addresses) {
            addAll(found, tables.postings(Table.ADDRESSES, Keys.address(address)));
            addAll(found, tables.postings(Table.ADDRESSES, Keys.alias(address)));
        }
        return new ArrayPostings(found);
    }

    private void addAll(List<Posting> found, Postings postings) {
        steps.take();
        for (; !postings.isDone(); postings.next()) {
            found.add(new Posting(postings.high(), postings.low()));
        }
    }

    /// The addresses a filter amounts to: kinds that have addresses, authors, and for addressable kinds `#d`.
    private Optional<List<Address>> findAddresses() {
        if (kinds.isEmpty() || authors.isEmpty()) {
            return Optional.empty();
        }
        var identifiers = identifiers();
        boolean named = kinds.get().stream().map(KindClass::of).allMatch(kindClass -> switch (kindClass) {
            case REPLACEABLE -> true;
            case ADDRESSABLE -> !identifiers.isEmpty();
            case REGULAR, EPHEMERAL -> false;
        });
        long count = (long) kinds.get().size() * authors.get().size() * Math.max(identifiers.size(), 1);
        return named && count <= COMPOSITE_MAX ? Optional.of(addresses(identifiers)) : Optional.empty();
    }

    private List<String> identifiers() {
        return filter.tags().stream()
                .filter(condition -> condition.letter() == 'd')
                .flatMap(condition -> condition.values().toList().stream())
                .toList();
    }

    private List<Address> addresses(List<String> identifiers) {
        var addresses = new ArrayList<Address>();
        for (int kind : kinds.orElseThrow()) {
            var ends = KindClass.of(kind) == KindClass.ADDRESSABLE ? identifiers : List.of("");
            for (var author : authors.orElseThrow()) {
                ends.forEach(end -> addresses.add(new Address(kind, author, end)));
            }
        }
        return addresses;
    }

    /// One condition as the keys of the lists that meet it together.
    ///
    /// @param ofAllKinds keys in the table of tags, if these are lists of a kind and a tag
    private record Condition(Table table, List<byte[]> keys, List<byte[]> ofAllKinds) {
        Condition(Table table, List<byte[]> keys) {
            this(table, keys, List.of());
        }
    }

    private FilterScan openLists() {
        var conditions = conditions();
        conditions.sort(Comparator.comparingInt(condition -> condition.keys().size()));
        var parts = new ArrayList<Postings>();
        var check = hasHashedValues() ? Check.ALL : Check.NONE;
        for (var condition : conditions) {
            long rarest = parts.stream().mapToLong(Postings::size).min().orElse(Long.MAX_VALUE);
            if (rarest <= TINY && condition.keys().size() > rarest) {
                check = Check.ALL;
                continue;
            }
            var few = findFew(condition);
            if (few.isPresent()) {
                check = check == Check.ALL ? Check.ALL : Check.KIND;
            }
            parts.add(few.orElseGet(() -> union(condition)));
        }
        parts.sort(Comparator.comparingLong(Postings::size));
        return scan(parts, check);
    }

    /// What has the tags, of any kind, if looking at each is less work than opening a list for each kind: most
    /// events are named by few others.
    private Optional<Postings> findFew(Condition condition) {
        var keys = condition.ofAllKinds();
        long most = condition.keys().size() - 2L * keys.size();
        if (keys.isEmpty() || condition.keys().size() < MANY) {
            return Optional.empty();
        }
        var lists = new ArrayList<Postings>(keys.size());
        for (var key : keys) {
            steps.take();
            var list = tables.postings(Table.TAGS, key);
            lists.add(list);
            most -= list.size();
            if (most < 0) {
                return Optional.empty();
            }
        }
        return Optional.of(UnionPostings.of(lists, steps));
    }

    private List<Condition> conditions() {
        var conditions = new ArrayList<Condition>();
        boolean kindsMet = kinds.isEmpty();
        for (var tag : filter.tags()) {
            boolean composite = fitsWithKinds(tag.values().size());
            conditions.add(composite ? kindTags(tag) : tags(tag));
            kindsMet |= composite;
        }
        if (authors.isPresent()) {
            boolean composite = fitsWithKinds(authors.get().size());
            conditions.add(composite ? authorKinds() : new Condition(Table.AUTHORS, authorKeys()));
            kindsMet |= composite;
        }
        if (!kindsMet) {
            conditions.add(new Condition(
                    Table.KINDS, kinds.orElseThrow().stream().map(Keys::kind).toList()));
        }
        if (conditions.isEmpty()) {
            conditions.add(new Condition(Table.TIMES, List.of(Keys.ALL)));
        }
        return conditions;
    }

    private boolean fitsWithKinds(int values) {
        return kinds.isPresent() && (long) kinds.get().size() * values <= COMPOSITE_MAX;
    }

    private Condition tags(TagCondition tag) {
        return new Condition(Table.TAGS, tagKeys(tag));
    }

    private static List<byte[]> tagKeys(TagCondition tag) {
        return tag.values().toCanonical().stream()
                .map(value -> Keys.tag(tag.letter(), value))
                .toList();
    }

    private Condition kindTags(TagCondition tag) {
        var keys = new ArrayList<byte[]>();
        var ofAllKinds = tagKeys(tag);
        for (int kind : kinds.orElseThrow()) {
            ofAllKinds.forEach(key -> keys.add(Keys.kindTag(kind, key)));
        }
        return new Condition(Table.KIND_TAGS, keys, ofAllKinds);
    }

    private List<byte[]> authorKeys() {
        return authors.orElseThrow().stream().map(PublicKey::toBytes).toList();
    }

    private Condition authorKinds() {
        var keys = new ArrayList<byte[]>();
        for (int kind : kinds.orElseThrow()) {
            authors.orElseThrow().forEach(author -> keys.add(Keys.authorKind(author, kind)));
        }
        return new Condition(Table.AUTHOR_KINDS, keys);
    }

    private Postings union(Condition condition) {
        var lists = new ArrayList<Postings>(condition.keys().size());
        for (var key : condition.keys()) {
            steps.take();
            lists.add(tables.postings(condition.table(), key));
        }
        return UnionPostings.of(lists, steps);
    }

    private boolean hasHashedValues() {
        return filter.tags().stream()
                .map(TagCondition::values)
                .map(TagValues::toCanonical)
                .flatMap(List::stream)
                .anyMatch(Keys::isHashed);
    }
}
