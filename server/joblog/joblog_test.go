package joblog

import (
	"context"
	"encoding/base64"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"testing"
	"time"

	"nightshift/ent"
	"nightshift/ent/job"
	"nightshift/logframe"
	"nightshift/server/db"
	"nightshift/server/db/dbtest"
	"nightshift/server/pubsub"
)

type world struct {
	*Room
	t   testing.TB
	job *ent.Job
	ctx context.Context
}

func newWorld(t testing.TB, d *db.DB) *world {
	j, ctx := dbtest.Job(t, d, "first run")
	return &world{&Room{DB: d, Bus: pubsub.New(), Log: slog.New(slog.DiscardHandler)}, t, j, ctx}
}

func each(t *testing.T, f func(t *testing.T, w *world)) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) { f(t, newWorld(t, d)) })
}

// known is the check of a sender that may write; it locks the job as the queue's does.
func (w *world) known(ctx context.Context, tx *db.Tx) (*ent.Job, error) {
	q := tx.Job.Query().Where(job.ID(w.job.ID))
	if tx.Postgres() {
		q.ForUpdate()
	}
	return q.Only(ctx)
}

// batch is lines as a worker sends them; one that ends in … is unfinished.
func batch(t testing.TB, first int64, texts ...string) Batch {
	t.Helper()
	var lines []logframe.Line
	at := time.Date(2026, 11, 30, 1, 2, 3, 0, time.UTC)
	for i, s := range texts {
		l := logframe.Line{Time: at.Add(time.Duration(first+int64(i)) * time.Millisecond), Text: []byte(s)}
		switch {
		case strings.HasPrefix(s, "warn"):
			l.Level = logframe.Warning
		case strings.HasPrefix(s, "err"):
			l.Level, l.Stream = logframe.Error, logframe.Stderr
		}
		if strings.HasSuffix(s, "…") {
			l.Partial, l.Text = true, []byte(strings.TrimSuffix(s, "…"))
		}
		lines = append(lines, l)
	}
	b, err := DecodeFrame(first, base64.StdEncoding.EncodeToString(logframe.Encode(nil, lines)))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// numbered is count lines that say their number, each a warning where it can be divided by 100.
func numbered(t testing.TB, first int64, count int) Batch {
	texts := make([]string, count)
	for i := range texts {
		n := first + int64(i)
		texts[i] = fmt.Sprintf("line %d of the log", n)
		if n%100 == 0 {
			texts[i] = fmt.Sprintf("warning in line %d", n)
		}
	}
	return batch(t, first, texts...)
}

func (w *world) append(b Batch) int64 {
	w.t.Helper()
	next, err := w.Append(w.ctx, w.known, b)
	if err != nil {
		w.t.Fatal(err)
	}
	return next
}

func (w *world) fill(lines, each int) {
	w.t.Helper()
	for at := 1; at <= lines; at += each {
		w.append(numbered(w.t, int64(at), min(each, lines-at+1)))
	}
}

func (w *world) read(q Query) *Lines {
	w.t.Helper()
	l, err := w.Read(w.ctx, w.job.ID, q)
	if err != nil {
		w.t.Fatal(err)
	}
	return l
}

func (w *world) end() {
	w.t.Helper()
	w.DB.Job.UpdateOne(w.job).SetStatus(job.StatusCompleted).ExecX(w.ctx)
	w.Bus.Publish(pubsub.Events(w.job.ID))
}

// texts is what an answer says: numbers and texts.
func texts(l *Lines) string {
	var b strings.Builder
	for _, x := range l.Lines {
		fmt.Fprintf(&b, "%d:%s", x.Number, x.Text)
		if x.Partial {
			b.WriteString("…")
		}
		b.WriteString(" ")
	}
	return strings.TrimSpace(b.String())
}

func (w *world) chunkCount() (n int) {
	w.t.Helper()
	rows, err := w.DB.Query(w.ctx, `SELECT count(*) FROM log_chunks WHERE job_id = ?`, w.job.ID)
	if err != nil {
		w.t.Fatal(err)
	}
	defer rows.Close()
	rows.Next()
	if err := rows.Scan(&n); err != nil {
		w.t.Fatal(err)
	}
	return n
}

// idle waits until nothing runs in the background.
func (w *world) idle() {
	for {
		w.mu.Lock()
		busy := false
		for _, l := range w.live {
			busy = busy || l.compacting || l.progressNext
		}
		w.mu.Unlock()
		if !busy {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func goroutines(t *testing.T, most int) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > most; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			buf := make([]byte, 1<<16)
			t.Fatalf("%d goroutines, %d before\n%s", runtime.NumGoroutine(), most, buf[:runtime.Stack(buf, true)])
		}
	}
}
