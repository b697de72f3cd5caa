package feed

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"runtime"
	"sync"
	"testing"
	"time"

	"nightshift/server/db"
	"nightshift/server/db/dbtest"
	"nightshift/server/pubsub"
)

func start(t testing.TB, d *db.DB) *Room {
	t.Helper()
	r := &Room{DB: d, Bus: pubsub.New(), Log: slog.New(slog.DiscardHandler)}
	run(t, r)
	return r
}

func run(t testing.TB, r *Room) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); r.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-done })
}

func touch(t testing.TB, r *Room, project int64, jobs ...int64) {
	t.Helper()
	err := r.DB.InTx(context.Background(), func(tx *db.Tx) error {
		for _, j := range jobs {
			if err := Changed(context.Background(), tx, r.Bus, project, j); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func receive(t testing.TB, c <-chan Batch) Batch {
	t.Helper()
	select {
	case b, ok := <-c:
		if !ok {
			t.Fatal("the channel was closed")
		}
		return b
	case <-time.After(5 * time.Second):
		t.Fatal("nothing came within 5 s")
	}
	panic("unreachable")
}

func jobsOf(b Batch) (ids []int64) {
	for _, c := range b.Jobs {
		ids = append(ids, c.Job)
	}
	return ids
}

func TestFirstBatchComesAtOnceAndIsEmpty(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := start(t, d)
		touch(t, r, 1, 7)
		r.pass(context.Background())
		b := receive(t, r.Follow(t.Context(), 1, ""))
		if b.Cursor == "" || len(b.Jobs) != 0 || b.Resync {
			t.Fatalf("got %+v", b)
		}
	})
}

func TestFollowerHearsOfItsProjectOnlyAndOfEachJobOnceABatch(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := start(t, d)
		c := r.Follow(t.Context(), 1, "")
		receive(t, c)
		touch(t, r, 2, 100)
		touch(t, r, 1, 7, 8, 7, 7)
		if got := jobsOf(receive(t, c)); fmt.Sprint(got) != "[7 8]" {
			t.Fatalf("got %v", got)
		}
	})
}

func TestBatchesAreAtLeast200MillisecondsApart(t *testing.T) {
	r := start(t, dbtest.SQLite(t))
	c := r.Follow(t.Context(), 1, "")
	receive(t, c)
	began, last, seen := time.Now(), time.Now(), map[int64]bool{}
	stop := make(chan struct{})
	go func() {
		for i := int64(0); i < 200; i++ {
			touch(t, r, 1, i)
			time.Sleep(5 * time.Millisecond)
		}
		close(stop)
	}()
	n := 0
	for len(seen) < 200 {
		b := receive(t, c)
		if n++; n > 1 && time.Since(last) < batchInterval-5*time.Millisecond {
			t.Fatalf("a batch came %v after the one before", time.Since(last))
		}
		last = time.Now()
		for _, ch := range b.Jobs {
			seen[ch.Job] = true
		}
	}
	<-stop
	if most := int(time.Since(began)/batchInterval) + 2; n > most {
		t.Fatalf("%d batches in %v", n, time.Since(began))
	}
}

func TestCursorGoesOnWithoutAGap(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := start(t, d)
		ctx, cut := context.WithCancel(t.Context())
		c := r.Follow(ctx, 1, "")
		receive(t, c)
		touch(t, r, 1, 1)
		cursor := receive(t, c).Cursor
		cut()
		touch(t, r, 1, 2)
		touch(t, r, 2, 99)
		touch(t, r, 1, 3)
		b := receive(t, r.Follow(t.Context(), 1, cursor))
		for len(b.Jobs) < 2 { // the reader may not have come to them yet
			b = receive(t, r.Follow(t.Context(), 1, cursor))
		}
		if fmt.Sprint(jobsOf(b)) != "[2 3]" || b.Resync {
			t.Fatalf("got %+v", b)
		}
	})
}

func TestCursorOutlivesTheServer(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := start(t, d)
		c := r.Follow(t.Context(), 1, "")
		receive(t, c)
		touch(t, r, 1, 1)
		cursor := receive(t, c).Cursor
		touch(t, r, 1, 2)
		again := start(t, d)
		c = again.Follow(t.Context(), 1, cursor)
		b := receive(t, c)
		if len(b.Jobs) == 0 { // a transaction of another test may hold the reader back
			b = receive(t, c)
		}
		if fmt.Sprint(jobsOf(b)) != "[2]" || b.Resync {
			t.Fatalf("got %+v", b)
		}
	})
}

func TestUnknownAndOldCursorsAskForAResync(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := start(t, d)
		c := r.Follow(t.Context(), 1, "")
		old := receive(t, c).Cursor
		touch(t, r, 1, 1, 2, 3)
		receive(t, c)
		if _, err := exec(d, `UPDATE outbox SET at = ?`, db.Now().Add(-2*keepRows)); err != nil {
			t.Fatal(err)
		}
		if err := r.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		touch(t, r, 1, 4)
		again := start(t, d) // knows only what is still there
		for _, cursor := range []string{old, "nonsense", "f.", "fzzzz.zzzzzz", "f-1.1", "k12"} {
			if b := receive(t, again.Follow(t.Context(), 1, cursor)); !b.Resync || b.Cursor == "" {
				t.Errorf("cursor %q: got %+v", cursor, b)
			}
		}
	})
}

