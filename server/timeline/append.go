// Package timeline keeps what happened to a job, line by line: codes with arguments, written in the transaction of what they tell.
package timeline

import (
	"context"
	"log/slog"

	"nightshift/ent/jobevent"
	"nightshift/server/db"
	"nightshift/server/pubsub"
)

// Room keeps the timelines of all jobs.
type Room struct {
	DB  *db.DB
	Bus *pubsub.Bus
	Log *slog.Logger
}

// Event is one line of a job's timeline.
type Event struct {
	Job      int64
	Attempt  int
	Type     string
	Source   string            // system when empty
	Severity jobevent.Severity // INFO when empty
	Args     map[string]any
	Actor    int64 // the person who did it, 0 for nobody
}

// Append writes events in the caller's transaction.
func Append(ctx context.Context, tx *db.Tx, events ...Event) error {
	for _, e := range events {
		c := tx.JobEvent.Create().SetJobID(e.Job).SetType(e.Type).SetTime(db.Now()).SetAttempt(max(e.Attempt, 1))
		if e.Source != "" {
			c.SetSource(e.Source)
		}
		if e.Severity != "" {
			c.SetSeverity(e.Severity)
		}
		if e.Args != nil {
			c.SetArgs(Clean(e.Args).(map[string]any))
		}
		if e.Actor != 0 {
			c.SetActorID(e.Actor).SetSource("user")
		}
		if err := c.Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}
