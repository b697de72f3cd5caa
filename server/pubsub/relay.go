package pubsub

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/lib/pq"
)

// The relay carries topics between servers that share one PostgreSQL database.
//
//	Publish ─► pending (a set) ─► at most every 25 ms one NOTIFY, on a connection of its own ─► every server's LISTEN ─► Bus.local
//
// NOTIFY inside the business transaction would serialise all commits, so it is sent outside and afterwards. A notification may therefore
// be lost (a server that dies in between, a cut connection): lib/pq reports each reconnect of the listener, and then everyone reads again.
const (
	relayChannel  = "nightshift"
	relayInterval = 25 * time.Millisecond
	relayPing     = 60 * time.Second
	relayPong     = 15 * time.Second
	// PostgreSQL refuses payloads of 8,000 bytes.
	relayPayload = 7500
	// More topics than this at once are said with one word: everything.
	relayTopics = 2000
)

// message is one NOTIFY: who sent it, so that nobody listens to themselves, and what has changed.
type message struct {
	From       string   `json:"f"`
	Topics     []string `json:"t,omitempty"`
	Everything bool     `json:"all,omitempty"`
}

type relay struct {
	bus *Bus
	id  string
	db  *sql.DB

	mu         sync.Mutex
	pending    map[string]struct{}
	everything bool
	wake       chan struct{}
}

// StartRelay connects the bus to those of other servers over LISTEN and NOTIFY until ctx ends. It returns once it listens.
func (b *Bus) StartRelay(ctx context.Context, url string) error {
	db, err := sql.Open("postgres", url)
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	r := &relay{bus: b, id: rand.Text(), db: db, pending: map[string]struct{}{}, wake: make(chan struct{}, 1)}
	l := newListener(url)
	if err := listen(ctx, l); err != nil {
		l.Close()
		db.Close()
		return fmt.Errorf("listen for other servers: %w", err)
	}
	b.mu.Lock()
	b.relay = r.add
	b.mu.Unlock()
	go r.receive(ctx, l, url)
	go r.send(ctx)
	return nil
}

func newListener(url string) *pq.Listener {
	return pq.NewListener(url, 100*time.Millisecond, 5*time.Second, nil)
}

// listen does not wait for ever on a database that is not there: pq.Listener itself would.
func listen(ctx context.Context, l *pq.Listener) error {
	done := make(chan error, 1)
	go func() { done <- l.Listen(relayChannel) }()
	select {
	case err := <-done:
		return err
	case <-time.After(15 * time.Second):
		return fmt.Errorf("the database did not answer within 15 s")
	case <-ctx.Done():
		return ctx.Err()
	}
}

// add notes topics to be sent. It never blocks.
func (r *relay) add(topics []string) {
	r.mu.Lock()
	for _, t := range topics {
		r.pending[t] = struct{}{}
	}
	r.shorten()
	r.mu.Unlock()
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// shorten keeps what waits small while the database is away.
func (r *relay) shorten() {
	if len(r.pending) > relayTopics {
		r.everything = true
		clear(r.pending)
	}
}

// take empties the pending set into messages that fit.
func (r *relay) take() (out []message) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.everything {
		r.everything = false
		clear(r.pending)
		return []message{{From: r.id, Everything: true}}
	}
	m, size := message{From: r.id}, 0
	for t := range r.pending {
		if size+len(t)+3 > relayPayload {
			out = append(out, m)
			m, size = message{From: r.id}, 0
		}
		m.Topics = append(m.Topics, t)
		size += len(t) + 3
	}
	clear(r.pending)
	if len(m.Topics) > 0 {
		out = append(out, m)
	}
	return out
}

// putBack keeps what could not be sent.
func (r *relay) putBack(ms []message) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range ms {
		r.everything = r.everything || m.Everything
		for _, t := range m.Topics {
			r.pending[t] = struct{}{}
		}
	}
	r.shorten()
}

func (r *relay) send(ctx context.Context) {
	defer r.db.Close()
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.wake:
		}
		wait := relayInterval
		for ms := r.take(); len(ms) > 0; ms = ms[1:] {
			payload, _ := json.Marshal(ms[0])
			if _, err := r.db.ExecContext(ctx, `SELECT pg_notify($1, $2)`, relayChannel, string(payload)); err != nil {
				r.putBack(ms)
				wait = time.Second
				select {
				case r.wake <- struct{}{}:
				default:
				}
				break
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
	}
}

// receive hands on what other servers say, over a new listener whenever the old one has gone silent.
func (r *relay) receive(ctx context.Context, l *pq.Listener, url string) {
	for {
		r.hear(ctx, l)
		l.Close()
		if ctx.Err() != nil {
			return
		}
		l = newListener(url)
		for listen(ctx, l) != nil {
			select {
			case <-ctx.Done():
				l.Close()
				return
			case <-time.After(time.Second):
			}
		}
		r.bus.Everyone()
	}
}

// hear returns when ctx ends or a ping stays without answer: a connection can die without a word, and TCP takes a quarter of an hour
// to notice.
func (r *relay) hear(ctx context.Context, l *pq.Listener) {
	ping := time.NewTicker(relayPing)
	defer ping.Stop()
	pong := make(chan struct{}, 1)
	var deadline <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-ping.C:
			if deadline == nil {
				deadline = time.After(relayPong)
				go func() { // ends at the latest when the listener is closed
					l.Ping()
					pong <- struct{}{}
				}()
			}
		case <-pong:
			deadline = nil
		case <-deadline:
			return
		case n, ok := <-l.Notify:
			if !ok {
				return
			}
			r.heard(n)
		}
	}
}

func (r *relay) heard(n *pq.Notification) {
	if n == nil { // connected again: something may have been missed
		r.bus.Everyone()
		return
	}
	var m message
	if json.Unmarshal([]byte(n.Extra), &m) != nil || m.From == r.id {
		return
	}
	if m.Everything {
		r.bus.Everyone()
		return
	}
	r.bus.local(m.Topics)
}
