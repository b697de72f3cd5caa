package timeline

import (
	"context"
	"strconv"
	"time"

	"nightshift/ent"
	"nightshift/ent/jobevent"
	"nightshift/server/db"
	"nightshift/server/fault"
	"nightshift/server/pubsub"
)

// Cursor is an event's place in its timeline, opaque to clients.
func Cursor(e *ent.JobEvent) string { return "e" + strconv.FormatInt(e.ID, 36) }

// ParseCursor reads a cursor; empty is the beginning.
func ParseCursor(s string) (int64, error) {
	if s == "" {
		return 0, nil
	}
	id, err := strconv.ParseInt(s[1:], 36, 64)
	if s[0] != 'e' || err != nil || id < 0 {
		return 0, fault.Invalid("after", "This cursor was not given out by the server: leave it out to start at the beginning.")
	}
	return id, nil
}

// List gives up to first events of a job after the one with that id, oldest first, and whether there are more. The caller has checked
// that the viewer may see the job.
func (r *Room) List(ctx context.Context, job, after int64, first int) (events []*ent.JobEvent, more bool, err error) {
	events, err = r.DB.JobEvent.Query().Where(jobevent.JobID(job), jobevent.IDGT(after)).Order(jobevent.ByID()).Limit(first + 1).All(ctx)
	if err != nil || len(events) <= first {
		return events, false, err
	}
	return events[:first], true, nil
}

const (
	followPage = 100
	// How often a follower looks without having been told: a notification between servers may be lost.
	followPoll = 10 * time.Second
	// On PostgreSQL an event may become visible after one with a higher id, by at most the length of a transaction.
	followLate = 15 * time.Second
)

// Follow gives a job's events after the one with that id, each once, then every new one, until ctx ends.
func (r *Room) Follow(ctx context.Context, job, after int64) <-chan *ent.JobEvent {
	out := make(chan *ent.JobEvent)
	sub := r.Bus.Subscribe(pubsub.Events(job))
	go func() {
		defer close(out)
		defer sub.Close()
		w := window{low: after, sent: map[int64]time.Time{}}
		for {
			more, err := r.pass(ctx, job, &w, out)
			if ctx.Err() != nil {
				return
			}
			if err != nil {
				r.Log.Warn("a timeline could not be followed", "job", job, "error", err)
			}
			if more && err == nil {
				continue
			}
			t := time.NewTimer(followPoll)
			select {
			case <-ctx.Done():
			case <-sub.C:
			case <-t.C:
			}
			t.Stop()
		}
	}()
	return out
}

// pass sends what has not been sent.
func (r *Room) pass(ctx context.Context, job int64, w *window, out chan<- *ent.JobEvent) (more bool, err error) {
	w.forget(db.Now())
	events, more, err := r.List(ctx, job, w.low, followPage+len(w.sent))
	if err != nil {
		return false, err
	}
	for _, e := range events {
		if _, ok := w.sent[e.ID]; ok {
			continue
		}
		select {
		case out <- e:
		case <-ctx.Done():
			return false, ctx.Err()
		}
		if r.DB.Postgres() {
			w.sent[e.ID] = db.Now()
		} else { // ids are given in commit order
			w.low = e.ID
		}
	}
	return more, nil
}

// window remembers what was sent of late, so that reading a little way back finds an event that came into sight after a later one
// without repeating the others.
type window struct {
	low  int64 // everything up to it has been sent, and nothing more can appear there
	sent map[int64]time.Time
}

func (w *window) forget(now time.Time) {
	for id, at := range w.sent {
		if now.Sub(at) > followLate {
			w.low = max(w.low, id)
		}
	}
	for id := range w.sent {
		if id <= w.low {
			delete(w.sent, id)
		}
	}
}
