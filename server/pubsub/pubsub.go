// Package pubsub tells those who wait that something changed: topics and ids, never content. Whoever is told reads again from its own
// cursor, so a message that is lost or comes twice does no harm.
package pubsub

import (
	"fmt"
	"sync"
)

// The topics.
func Jobs(project int64) string { return fmt.Sprintf("jobs:%d", project) } // the change feed of a project has grown
func Log(job int64) string      { return fmt.Sprintf("log:%d", job) }      // a job's log has grown
func Events(job int64) string   { return fmt.Sprintf("events:%d", job) }   // a job's timeline has grown
// Feed says that some project's change feed has grown: for the one reader of each server.
func Feed() string { return "feed" }

// Work says that a computer may have work for the workers of a project, or that one of its running jobs is to be stopped.
func Work(computer int64) string { return fmt.Sprintf("work:%d", computer) }

// Bus connects publishers and subscribers, in this process and, with a relay, in others.
type Bus struct {
	mu     sync.Mutex
	topics map[string]map[*Sub]struct{}
	// relay carries topics to other servers; nil when there is only one.
	relay func(topics []string)
}

// New makes a bus for one process.
func New() *Bus { return &Bus{topics: map[string]map[*Sub]struct{}{}} }

// Sub is one subscription. C has room for one message: being told twice is the same as once.
type Sub struct {
	C      chan struct{}
	bus    *Bus
	topics []string
}

// Subscribe asks to be told of topics until Close.
func (b *Bus) Subscribe(topics ...string) *Sub {
	s := &Sub{C: make(chan struct{}, 1), bus: b, topics: topics}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, t := range topics {
		if b.topics[t] == nil {
			b.topics[t] = map[*Sub]struct{}{}
		}
		b.topics[t][s] = struct{}{}
	}
	return s
}

// Close ends the subscription.
func (s *Sub) Close() {
	s.bus.mu.Lock()
	defer s.bus.mu.Unlock()
	for _, t := range s.topics {
		delete(s.bus.topics[t], s)
		if len(s.bus.topics[t]) == 0 {
			delete(s.bus.topics, t)
		}
	}
}

// Publish tells all subscribers of the topics, here and on other servers. It never blocks.
func (b *Bus) Publish(topics ...string) {
	b.local(topics)
	b.mu.Lock()
	relay := b.relay
	b.mu.Unlock()
	if relay != nil {
		relay(topics)
	}
}

func (b *Bus) local(topics []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, t := range topics {
		for s := range b.topics[t] {
			select {
			case s.C <- struct{}{}:
			default:
			}
		}
	}
}

// Everyone tells all subscribers of everything to read again: after a gap in the relay.
func (b *Bus) Everyone() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, subs := range b.topics {
		for s := range subs {
			select {
			case s.C <- struct{}{}:
			default:
			}
		}
	}
}

// Subscribers counts the open subscriptions, for metrics and leak tests.
func (b *Bus) Subscribers() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	seen := map[*Sub]struct{}{}
	for _, subs := range b.topics {
		for s := range subs {
			seen[s] = struct{}{}
		}
	}
	return len(seen)
}
