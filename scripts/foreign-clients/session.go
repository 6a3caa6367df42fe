// A client on go-nostr talks to a relay. Argument: the relay's URL.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nbd-wtf/go-nostr"
	"github.com/nbd-wtf/go-nostr/nip77"
)

var (
	key      = nostr.GeneratePrivateKey()
	me, _    = nostr.GetPublicKey(key)
	failures = 0
)

func check(step string, holds bool, seen any) {
	if holds {
		fmt.Println("PASS go-nostr:", step)
		return
	}
	failures++
	fmt.Printf("FAIL go-nostr: %s; seen: %v\n", step, seen)
}

func sign(kind int, content string, at nostr.Timestamp, tags ...nostr.Tag) nostr.Event {
	event := nostr.Event{Kind: kind, Content: content, CreatedAt: at, Tags: tags}
	if err := event.Sign(key); err != nil {
		panic(err)
	}
	return event
}

func ids(events []*nostr.Event) []string {
	found := []string{}
	for _, event := range events {
		found = append(found, event.ID)
	}
	return found
}

func publishAndQuery(ctx context.Context, relay *nostr.Relay) {
	var notes []nostr.Event
	var refusals error
	for i := range 6 {
		notes = append(notes, sign(1, fmt.Sprint("note ", i), nostr.Timestamp(1_700_000_000+i),
			nostr.Tag{"t", []string{"even", "odd"}[i%2]}))
		refusals = errors.Join(refusals, relay.Publish(ctx, notes[i]))
	}
	check("six events are taken", refusals == nil, refusals)
	since, until := nostr.Timestamp(1_700_000_001), nostr.Timestamp(1_700_000_003)
	for _, question := range []struct {
		by       string
		filter   nostr.Filter
		expected []int
	}{
		{"ids", nostr.Filter{IDs: []string{notes[2].ID, notes[4].ID}}, []int{4, 2}},
		{"authors", nostr.Filter{Authors: []string{me}}, []int{5, 4, 3, 2, 1, 0}},
		{"kinds", nostr.Filter{Authors: []string{me}, Kinds: []int{7}}, nil},
		{"a tag", nostr.Filter{Authors: []string{me}, Tags: nostr.TagMap{"t": {"odd"}}}, []int{5, 3, 1}},
		{"since and until", nostr.Filter{Authors: []string{me}, Since: &since, Until: &until}, []int{3, 2, 1}},
		{"limit", nostr.Filter{Authors: []string{me}, Limit: 2}, []int{5, 4}},
	} {
		expected := []string{}
		for _, i := range question.expected {
			expected = append(expected, notes[i].ID)
		}
		seen, err := relay.QuerySync(ctx, question.filter)
		slices.SortFunc(seen, func(a, b *nostr.Event) int { return int(b.CreatedAt - a.CreatedAt) }) // it keeps no order
		check("query by "+question.by, err == nil && slices.Equal(ids(seen), expected), ids(seen))
	}
	count, _, err := relay.Count(ctx, nostr.Filters{{Authors: []string{me}, Tags: nostr.TagMap{"t": {"even"}}}})
	check("count", err == nil && count == 3, count)
}

func live(ctx context.Context, relay, writer *nostr.Relay) {
	feed, err := relay.Subscribe(ctx, nostr.Filters{{Authors: []string{me}, Kinds: []int{1}, LimitZero: true}})
	if err != nil {
		check("a subscription", false, err)
		return
	}
	defer feed.Unsub()
	<-feed.EndOfStoredEvents
	note := sign(1, "live", nostr.Now())
	check("an event of another connection is taken", writer.Publish(ctx, note) == nil, "")
	select {
	case event := <-feed.Events:
		check("and arrives live", event.ID == note.ID, event)
	case <-ctx.Done():
		check("and arrives live", false, "nothing")
	}
}

