// Package queue is a job's life: launch, claim, lease, end. It is the only place that writes a job's status, and every change of it is
// one transaction with one event and one line in the change feed.
package queue

import (
	"context"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"nightshift/ent"
	"nightshift/ent/job"
	"nightshift/server/access"
	"nightshift/server/db"
	"nightshift/server/fault"
	"nightshift/server/feed"
	"nightshift/server/pubsub"
	"nightshift/server/timeline"
)

// The two constants of silence, judged by the server's clock (features.md, Settled).
const (
	NoResponseAfter = 60 * time.Second
	OfflineAfter    = 120 * time.Second
	HeartbeatEvery  = 10 * time.Second
	// Grace is what a process gets between SIGTERM and SIGKILL.
	Grace = 10 * time.Second
	// PatienceBeforeReserving is how long a job that does not fit is passed by others before what it needs is kept free for it.
	PatienceBeforeReserving = 10 * time.Minute
)

// Room is the queue's room.
type Room struct {
	DB  *db.DB
	Bus *pubsub.Bus
	Log *slog.Logger
	// Vault keeps secretEnvironment; nil refuses launches that have one.
	Vault *Vault
	// LocalExecutor lets LOCAL computers' jobs be claimed (NIGHTSHIFT_ALLOW_LOCAL_EXECUTOR).
	LocalExecutor bool
	// Ended is called after the commit of a job's end; may be nil.
	Ended func(jobID int64)
	// Now is the server's clock; db.Now when nil.
	Now func() time.Time

	presence presence
}

func (r *Room) now() time.Time {
	if r.Now != nil {
		return r.Now().UTC().Truncate(time.Microsecond)
	}
	return db.Now()
}

// presence counts the open work subscriptions per worker: a worker that has one is alive.
type presence struct {
	mu   sync.Mutex
	open map[int64]map[string]int
}

// Present notes that a worker's process listens for work until the returned func is called.
func (r *Room) Present(worker int64, instance string) func() {
	p := &r.presence
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open == nil {
		p.open = map[int64]map[string]int{}
	}
	if p.open[worker] == nil {
		p.open[worker] = map[string]int{}
	}
	p.open[worker][instance]++
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.open[worker][instance]--; p.open[worker][instance] <= 0 {
			delete(p.open[worker], instance)
		}
	}
}

// otherPresent tells whether another process of the worker listens now.
func (r *Room) otherPresent(worker int64, instance string) bool {
	r.presence.mu.Lock()
	defer r.presence.mu.Unlock()
	for other := range r.presence.open[worker] {
		if other != instance {
			return true
		}
	}
	return false
}

// lock reads jobs for a change, in the order of their keys, so that two transactions cannot wait for each other.
func lock(ctx context.Context, tx *db.Tx, where ...func(*ent.JobQuery)) ([]*ent.Job, error) {
	q := tx.Job.Query().Order(job.ByID())
	for _, w := range where {
		w(q)
	}
	if tx.Postgres() {
		q.ForUpdate()
	}
	return q.All(ctx)
}

func lockOne(ctx context.Context, tx *db.Tx, uuid string) (*ent.Job, error) {
	js, err := lock(ctx, tx, func(q *ent.JobQuery) { q.Where(job.UUID(uuid)) })
	if err != nil {
		return nil, err
	}
	if len(js) == 0 {
		return nil, fault.Missing("job")
	}
	return js[0], nil
}

// note writes an event and the change feed's line for a job.
func (r *Room) note(ctx context.Context, tx *db.Tx, j *ent.Job, e timeline.Event) error {
	e.Job, e.Attempt = j.ID, j.Attempt
	if e.Actor == 0 {
		if v := access.From(ctx); v.Person() {
			e.Actor = v.UserID()
		}
	}
	if err := timeline.Append(ctx, tx, e); err != nil {
		return err
	}
	return feed.Changed(ctx, tx, r.Bus, j.ProjectID, j.ID)
}

// nudge tells the workers of a computer, after the commit, to look for work or for stops.
func (r *Room) nudge(tx *db.Tx, computer int64) {
	tx.AfterCommit(func() { r.Bus.Publish(pubsub.Work(computer)) })
}

// ID reads a decimal key; what is not one can belong to nothing.
func ID(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return -1
	}
	return n
}

// Nudge tells the workers of a computer that its settings have changed.
func (r *Room) Nudge(computer int64) { r.Bus.Publish(pubsub.Work(computer)) }
