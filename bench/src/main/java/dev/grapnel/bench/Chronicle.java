package dev.grapnel.bench;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Decides what happens next in a community: who joins, which repository is announced, who says what about
/// it.
///
/// Everything is drawn in order from one source of chance, so the same seed tells the same story. What is
/// remembered is bounded: people, repositories with their last few topics, and rings of what happened
/// lately.
final class Chronicle {
    private static final int PEOPLE_MAX = 50_000;
    private static final int PROJECTS_MAX = 20_000;
    private static final int EVENTS_PER_PERSON = 40;
    private static final int EVENTS_PER_PROJECT = 100;
    private static final int RECENT_MAX = 4096;
    private static final int SERVERS = 40;
    private static final int LARGE_EVERY = 150;
    private static final int LARGE_FIRST = 37;
    private static final int LARGE_REFS = 1000;

    private final long seed;
    private final int count;
    private final Chance chance;
    private final Dates dates;
    private final Composer composer;
    private final List<String> servers;

    private final List<Person> people = new ArrayList<>();
    private final List<Project> projects = new ArrayList<>();
    private final Ring<Past> recent = new Ring<>(RECENT_MAX);
    private final Ring<EventId> recentRoots = new Ring<>(Landmarks.MAX);
    private final List<Topic> oldTopics = new ArrayList<>();
    private final ArrayDeque<UnsignedEvent> pending = new ArrayDeque<>();
    private int written;

    Chronicle(long seed, int count) {
        this.seed = seed;
        this.count = count;
        this.chance = new Chance(seed);
        this.dates = new Dates(chance, count);
        this.composer = new Composer(chance);
        this.servers = IntStream.range(0, SERVERS)
                .mapToObj(number -> "git." + composer.wording().word(31L * number) + ".example.com")
                .toList();
    }

    /// The next event.
    UnsignedEvent next() {
        while (pending.isEmpty()) {
            goOn();
        }
        written++;
        return pending.remove();
    }

    /// What is worth asking for by now.
    Landmarks landmarks() {
        var topics = Stream.of(
                        projects.stream().flatMap(project -> project.favourite().stream()),
                        projects.stream().flatMap(project -> project.topics().toList().stream()),
                        oldTopics.stream())
                .flatMap(all -> all)
                .distinct()
                .sorted(Comparator.comparingInt(Topic::answers).reversed())
                .map(Topic::id)
                .toList();
        return new Landmarks(
                people.stream().map(Person::publicKey).toList(),
                projects.stream().map(Project::address).toList(),
                topics,
                recentRoots.toList(),
                recent.toList().stream().map(Past::id).limit(Landmarks.MAX).toList());
    }

    private void goOn() {
        if (people.size() < grown(PEOPLE_MAX, EVENTS_PER_PERSON)) {
            join();
        } else if (projects.size() < grown(PROJECTS_MAX, EVENTS_PER_PROJECT)) {
            found();
        } else {
            act(Deed.drawn(chance));
        }
    }

    /// How many there are to be by now: more and more, from a handful on.
    private long grown(int max, int eventsPerOne) {
        long atTheEnd = Math.min(max, count / eventsPerOne);
        return 5 + atTheEnd * written / count;
    }

    private void act(Deed deed) {
        switch (deed) {
            case COMMENT -> comment();
            case STATUS -> status();
            case REACTION -> react();
            case LABEL -> label();
            case ISSUE -> open(project(), Kinds.ISSUE);
            case PATCH -> open(project(), Kinds.PATCH);
            case PULL_REQUEST -> open(project(), Kinds.PULL_REQUEST);
            case SERIES -> continueSeries(project());
            case UPDATE -> update(project());
            case PUSH -> push(project());
            case ANNOUNCE -> announce(project());
            case PEOPLE -> renew(anyone());
            case DELETE -> delete();
            case COVER_NOTE -> coverNote();
            case NOTE -> note();
        }
    }

    private void join() {
        var person = Person.of(seed, people.size());
        people.add(person);
        if (chance.percent(85)) {
            write(composer.profile(person, dates.next(0)));
        }
        if (chance.percent(55)) {
            write(composer.relayList(person, dates.next(0), someServers(8)));
        }
        if (chance.percent(30)) {
            write(composer.graspList(person, dates.next(0), someServers(4)));
        }
    }

