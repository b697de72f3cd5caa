package timeline

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"time"

	"nightshift/ent"
	"nightshift/ent/jobevent"
	"nightshift/server/db"
	"nightshift/server/fault"
	"nightshift/server/pubsub"
)

// The limits of one call, and of one event.
const (
	maxEvents   = 100
	maxArgs     = 16 << 10
	maxKey      = 128
	maxType     = 64
	maxSource   = 64
	maxDuration = 10 * 365 * 24 * time.Hour
)

// Reported is an event that a worker or a job's own code reports.
type Reported struct {
	Key             string // unique per job: the same one is stored once
	Type            string
	Source          string            // worker-0 when empty
	Severity        jobevent.Severity // INFO when empty
	Time            *time.Time        // now when nil
	DurationSeconds *float64
	Args            any // an object, or nil
}

// Check finds the job in the transaction and proves that the sender may write for it: the lease, or the job's own token.
type Check func(ctx context.Context, tx *db.Tx) (*ent.Job, error)

// Record stores reported events and tells how many of them were new. Sending them again changes nothing.
func (r *Room) Record(ctx context.Context, check Check, events []Reported) (stored int, err error) {
	rows, err := prepare(events)
	if err != nil {
		return 0, err
	}
	err = r.DB.InTx(ctx, func(tx *db.Tx) error {
		stored = 0
		job, err := check(ctx, tx)
		if err != nil || len(rows) == 0 {
			return err
		}
		if stored, err = insert(ctx, tx, job, rows); err != nil {
			return err
		}
		if stored > 0 {
			tx.AfterCommit(func() { r.Bus.Publish(pubsub.Events(job.ID)) })
		}
		return nil
	})
	return stored, err
}

// row is a checked event, ready to be stored.
type row struct {
	Reported
	args any // JSON text, or nil
}

var (
	typePattern   = regexp.MustCompile(`^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$`)
	sourcePattern = regexp.MustCompile(`^[a-z][a-z0-9_.-]*$`)
)

func prepare(events []Reported) ([]row, error) {
	if len(events) > maxEvents {
		return nil, fault.Invalid("events", "At most %d events are taken in one call: send the rest in the next.", maxEvents)
	}
	rows := make([]row, 0, len(events))
	for i, e := range events {
		e.Key = CleanText(e.Key)
		if e.Source == "" {
			e.Source = "worker-0"
		}
		if e.Severity == "" {
			e.Severity = jobevent.SeverityInfo
		}
		switch {
		case e.Key == "" || len(e.Key) > maxKey:
			return nil, fault.Invalid("events", "Event %d needs a key of 1 to %d bytes, unique for the job.", i+1, maxKey)
		case len(e.Type) > maxType || !typePattern.MatchString(e.Type):
			return nil, fault.Invalid("events", "Event %d has the type %q: write it like worker.code_downloaded, at most %d characters.", i+1, short(e.Type), maxType)
		case len(e.Source) > maxSource || !sourcePattern.MatchString(e.Source):
			return nil, fault.Invalid("events", "Event %d has the source %q: write it like worker-0, at most %d characters.", i+1, short(e.Source), maxSource)
		case e.DurationSeconds != nil && !(*e.DurationSeconds >= 0 && *e.DurationSeconds <= maxDuration.Seconds()):
			return nil, fault.Invalid("events", "Event %d has a duration that cannot be: give seconds, 0 or more.", i+1)
		}
		var args any
		if e.Args != nil {
			m, ok := e.Args.(map[string]any)
			if !ok {
				return nil, fault.Invalid("events", "The args of event %d must be a JSON object.", i+1)
			}
			b, err := json.Marshal(Clean(m))
			if err != nil || len(b) > maxArgs {
				return nil, fault.Invalid("events", "The args of event %d are larger than %d KiB: shorten them.", i+1, maxArgs>>10)
			}
			args = string(b)
		}
		rows = append(rows, row{e, args})
	}
	return rows, nil
}

func short(s string) string {
	s = CleanText(s)
	if len(s) > maxType {
		return s[:maxType] + "…"
	}
	return s
}

// insert writes all rows in one statement; those whose key is known are passed over.
func insert(ctx context.Context, tx *db.Tx, job *ent.Job, rows []row) (int, error) {
	if tx.Postgres() { // one writer at a time per job, so that ids are given in commit order: see Follow
		if _, err := tx.Exec(ctx, `SELECT 1 FROM jobs WHERE id = ? FOR NO KEY UPDATE`, job.ID); err != nil {
			return 0, err
		}
	}
	now := db.Now()
	var q strings.Builder
	q.WriteString(`INSERT INTO job_events (job_id, key, type, source, severity, time, duration_seconds, attempt, args) VALUES `)
	args := make([]any, 0, len(rows)*9)
	for i, e := range rows {
		if i > 0 {
			q.WriteString(", ")
		}
		q.WriteString("(?, ?, ?, ?, ?, ?, ?, ?, ?)")
		args = append(args, job.ID, e.Key, e.Type, e.Source, string(e.Severity), when(e.Time, job.CreatedAt, now), e.DurationSeconds, max(job.Attempt, 1), e.args)
	}
	q.WriteString(` ON CONFLICT (job_id, key) WHERE key IS NOT NULL DO NOTHING`)
	n, err := tx.Exec(ctx, q.String(), args...)
	return int(n), err
}

// when is a worker's own time, for what happened while the server was away, kept between the job's beginning and now: the clocks of
// workers are wrong at times.
func when(t *time.Time, created, now time.Time) time.Time {
	if t == nil || t.After(now) {
		return now
	}
	if t.Before(created) {
		return created
	}
	return t.UTC().Truncate(time.Microsecond)
}
