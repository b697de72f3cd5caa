package graph

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"nightshift/ent"
	"nightshift/ent/job"
	"nightshift/ent/membership"
	"nightshift/graph/model"
	"nightshift/server/access"
	"nightshift/server/db"
	"nightshift/server/db/dbtest"
	"nightshift/server/fault"
	"nightshift/server/feed"
	"nightshift/server/joblog"
	"nightshift/server/pubsub"
	"nightshift/server/queue"
	"nightshift/server/timeline"
)

// live is a desk with the rooms that subscriptions need, and one running job.
type live struct {
	*Resolver
	t   testing.TB
	job *ent.Job
	ctx context.Context // of the job's creator
}

func newLive(t testing.TB, d *db.DB) *live {
	j, ctx := dbtest.Job(t, d, "train resnet")
	bus, log := pubsub.New(), slog.New(slog.DiscardHandler)
	r := &Resolver{
		DB: d, Bus: bus, Log: log, Queue: &queue.Room{DB: d, Bus: bus, Log: log}, JobLog: &joblog.Room{DB: d, Bus: bus, Log: log},
		Timeline: &timeline.Room{DB: d, Bus: bus, Log: log}, Feed: &feed.Room{DB: d, Bus: bus, Log: log},
	}
	run, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); r.Feed.Run(run) }()
	t.Cleanup(func() { stop(); <-done })
	return &live{r, t, j, ctx}
}

func eachLive(t *testing.T, f func(t *testing.T, l *live)) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) { f(t, newLive(t, d)) })
}

// own is the viewer of the job's own code: it needs no lease.
func (l *live) own(j *ent.Job) context.Context {
	v := *access.From(l.ctx)
	v.Kind, v.JobID, v.ProjectID = access.Job, j.ID, j.ProjectID
	return access.With(context.Background(), &v)
}

func (l *live) set(j *ent.Job, change func(*ent.JobUpdateOne)) {
	l.t.Helper()
	err := l.DB.InTx(l.ctx, func(tx *db.Tx) error {
		u := tx.Job.UpdateOneID(j.ID)
		change(u)
		if err := u.Exec(l.ctx); err != nil {
			return err
		}
		return feed.Changed(l.ctx, tx, l.Bus, j.ProjectID, j.ID)
	})
	if err != nil {
		l.t.Fatal(err)
	}
}

func (l *live) key() string {
	return l.DB.Project.GetX(l.ctx, l.job.ProjectID).Key
}

func next[T any](t testing.TB, c <-chan T) T {
	t.Helper()
	select {
	case v, ok := <-c:
		if !ok {
			t.Fatal("the subscription ended")
		}
		return v
	case <-time.After(10 * time.Second):
		t.Fatal("nothing came within 10 s")
	}
	panic("unreachable")
}