    private void renew(Person person) {
        write(
                switch (chance.below(4)) {
                    case 0, 1 -> composer.profile(person, dates.next(0));
                    case 2 -> composer.relayList(person, dates.next(0), someServers(8));
                    default -> composer.graspList(person, dates.next(0), someServers(4));
                });
    }

    private void found() {
        var copied = projects.size() < 10 || chance.percent(80) ? Optional.<Project>empty() : Optional.of(project());
        var origin = copied.flatMap(this::findCopy).orElseGet(this::fresh);
        var project = new Project(origin);
        projects.add(project);
        write(composer.announcement(project, origin.createdAt()));
        push(project);
    }

    private Project.Origin fresh() {
        var owner = anyone();
        return new Project.Origin(
                owner,
                composer.wording().word(chance) + "-" + composer.wording().word(chance) + "-"
                        + Integer.toString(projects.size(), 36),
                chance.oid(),
                IntStream.range(0, chance.skewed(4))
                        .mapToObj(_ -> anyone())
                        .filter(person -> !person.equals(owner))
                        .distinct()
                        .toList(),
                someServers(3),
                Optional.empty(),
                refs(projects.size()),
                dates.next(0));
    }

    /// How many branches and tags: few, but for some that are not among the most popular, or they would be
    /// half of all bytes.
    private int refs(int number) {
        if (number % LARGE_EVERY == LARGE_FIRST) {
            return LARGE_REFS;
        }
        return number > LARGE_FIRST && chance.percent(4) ? chance.between(60, 300) : chance.length(1, 40);
    }

    /// A fork, or what a maintainer announces beside the owner.
    private Optional<Project.Origin> findCopy(Project upstream) {
        var origin = upstream.origin();
        boolean fork = origin.maintainers().isEmpty() || chance.percent(40);
        var owner = fork ? anyone() : chance.pick(origin.maintainers());
        return origin.upstream().isEmpty() && upstream.admitCopyBy(owner)
                ? Optional.of(new Project.Origin(
                        owner,
                        origin.identifier(),
                        origin.firstCommit(),
                        fork ? List.of() : List.of(upstream.owner()),
                        someServers(3),
                        Optional.of(upstream),
                        Math.min(origin.refs(), 40),
                        dates.next(origin.createdAt())))
                : Optional.empty();
    }

    private void announce(Project project) {
        write(composer.announcement(project, dates.next(project.origin().createdAt())));
    }

    /// Sometimes twice in one second, which only the ids can decide.
    private void push(Project project) {
        long date = chance.percent(3)
                ? project.pushedAt()
                : dates.next(project.origin().createdAt());
        project.push(date);
        write(composer.state(project, date));
    }

    private void open(Project project, int kind) {
        var author = kind != Kinds.ISSUE && chance.percent(30) ? chance.pick(project.members()) : anyone();
        long date = dates.next(project.origin().createdAt());
        var opening = write(
                switch (kind) {
                    case Kinds.ISSUE -> composer.issue(project, author, date);
                    case Kinds.PATCH -> composer.patch(project, author, date, Optional.empty());
                    default -> composer.pullRequest(project, author, date);
                });
        var topic = new Topic(project, opening);
        recentRoots.add(opening.id());
        project.topics().add(topic).ifPresent(this::keepSome);
        if (project.favourite().isEmpty() || chance.below(300) == 0) {
            project.favour(topic);
        }
    }

    private void keepSome(Topic old) {
        if (oldTopics.size() < RECENT_MAX) {
            oldTopics.add(old);
        } else if (chance.percent(10)) {
            oldTopics.set(chance.below(RECENT_MAX), old);
        }
    }

    private void continueSeries(Project project) {
        findTopic(project, Kinds.PATCH)
                .ifPresentOrElse(
                        first -> {
                            long date = dates.next(first.opening().createdAt());
                            write(composer.patch(project, first.opening().author(), date, Optional.of(first)));
                            first.note();
                        },
                        () -> open(project, Kinds.PATCH));
    }

    private void update(Project project) {
        findTopic(project, Kinds.PULL_REQUEST)
                .ifPresentOrElse(
                        request -> {
                            write(composer.update(
                                    request, dates.next(request.opening().createdAt())));
                            request.note();
                        },
                        () -> open(project, Kinds.PULL_REQUEST));
    }

    private static Optional<Topic> findTopic(Project project, int kind) {
        return project.topics().toList().stream()
                .filter(topic -> topic.opening().kind() == kind)
                .findFirst();
    }

