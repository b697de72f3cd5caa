// Package feed is the change feed of jobs: a row in the transaction that changed a job, a notification after its commit, and readers
// that follow with a cursor.
//
//	queue … ─► outbox row (same transaction) ─► commit ─► Bus ─► the one reader of this server ─► followers of the project
//
// A row says only which job changed. Whoever follows loads the job as it is now, so being told twice does no harm and a follower that
// is slow is told once of what changed many times meanwhile.
package feed

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"nightshift/server/db"
	"nightshift/server/pubsub"
)

const (
	// A follower hears at most once in this time.
	batchInterval = 200 * time.Millisecond
	// The reader reads at most once in this time, and this often even when nobody says anything.
	readInterval = 20 * time.Millisecond
	pollInterval = 2 * time.Second
	// Jobs in one batch, and how many may wait for a follower before it is told to query again.
	batchJobs   = 500
	pendingJobs = 5000
	// Changes kept in memory for those who come back with a cursor.
	keepChanges = 1 << 16
	// Rows are of no use after this: who comes back later queries again.
	keepRows = time.Hour
)

// Room is the change feed of one server. Run must be running for Follow to hear anything.
type Room struct {
	DB  *db.DB
	Bus *pubsub.Bus
	Log *slog.Logger

	mu        sync.Mutex
	loaded    bool
	floor     position // every change after it is in recent
	last      position // of the newest change read
	seq       uint64   // of the newest change read; counts from 1 at the start of this server
	recent    []change // oldest first, seq without a gap
	followers map[int64]map[*follower]struct{}
	passed    chan struct{} // closed after the next pass of the reader
	poke      chan struct{}
}

// change is one row of the outbox.
type change struct {
	at           position
	project, job int64
}

// Changed notes in the caller's transaction that a job changed, and tells the followers once it is committed.
func Changed(ctx context.Context, tx *db.Tx, bus *pubsub.Bus, project, job int64) error {
	if _, err := tx.Exec(ctx, `INSERT INTO outbox (project_id, job_id, at) VALUES (?, ?, ?)`, project, job, db.Now()); err != nil {
		return err
	}
	tx.AfterCommit(func() { bus.Publish(pubsub.Jobs(project), pubsub.Events(job), pubsub.Feed()) })
	return nil
}

// Seq is how many changes the reader has seen: what is loaded now is at least as new as all of them.
func (r *Room) Seq() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.seq
}

// prepare makes the parts that a plain struct literal leaves out. The lock is held.
func (r *Room) prepare() {
	if r.followers == nil {
		r.followers = map[int64]map[*follower]struct{}{}
		r.passed = make(chan struct{})
		r.poke = make(chan struct{}, 1)
	}
}

// pass waits until the reader has read once more from now on.
func (r *Room) pass(ctx context.Context) error {
	r.mu.Lock()
	r.prepare()
	c := r.passed
	r.mu.Unlock()
	select {
	case r.poke <- struct{}{}:
	default:
	}
	select {
	case <-c:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