func exec(d *db.DB, q string, args ...any) (n int64, err error) {
	err = d.InTx(context.Background(), func(tx *db.Tx) error {
		n, err = tx.Exec(context.Background(), q, args...)
		return err
	})
	return n, err
}

func TestSweepDeletesOnlyOldRows(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := start(t, d)
		ids := make([]int64, 2500)
		touch(t, r, 1, ids...)
		if _, err := exec(d, `UPDATE outbox SET at = ?`, db.Now().Add(-keepRows-time.Second)); err != nil {
			t.Fatal(err)
		}
		touch(t, r, 1, 1)
		if err := r.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		var n int
		if err := r.one(t.Context(), `SELECT count(*) FROM outbox`, &n); err != nil || n != 1 {
			t.Fatalf("%d rows, %v", n, err)
		}
	})
}

func TestSlowFollowerIsToldToQueryAgainAndHoldsNobodyUp(t *testing.T) {
	r := start(t, dbtest.SQLite(t))
	c := r.Follow(t.Context(), 1, "") // takes nothing
	time.Sleep(50 * time.Millisecond)
	fast := r.Follow(t.Context(), 1, "")
	receive(t, fast)
	ids := make([]int64, pendingJobs+10)
	for i := range ids {
		ids[i] = int64(i)
	}
	touch(t, r, 1, ids...)
	touch(t, r, 1, 1)
	receive(t, fast)
	receive(t, c)
	if b := receive(t, c); !b.Resync || len(b.Jobs) > batchJobs {
		t.Fatalf("resync %v, %d jobs", b.Resync, len(b.Jobs))
	}
}

func TestManyChangesComeInSeveralBatchesAndNoneIsMissing(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := start(t, d)
		ctx, cut := context.WithCancel(t.Context())
		c := r.Follow(ctx, 1, "")
		receive(t, c)
		ids := make([]int64, 1200)
		for i := range ids {
			ids[i] = int64(i + 1)
		}
		touch(t, r, 1, ids...)
		first := receive(t, c)
		cut() // in the middle; the cursor of a part knows what is left
		seen := map[int64]bool{}
		for _, j := range jobsOf(first) {
			seen[j] = true
		}
		rest := r.Follow(t.Context(), 1, first.Cursor)
		for len(seen) < len(ids) {
			for _, j := range jobsOf(receive(t, rest)) {
				if seen[j] {
					t.Fatalf("job %d came twice", j)
				}
				seen[j] = true
			}
		}
	})
}

// A row commits after one with a higher id: a reader that goes by ids alone would never see it.
func TestPostgresRowThatCommitsLateIsNotMissed(t *testing.T) {
	url := dbtest.PostgresURL(t)
	d, err := db.Open(t.Context(), db.Options{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	r := start(t, d)
	c := r.Follow(t.Context(), 1, "")
	receive(t, c)
	raw, err := sql.Open("postgres", url)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	late, err := raw.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := late.Exec(`INSERT INTO outbox (project_id, job_id, at) VALUES (1, 41, now())`); err != nil {
		t.Fatal(err)
	}
	touch(t, r, 1, 42)
	select {
	case b := <-c:
		t.Fatalf("a row was given out before an older one that may still commit: %v", b.Jobs)
	case <-time.After(300 * time.Millisecond):
	}
	if err := late.Commit(); err != nil {
		t.Fatal(err)
	}
	seen := map[int64]bool{}
	for !seen[41] || !seen[42] {
		for _, j := range jobsOf(receive(t, c)) {
			seen[j] = true
		}
	}
}

func TestManyWritersAtOnceMissNothing(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := start(t, d)
		c := r.Follow(t.Context(), 1, "")
		receive(t, c)
		var wg sync.WaitGroup
		for w := range int64(8) {
			wg.Go(func() {
				for i := range int64(60) {
					touch(t, r, 1, 1+w*1000+i)
				}
			})
		}
		seen := map[int64]bool{}
		for len(seen) < 480 {
			b := receive(t, c)
			if b.Resync {
				t.Fatal("resync")
			}
			for _, j := range jobsOf(b) {
				seen[j] = true
			}
		}
		wg.Wait()
	})
}

func TestFollowersLeaveNothingBehind(t *testing.T) {
	r := start(t, dbtest.SQLite(t))
	receive(t, r.Follow(t.Context(), 1, ""))
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithCancel(context.Background())
	for i := range 200 {
		receive(t, r.Follow(ctx, int64(i%3), ""))
	}
	cancel()
	deadline := time.Now().Add(5 * time.Second)
	projects := func() int {
		r.mu.Lock()
		defer r.mu.Unlock()
		return len(r.followers)
	}
	for runtime.NumGoroutine() > before+2 || projects() != 1 {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, %d before; followers of %d projects are left", runtime.NumGoroutine(), before, projects())
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func BenchmarkChangeReachesFollowers(b *testing.B) {
	r := start(b, dbtest.SQLite(b))
	for range 500 {
		c := r.Follow(b.Context(), 1, "")
		receive(b, c)
		go func() {
			for range c {
			}
		}()
	}
	b.ResetTimer()
	for i := range b.N {
		touch(b, r, 1, int64(i))
	}
}