func ends[T any](t testing.TB, c <-chan T, within time.Duration) {
	t.Helper()
	limit := time.After(within)
	for {
		select {
		case _, ok := <-c:
			if !ok {
				return
			}
		case <-limit:
			t.Fatalf("the subscription was still open after %v", within)
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestJobsChangedBeginsWithACursorAndThenTellsOfEachChange(t *testing.T) {
	eachLive(t, func(t *testing.T, l *live) {
		c := must(l.watchJobs(l.ctx, l.key(), nil, nil))
		if m := next(t, c); m.Cursor == "" || len(m.Changed) != 0 || m.Resync {
			t.Fatalf("%+v", m)
		}
		l.set(l.job, func(u *ent.JobUpdateOne) { u.SetPriority(7) })
		m := next(t, c)
		if len(m.Changed) != 1 || m.Changed[0].Priority != 7 || m.Changed[0].Edges.Run == nil {
			t.Fatalf("%+v", m)
		}
		second := dbtest.Sibling(t, l.DB, l.job, "second")
		l.set(second, func(u *ent.JobUpdateOne) { u.SetPriority(8) })
		again := must(l.watchJobs(l.ctx, l.key(), nil, &m.Cursor))
		if m = next(t, again); len(m.Changed) == 0 { // the reader may not have come to it yet
			m = next(t, again)
		}
		if len(m.Changed) != 1 || m.Changed[0].ID != second.ID || m.Resync {
			t.Fatalf("after the cursor: %+v", m)
		}
	})
}

func TestJobThatNoLongerMatchesIsRemoved(t *testing.T) {
	eachLive(t, func(t *testing.T, l *live) {
		c := must(l.watchJobs(l.ctx, l.key(), &model.JobFilter{Status: []job.Status{job.StatusRunning}}, nil))
		next(t, c)
		l.set(l.job, func(u *ent.JobUpdateOne) { u.SetPriority(1) })
		if m := next(t, c); len(m.Changed) != 1 || len(m.RemovedIds) != 0 {
			t.Fatalf("%+v", m)
		}
		l.set(l.job, func(u *ent.JobUpdateOne) { u.SetStatus(job.StatusCompleted) })
		if m := next(t, c); len(m.Changed) != 0 || len(m.RemovedIds) != 1 || m.RemovedIds[0] != l.job.UUID {
			t.Fatalf("%+v", m)
		}
	})
}

func TestSubscribersOfOneProjectAreToldOfTheSameLoadedJobNeverAnOlderOne(t *testing.T) {
	eachLive(t, func(t *testing.T, l *live) {
		var cs []<-chan *model.JobsChange
		for range 20 {
			c := must(l.watchJobs(l.ctx, l.key(), nil, nil))
			next(t, c)
			cs = append(cs, c)
		}
		for i := 1; i <= 5; i++ {
			l.set(l.job, func(u *ent.JobUpdateOne) { u.SetPriority(i) })
			for k, c := range cs {
				if m := next(t, c); len(m.Changed) != 1 || m.Changed[0].Priority != i {
					t.Fatalf("subscriber %d: %+v", k, m)
				}
			}
		}
	})
}

func TestJobChangedGivesTheStateAtOnceAndAfterEachChange(t *testing.T) {
	eachLive(t, func(t *testing.T, l *live) {
		c := must(l.watchJob(l.ctx, l.job.UUID[:8]))
		if j := next(t, c); j.Status != job.StatusRunning {
			t.Fatal(j.Status)
		}
		l.set(l.job, func(u *ent.JobUpdateOne) { u.SetStatus(job.StatusFailed) })
		if j := next(t, c); j.Status != job.StatusFailed {
			t.Fatal(j.Status)
		}
	})
}

func TestWhatOneMayNotSeeCannotBeSubscribedTo(t *testing.T) {
	eachLive(t, func(t *testing.T, l *live) {
		_, stranger := dbtest.Job(t, l.DB, "theirs")
		for name, try := range map[string]func() error{
			"jobs":   func() error { _, err := l.watchJobs(stranger, l.key(), nil, nil); return err },
			"job":    func() error { _, err := l.watchJob(stranger, l.job.UUID); return err },
			"log":    func() error { _, err := l.watchLog(stranger, l.job.UUID, nil); return err },
			"events": func() error { _, err := l.watchEvents(stranger, l.job.UUID, nil); return err },
		} {
			if err := try(); fault.CodeOf(err) != fault.NotFound {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

func TestSubscriptionsEndWithinTenSecondsOfLosingTheRight(t *testing.T) {
	l := newLive(t, dbtest.SQLite(t))
	var gone atomic.Int32
	l.Renew = func(_ context.Context, v *access.Viewer) (*access.Viewer, error) {
		switch gone.Load() {
		case 1: // signed out
			return nil, fault.New(fault.Unauthenticated, "x")
		case 2: // no longer a member
			return &access.Viewer{Kind: v.Kind, User: v.User, Roles: map[int64]membership.Role{}}, nil
		}
		return v, nil
	}
	for how := int32(1); how <= 2; how++ {
		gone.Store(0)
		jobs := must(l.watchJobs(l.ctx, l.key(), nil, nil))
		one := must(l.watchJob(l.ctx, l.job.UUID))
		lines := must(l.watchLog(l.ctx, l.job.UUID, nil))
		next(t, jobs)
		next(t, one)
		next(t, lines)
		gone.Store(how)
		l.set(l.job, func(u *ent.JobUpdateOne) { u.SetPriority(int(how)) })
		for { // not even the batch that was to be sent
			m, ok := <-jobs
			if !ok {
				break
			}
			t.Fatalf("way %d: a message after the right was lost: %+v", how, m)
		}
		ends(t, one, 10*time.Second)
		ends(t, lines, 10*time.Second) // nothing happens in the log: the check alone ends it
	}
}

func TestSubscriptionOutlivesAShortOutageOfTheDatabase(t *testing.T) {
	l := newLive(t, dbtest.SQLite(t))
	var failures atomic.Int32
	l.Renew = func(_ context.Context, v *access.Viewer) (*access.Viewer, error) {
		if failures.Add(-1) >= 0 {
			return nil, fmt.Errorf("connection refused")
		}
		return v, nil
	}
	c := must(l.watchJob(l.ctx, l.job.UUID))
	next(t, c)
	failures.Store(2)
	l.set(l.job, func(u *ent.JobUpdateOne) { u.SetPriority(3) })
	if j := next(t, c); j.Priority != 3 {
		t.Fatal(j.Priority)
	}
}

func TestSocketHasAtMost64Subscriptions(t *testing.T) {
	l := newLive(t, dbtest.SQLite(t))
	socket := WithSubscriptionBudget(l.ctx)
	var cancels []context.CancelFunc
	for range maxSubscriptions {
		ctx, cancel := context.WithCancel(socket)
		cancels = append(cancels, cancel)
		must(l.watchJob(ctx, l.job.UUID))
	}
	if _, err := l.watchJob(socket, l.job.UUID); fault.CodeOf(err) != fault.RateLimited {
		t.Fatal(err)
	}
	cancels[0]()
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if _, err := l.watchJob(socket, l.job.UUID); err == nil {
			break
		} else if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
	for _, c := range cancels {
		c()
	}
	must(l.watchJob(WithSubscriptionBudget(l.ctx), l.job.UUID)) // another socket has its own
}

func TestSubscriptionsLeaveNothingBehind(t *testing.T) {
	eachLive(t, func(t *testing.T, l *live) {
		next(t, must(l.watchJobs(l.ctx, l.key(), nil, nil)))
		time.Sleep(50 * time.Millisecond)
		before, subscribers := runtime.NumGoroutine(), l.Bus.Subscribers()
		w := &ent.Worker{ProjectID: l.job.ProjectID, ComputerID: l.job.ComputerID}
		ctx, cancel := context.WithCancel(l.ctx)
		for i := range 50 {
			jobs, one := must(l.watchJobs(ctx, l.key(), nil, nil)), must(l.watchJob(ctx, l.job.UUID))
			must(l.watchLog(ctx, l.job.UUID, nil))
			must(l.watchEvents(ctx, l.job.UUID, nil))
			must(l.watchWork(ctx, w))
			if i%2 == 0 {
				next(t, jobs)
				next(t, one)
			}
		}
		cancel()
		for deadline := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before+2 || l.Bus.Subscribers() > subscribers; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				buf := make([]byte, 1<<16)
				t.Fatalf("%d goroutines, %d before; %d subscribers, %d before\n%s", runtime.NumGoroutine(), before, l.Bus.Subscribers(), subscribers, buf[:runtime.Stack(buf, true)])
			}
		}
	})
}

func TestWorkAvailableNudgesAtOnceAndOnEachJob(t *testing.T) {
	l := newLive(t, dbtest.SQLite(t))
	c := must(l.watchWork(l.ctx, &ent.Worker{ProjectID: l.job.ProjectID, ComputerID: 9}))
	if m := next(t, c); !m.Claim || !m.Heartbeat {
		t.Fatalf("%+v", m)
	}
	time.Sleep(2 * workInterval)
	began := time.Now()
	l.Bus.Publish(pubsub.Work(9))
	next(t, c)
	if d := time.Since(began); d > 100*time.Millisecond {
		t.Fatalf("it took %v", d)
	}
}

// The filter in memory and the filter in SQL are the same filter.
func TestMatcherAgreesWithTheList(t *testing.T) {
	eachLive(t, func(t *testing.T, l *live) {
		array := l.DB.Array.Create().SetProjectID(l.job.ProjectID).SetComputerID(l.job.ComputerID).SetName("a").SetSize(3).SetCreatedByID(l.job.CreatedByID).SaveX(l.ctx)
		names := []string{"train resnet", "Train ResNet 50", "evaluate", "学習 1", "100%", "a_b", "deadbeef"}
		for i, s := range []job.Status{job.StatusQueued, job.StatusRunning, job.StatusFailed, job.StatusCompleted, job.StatusCanceled, job.StatusAssigned, job.StatusFailed} {
			j := dbtest.Sibling(t, l.DB, l.job, names[i])
			u := l.DB.Job.UpdateOne(j).SetStatus(s).SetKind([]job.Kind{job.KindTraining, job.KindEvaluation}[i%2])
			if s == job.StatusFailed {
				u.SetEndReason([]job.EndReason{job.EndReasonTimedOut, job.EndReasonWorkerLost}[i%2])
			}
			if i%3 == 0 {
				u.SetArrayID(array.ID)
			}
			u.ExecX(l.ctx)
		}
		all := l.DB.Job.Query().AllX(l.ctx)
		comp := l.DB.Computer.GetX(l.ctx, l.job.ComputerID)
		str := func(s string) *string { return &s }
		for i, f := range []*model.JobFilter{
			nil, {}, {Status: []job.Status{job.StatusQueued, job.StatusFailed}}, {EndReasons: []job.EndReason{job.EndReasonTimedOut}},
			{Kinds: []job.Kind{job.KindEvaluation}}, {Computer: &comp.Name}, {Computer: str(fmt.Sprint(comp.ID))}, {Computer: str("no such")},
			{CreatedBy: str(fmt.Sprint(l.job.CreatedByID))}, {CreatedBy: str("99999")}, {ArrayID: str(fmt.Sprint(array.ID))},
			{Text: str("train")}, {Text: str("RESNET")}, {Text: str("習")}, {Text: str("%")}, {Text: str("_")}, {Text: str(" evaluate ")},
			{Text: str(l.job.UUID[:6])}, {Text: str("deadbeef")}, {Text: str("50"), Status: []job.Status{job.StatusRunning}}, {Text: str("")},
		} {
			ps := must(l.jobPredicates(l.ctx, l.job.ProjectID, f))
			want := map[int64]bool{}
			for _, id := range l.DB.Job.Query().Where(ps...).IDsX(l.ctx) {
				want[id] = true
			}
			match := must(l.matcher(l.ctx, f))
			for _, j := range all {
				if match(j) != want[j.ID] {
					t.Errorf("filter %d, job %q (%s): in memory %v, in the list %v", i, j.RunName, j.Status, match(j), want[j.ID])
				}
			}
		}
	})
}

func BenchmarkFanOut(b *testing.B) {
	l := newLive(b, dbtest.SQLite(b))
	l.Renew = func(_ context.Context, v *access.Viewer) (*access.Viewer, error) { return v, nil }
	for range 500 {
		c := must(l.watchJobs(l.ctx, l.key(), nil, nil))
		next(b, c)
		go func() {
			for range c {
			}
		}()
	}
	b.ResetTimer()
	for i := range b.N {
		l.set(l.job, func(u *ent.JobUpdateOne) { u.SetPriority(i % 1000) })
	}
}