    private void comment() {
        if (chance.percent(4)) {
            var project = project();
            write(composer.comment(
                    project, anyone(), dates.next(project.origin().createdAt())));
            return;
        }
        var topic = topic();
        var quoted = chance.percent(6) ? Optional.of(topic().opening()) : Optional.<Past>empty();
        topic.say(write(composer.comment(topic, commenter(topic), dateAfter(topic, quoted), quoted)));
    }

    private long dateAfter(Topic topic, Optional<Past> quoted) {
        long last = topic.last().createdAt();
        return dates.next(quoted.map(quote -> Math.max(last, quote.createdAt())).orElse(last));
    }

    private Person commenter(Topic topic) {
        int lot = chance.below(100);
        if (lot < 35) {
            return chance.pick(topic.project().members());
        }
        return lot < 60 ? topic.opening().author() : anyone();
    }

    private void status() {
        var topic = topic();
        var author = chance.percent(80)
                ? chance.pick(topic.project().members())
                : topic.opening().author();
        int lot = chance.below(100);
        int kind = lot < 45
                ? Kinds.STATUS_APPLIED
                : lot < 70 ? Kinds.STATUS_CLOSED : lot < 90 ? Kinds.STATUS_OPEN : Kinds.STATUS_DRAFT;
        write(composer.status(topic, author, dates.next(topic.opening().createdAt()), kind));
        topic.note();
    }

    private void react() {
        var topic = topic();
        write(composer.reaction(topic, anyone(), dates.next(topic.last().createdAt())));
    }

    private void label() {
        var topic = topic();
        write(composer.label(
                topic,
                chance.pick(topic.project().members()),
                dates.next(topic.opening().createdAt())));
        topic.note();
    }

    private void coverNote() {
        var topic = topic();
        write(composer.coverNote(
                topic, topic.opening().author(), dates.next(topic.opening().createdAt())));
        topic.note();
    }

    private void note() {
        var topic = topic();
        write(composer.note(topic, anyone(), dates.next(topic.opening().createdAt())));
    }

    /// People delete what they wrote, now and then a whole state, and try to delete what others wrote.
    private void delete() {
        if (chance.percent(5)) {
            var project = project();
            write(composer.deletionOfState(project, dates.next(project.origin().createdAt())));
            return;
        }
        var unwanted = recent.newest(chance.skewed(recent.size()));
        var author = chance.percent(93) ? unwanted.author() : anyone();
        write(composer.deletion(author, dates.next(unwanted.createdAt()), unwanted));
    }

    private Person anyone() {
        return chance.pickSkewed(people);
    }

    private Project project() {
        return chance.pickSkewed(projects);
    }

    /// Something to talk about: mostly new, sometimes what everybody talks about, rarely something old. Who
    /// finds nothing opens an issue.
    private Topic topic() {
        int lot = chance.below(100);
        if (lot < 5 && !oldTopics.isEmpty()) {
            return chance.pick(oldTopics);
        }
        var project = project();
        if (project.topics().isEmpty()) {
            open(project, Kinds.ISSUE);
        }
        var topics = project.topics();
        return project.favourite().filter(_ -> lot < 30).orElseGet(() -> topics.newest(chance.skewed(topics.size())));
    }

    private List<String> someServers(int max) {
        return IntStream.rangeClosed(0, chance.below(max))
                .mapToObj(_ -> chance.pickSkewed(servers))
                .distinct()
                .toList();
    }

    private Past write(UnsignedEvent event) {
        pending.add(event);
        if (event.past().kind() != Kinds.DELETION) {
            recent.add(event.past());
        }
        return event.past();
    }

    /// What people do, and how often in a thousand times.
    private enum Deed {
        COMMENT(360),
        STATUS(105),
        REACTION(95),
        LABEL(32),
        ISSUE(86),
        PATCH(34),
        SERIES(30),
        PULL_REQUEST(45),
        UPDATE(36),
        PUSH(125),
        ANNOUNCE(10),
        PEOPLE(14),
        DELETE(11),
        COVER_NOTE(5),
        NOTE(12);

        private static final List<Deed> LOTS = Stream.of(values())
                .flatMap(deed -> Stream.generate(() -> deed).limit(deed.lots))
                .toList();

        private final int lots;

        Deed(int lots) {
            this.lots = lots;
        }

        static Deed drawn(Chance chance) {
            return chance.pick(LOTS);
        }
    }
}
