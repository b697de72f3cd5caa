// Package joblog keeps what jobs print: batches of numbered lines are stored as they come, compressed, and read by number.
//
//	worker ─► Append ─► log_chunks (one row a batch) + jobs.next_line ─► Bus ─► Follow ─► browser, command line
//	                          │                                                Read      tail, range, search
//	                          └─ Compact merges small rows                     Download  everything
//
// jobs.next_line is the truth about what is stored: a batch that begins before it is a resend, one that begins after it would leave a
// gap. It changes in the transaction that stores the lines, so there is never a number without its line.
package joblog

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"nightshift/ent"
	"nightshift/ent/job"
	"nightshift/logframe"
	"nightshift/server/db"
	"nightshift/server/fault"
	"nightshift/server/pubsub"
)

// The limits of one batch, and of one answer.
const (
	MaxBody  = 8 << 20 // bytes of data in the request
	maxBatch = 4 << 20 // bytes of lines, unpacked
	// What a stored chunk may unpack to; more than a batch, since merging adds a little.
	maxChunk = 2 * maxBatch

	DefaultTail = 2000
	maxLines    = 10_000
	maxText     = 8 << 20
)

// Room keeps the logs of all jobs.
type Room struct {
	DB  *db.DB
	Bus *pubsub.Bus
	Log *slog.Logger

	mu   sync.Mutex
	live map[int64]*live
}

// Check finds and locks the job in the transaction and proves that the sender may write for it: the lease, or the job's own token.
type Check func(ctx context.Context, tx *db.Tx) (*ent.Job, error)

// Line is a line with its number, from 1.
type Line struct {
	Number int64
	logframe.Line
}

// state is how far a job's log has come.
type state struct {
	next  int64 // the number of the next line to store
	ended bool
}

func (r *Room) state(ctx context.Context, id int64) (s state, err error) {
	rows, err := r.DB.Query(ctx, `SELECT next_line, status FROM jobs WHERE id = ?`, id)
	if err != nil {
		return s, err
	}
	defer rows.Close()
	if !rows.Next() {
		if err := rows.Err(); err != nil {
			return s, err
		}
		return s, fault.Missing("job")
	}
	var status string
	if err := rows.Scan(&s.next, &status); err != nil {
		return s, err
	}
	s.ended = Ended(job.Status(status))
	return s, nil
}

// Ended tells whether nothing more can come.
func Ended(s job.Status) bool {
	return s == job.StatusCompleted || s == job.StatusFailed || s == job.StatusCanceled
}

// live is what this server remembers of a log that grows: the unfinished last line, which is not stored, and the newest batches, so
// that ten followers do not read the same row ten times. It may be forgotten at any time.
type live struct {
	touched time.Time

	// The unfinished last line. With several servers it is known only to the one that the worker talks to; the others show it
	// when it is complete.
	partial *Line

	followers int
	recent    []recentBatch // without a gap; kept only while somebody follows
	bytes     int

	small        int   // chunks worth merging since the last time
	compacted    int64 // every chunk that begins before it has been merged
	compacting   bool
	progressAt   time.Time // when progress was last announced
	progressNext bool      // it will be announced again in a moment
}

type recentBatch struct {
	first int64
	batch logframe.Batch
}

const (
	recentBytes = 1 << 20
	previewText = 8 << 10
	liveJobs    = 1000
	liveIdle    = 10 * time.Minute
)

// liveOf is the memory of a job; the lock is held.
func (r *Room) liveOf(id int64) *live {
	if r.live == nil {
		r.live = map[int64]*live{}
	}
	l := r.live[id]
	if l == nil {
		if len(r.live) >= liveJobs {
			r.forgetIdle()
		}
		l = &live{}
		r.live[id] = l
	}
	l.touched = time.Now()
	return l
}

func (r *Room) forgetIdle() {
	for id, l := range r.live {
		if l.followers == 0 && !l.compacting && !l.progressNext && time.Since(l.touched) > liveIdle {
			delete(r.live, id)
		}
	}
}

// partialOf is the unfinished line, if its number is next.
func (r *Room) partialOf(id, next int64) *Line {
	r.mu.Lock()
	defer r.mu.Unlock()
	if l := r.live[id]; l != nil && l.partial != nil && l.partial.Number == next {
		return l.partial
	}
	return nil
}