func replaceAndDelete(ctx context.Context, relay *nostr.Relay) {
	now := nostr.Now()
	old, young := sign(30617, "old", now-10, nostr.Tag{"d", "x"}), sign(30617, "new", now-5, nostr.Tag{"d", "x"})
	mine := nostr.Filter{Authors: []string{me}, Kinds: []int{30617}}
	refusals := errors.Join(relay.Publish(ctx, old), relay.Publish(ctx, young))
	seen, _ := relay.QuerySync(ctx, mine)
	check("a newer version replaces the older", refusals == nil && slices.Equal(ids(seen), []string{young.ID}), refusals)
	refusals = relay.Publish(ctx, sign(5, "", nostr.Now(), nostr.Tag{"a", "30617:" + me + ":x"}))
	seen, _ = relay.QuerySync(ctx, mine)
	check("a deletion request takes it away", refusals == nil && len(seen) == 0, refusals)
}

func authenticate(ctx context.Context, relay *nostr.Relay) {
	protected := sign(1, "protected", nostr.Now(), nostr.Tag{"-"})
	err := relay.Publish(ctx, protected)
	check("a protected event is refused without authentication",
		err != nil && strings.Contains(err.Error(), "auth-required: "), err)
	err = relay.Auth(ctx, func(event *nostr.Event) error { return event.Sign(key) })
	check("its author authenticates", err == nil, err)
	err = relay.Publish(ctx, protected)
	check("and then it is taken", err == nil, err)
}

// What the client keeps: a map, because a sync needs no more.
type memory struct {
	sync.Mutex
	events map[string]nostr.Event
}

func (store *memory) Publish(_ context.Context, event nostr.Event) error {
	store.Lock()
	defer store.Unlock()
	store.events[event.ID] = event
	return nil
}

func (store *memory) QuerySync(_ context.Context, filter nostr.Filter) ([]*nostr.Event, error) {
	store.Lock()
	defer store.Unlock()
	var found []*nostr.Event
	for _, event := range store.events {
		if filter.Matches(&event) {
			found = append(found, &event)
		}
	}
	return found, nil
}

func (store *memory) QueryEvents(ctx context.Context, filter nostr.Filter) (chan *nostr.Event, error) {
	found, _ := store.QuerySync(ctx, filter)
	events := make(chan *nostr.Event, len(found))
	defer close(events)
	for _, event := range found {
		events <- event
	}
	return events, nil
}

func synchronize(ctx context.Context, relay *nostr.Relay) {
	store := &memory{events: map[string]nostr.Event{}}
	var refusals error
	for i := range 600 {
		event := sign(1621, fmt.Sprint("issue ", i), nostr.Timestamp(1_700_000_000+i/3))
		if i%6 != 0 {
			refusals = errors.Join(refusals, relay.Publish(ctx, event)) // all but 100
		}
		if i%6 != 1 {
			_ = store.Publish(ctx, event) // all but 100 others
		}
	}
	check("500 events are taken", refusals == nil, refusals)
	mine := nostr.Filter{Authors: []string{me}, Kinds: []int{1621}}
	err := nip77.NegentropySync(ctx, store, relay.URL, mine, nip77.Both)
	check("negentropy runs to its end", err == nil, err)
	count, _, _ := relay.Count(ctx, nostr.Filters{mine})
	check("the relay has everything afterwards", count == 600, count)
	check("the client has everything afterwards", len(store.events) == 600, len(store.events))
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	relay, err := nostr.RelayConnect(ctx, os.Args[1])
	writer, err2 := nostr.RelayConnect(ctx, os.Args[1])
	if err = errors.Join(err, err2); err != nil {
		check("the client connects", false, err)
		os.Exit(1)
	}
	publishAndQuery(ctx, relay)
	live(ctx, relay, writer)
	replaceAndDelete(ctx, relay)
	authenticate(ctx, writer)
	synchronize(ctx, writer)
	if failures > 0 {
		os.Exit(1)
	}
}
