package timeline

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"nightshift/ent"
	"nightshift/ent/job"
	"nightshift/ent/jobevent"
	"nightshift/server/db"
	"nightshift/server/db/dbtest"
	"nightshift/server/fault"
	"nightshift/server/pubsub"
)

type world struct {
	*Room
	t   testing.TB
	job *ent.Job
	ctx context.Context
}

func each(t *testing.T, f func(t *testing.T, w *world)) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		j, ctx := dbtest.Job(t, d, "first")
		f(t, &world{&Room{DB: d, Bus: pubsub.New(), Log: slog.New(slog.DiscardHandler)}, t, j, ctx})
	})
}

// known is the check of a sender that may write.
func (w *world) known(ctx context.Context, tx *db.Tx) (*ent.Job, error) {
	return tx.Job.Query().Where(job.ID(w.job.ID)).Only(ctx)
}

func (w *world) record(events ...Reported) int {
	w.t.Helper()
	n, err := w.Record(w.ctx, w.known, events)
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

func (w *world) list() []*ent.JobEvent {
	w.t.Helper()
	es, _, err := w.List(w.ctx, w.job.ID, 0, 200)
	if err != nil {
		w.t.Fatal(err)
	}
	return es
}

func TestTheSameKeyIsStoredOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		a, b := Reported{Key: "a", Type: "worker.exited"}, Reported{Key: "b", Type: "worker.exited"}
		if n := w.record(a, a); n != 1 {
			t.Fatalf("%d stored of the same one twice", n)
		}
		if n := w.record(a, b); n != 1 {
			t.Fatalf("%d stored of a known and a new one", n)
		}
		other := dbtest.Sibling(t, w.DB, w.job, "second")
		w.job = other
		if n := w.record(a); n != 1 {
			t.Fatal("the key of another job got in the way")
		}
	})
}

func TestEventKeepsWhatWasReported(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		at, took := db.Now().Add(-time.Millisecond), 1.25
		w.job.CreatedAt = at.Add(-time.Second)
		w.DB.Job.UpdateOne(w.job).SetAttempt(3).SaveX(w.ctx)
		w.record(Reported{Key: "k", Type: "worker.code_downloaded", Source: "worker-2", Severity: jobevent.SeverityWarning, Time: &at, DurationSeconds: &took,
			Args: map[string]any{"name": "x", "n": 3.0}})
		e := w.list()[0]
		if e.Type != "worker.code_downloaded" || e.Source != "worker-2" || e.Severity != jobevent.SeverityWarning || e.Attempt != 3 || *e.DurationSeconds != took ||
			fmt.Sprint(e.Args) != "map[n:3 name:x]" {
			t.Fatalf("got %+v", e)
		}
	})
}

func TestTimeOfAWrongClockStaysBetweenTheJobsBeginningAndNow(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ahead, behind := time.Now().Add(10*time.Minute), w.job.CreatedAt.Add(-10*time.Minute)
		w.record(Reported{Key: "a", Type: "worker.exited", Time: &ahead}, Reported{Key: "b", Type: "worker.exited", Time: &behind})
		for _, e := range w.list() {
			if e.Time.Before(w.job.CreatedAt) || e.Time.After(time.Now()) {
				t.Errorf("event %s is at %v", *e.Key, e.Time)
			}
		}
	})
}

func TestR79NULAndBadUTF8InEventsAreStored(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.record(Reported{Key: "k\x00\xff", Type: "worker.exited", Args: map[string]any{"a\x00": "b\x00\xfe", "list": []any{"\x00", map[string]any{"x": "\xff"}}}})
		got := fmt.Sprint(w.list()[0].Args)
		if strings.ContainsRune(got, 0) || !strings.Contains(got, "b\u2400\uFFFD") {
			t.Fatalf("got %q", got)
		}
		err := w.DB.InTx(w.ctx, func(tx *db.Tx) error {
			return Append(w.ctx, tx, Event{Job: w.job.ID, Type: "job.failed", Args: map[string]any{"error": "\x00\xff"}})
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := w.list()[1].Args["error"]; got != "\u2400\uFFFD" {
			t.Fatalf("got %q", got)
		}
	})
}

func TestWrongEventsAreRefusedAndNothingIsStored(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		long, minus := strings.Repeat("x", 17<<10), -1.0
		for name, e := range map[string]Reported{
			"no key":            {Type: "worker.exited"},
			"long key":          {Key: strings.Repeat("k", 129), Type: "worker.exited"},
			"type without dot":  {Key: "k", Type: "exited"},
			"type in capitals":  {Key: "k", Type: "Worker.Exited"},
			"long type":         {Key: "k", Type: "worker." + strings.Repeat("x", 64)},
			"source":            {Key: "k", Type: "worker.exited", Source: "<b>"},
			"args too large":    {Key: "k", Type: "worker.exited", Args: map[string]any{"x": long}},
			"args not a map":    {Key: "k", Type: "worker.exited", Args: []any{1}},
			"negative duration": {Key: "k", Type: "worker.exited", DurationSeconds: &minus},
		} {
			if _, err := w.Record(w.ctx, w.known, []Reported{{Key: "good", Type: "worker.exited"}, e}); fault.CodeOf(err) != fault.InvalidInput {
				t.Errorf("%s: %v", name, err)
			}
		}
		if _, err := w.Record(w.ctx, w.known, make([]Reported, 101)); fault.CodeOf(err) != fault.InvalidInput {
			t.Errorf("101 events: %v", err)
		}
		if n := len(w.list()); n != 0 {
			t.Fatalf("%d events", n)
		}
	})
}

func TestWhoHasLostTheLeaseRecordsNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		_, err := w.Record(w.ctx, func(context.Context, *db.Tx) (*ent.Job, error) { return nil, fault.New(fault.LeaseLost, "x") },
			[]Reported{{Key: "k", Type: "worker.exited"}})
		if fault.CodeOf(err) != fault.LeaseLost || len(w.list()) != 0 {
			t.Fatal(err)
		}
	})
}

func TestListIsPagedByCursorOldestFirst(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for i := range 25 {
			w.record(Reported{Key: fmt.Sprint(i), Type: "worker.exited"})
		}
		var keys []string
		after := int64(0)
		for {
			es, more, err := w.List(w.ctx, w.job.ID, after, 10)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range es {
				keys = append(keys, *e.Key)
			}
			if !more {
				break
			}
			if after, err = ParseCursor(Cursor(es[len(es)-1])); err != nil {
				t.Fatal(err)
			}
		}
		for i, k := range keys {
			if k != fmt.Sprint(i) {
				t.Fatalf("got %v", keys)
			}
		}
		if len(keys) != 25 {
			t.Fatalf("%d events", len(keys))
		}
	})
	for _, bad := range []string{"x", "k1", "e", "e-1", "e!!"} {
		if _, err := ParseCursor(bad); fault.CodeOf(err) != fault.InvalidInput {
			t.Errorf("cursor %q: %v", bad, err)
		}
	}
}

func TestFollowGivesEachEventOnceWhileManyWrite(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.record(Reported{Key: "before", Type: "worker.exited"})
		ctx, cancel := context.WithCancel(w.ctx)
		defer cancel()
		c := w.Follow(ctx, w.job.ID, 0)
		var wg sync.WaitGroup
		for g := range 4 {
			wg.Go(func() {
				for i := range 25 {
					if _, err := w.Record(w.ctx, w.known, []Reported{{Key: fmt.Sprintf("%d-%d", g, i), Type: "worker.exited"}}); err != nil {
						t.Error(err)
					}
				}
			})
		}
		seen := map[string]int{}
		deadline := time.After(20 * time.Second)
		for len(seen) < 101 {
			select {
			case e := <-c:
				if seen[*e.Key]++; seen[*e.Key] > 1 {
					t.Fatalf("event %s came twice", *e.Key)
				}
			case <-deadline:
				t.Fatalf("%d of 101 events", len(seen))
			}
		}
		wg.Wait()
		select {
		case e := <-c:
			t.Fatalf("event %s came twice", *e.Key)
		case <-time.After(200 * time.Millisecond):
		}
	})
}

func TestFollowAfterACursorGivesOnlyWhatIsNew(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.record(Reported{Key: "a", Type: "worker.exited"})
		w.record(Reported{Key: "b", Type: "worker.exited"})
		ctx, cancel := context.WithCancel(w.ctx)
		defer cancel()
		c := w.Follow(ctx, w.job.ID, w.list()[0].ID)
		if e := <-c; *e.Key != "b" {
			t.Fatalf("got %s", *e.Key)
		}
		go w.record(Reported{Key: "c", Type: "worker.exited"})
		if e := <-c; *e.Key != "c" {
			t.Fatalf("got %s", *e.Key)
		}
	})
}

// On PostgreSQL an event with a lower id can commit after one with a higher: followers still get it.
func TestPostgresEventThatCommitsLateIsNotMissed(t *testing.T) {
	d := dbtest.Postgres(t)
	j, ctx := dbtest.Job(t, d, "first")
	w := &world{&Room{DB: d, Bus: pubsub.New(), Log: slog.New(slog.DiscardHandler)}, t, j, ctx}
	ctx, cancel := context.WithCancel(w.ctx)
	defer cancel()
	c := w.Follow(ctx, j.ID, 0)
	inserted, commit, done := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		done <- d.InTx(ctx, func(tx *db.Tx) error {
			err := Append(ctx, tx, Event{Job: j.ID, Type: "job.late"})
			close(inserted)
			<-commit
			return err
		})
	}()
	<-inserted
	if err := d.InTx(ctx, func(tx *db.Tx) error { return Append(ctx, tx, Event{Job: j.ID, Type: "job.early"}) }); err != nil {
		t.Fatal(err)
	}
	w.Bus.Publish(pubsub.Events(j.ID))
	if e := <-c; e.Type != "job.early" {
		t.Fatal(e.Type)
	}
	close(commit)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	w.Bus.Publish(pubsub.Events(j.ID))
	select {
	case e := <-c:
		if e.Type != "job.late" {
			t.Fatal(e.Type)
		}
	case <-time.After(5 * time.Second):
		t.Fatal("the late event did not come")
	}
}

func TestFollowLeavesNothingBehind(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.list()
		before := runtime.NumGoroutine()
		ctx, cancel := context.WithCancel(w.ctx)
		for range 100 {
			w.Follow(ctx, w.job.ID, 0)
		}
		cancel()
		for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before+2 || w.Bus.Subscribers() > 0; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%d goroutines, %d before; %d subscribers", runtime.NumGoroutine(), before, w.Bus.Subscribers())
			}
		}
	})
}

func TestSweepDeletesEventsOlderThanTheSetting(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for i := range 15 {
			var es []Reported
			for k := range 100 {
				es = append(es, Reported{Key: fmt.Sprint(i, "-", k), Type: "worker.exited"})
			}
			w.record(es...)
		}
		w.DB.JobEvent.Update().SetTime(db.Now().Add(-31 * 24 * time.Hour)).ExecX(w.ctx)
		w.record(Reported{Key: "new", Type: "worker.exited"})
		n, err := w.Sweep(w.ctx, Keep)
		if err != nil || n != 1500 {
			t.Fatalf("%d deleted, %v", n, err)
		}
		if es := w.list(); len(es) != 1 || *es[0].Key != "new" {
			t.Fatalf("%d left", len(es))
		}
	})
}
