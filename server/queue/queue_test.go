package queue

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"nightshift/ent"
	"nightshift/ent/computer"
	"nightshift/ent/job"
	"nightshift/ent/jobevent"
	"nightshift/ent/membership"
	"nightshift/server/access"
	"nightshift/server/db"
	"nightshift/server/db/dbtest"
	"nightshift/server/fault"
	"nightshift/server/pubsub"
)

// world is one project with an editor, a second one, an admin, a viewer, a computer with two GPUs, and its worker.
type world struct {
	*Room
	t                                     testing.TB
	project                               *ent.Project
	computer                              *ent.Computer
	editor, other, admin, viewer, machine context.Context
	worker                                string
	clock                                 atomic.Int64 // added to the server's clock
}

func each(t *testing.T, f func(t *testing.T, w *world)) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) { f(t, newWorld(t, d)) })
}

func newWorld(t testing.TB, d *db.DB) *world {
	t.Helper()
	vault, err := OpenVault(filepath.Join(t.TempDir(), "key"))
	must(t, err)
	w := &world{t: t, Room: &Room{DB: d, Bus: pubsub.New(), Log: slog.New(slog.NewTextHandler(io.Discard, nil)), LocalExecutor: true, Vault: vault}}
	w.Now = func() time.Time { return time.Now().Add(time.Duration(w.clock.Load())) }
	ctx := access.AsSystem(context.Background())
	w.project, err = d.Project.Create().SetKey("p").SetName("P").Save(ctx)
	must(t, err)
	w.computer, err = d.Computer.Create().SetName("box").SetKind(computer.KindLocal).SetVisibility(computer.VisibilityPublic).Save(ctx)
	must(t, err)
	for n := range 2 {
		must(t, d.Gpu.Create().SetComputerID(w.computer.ID).SetNumber(n).Exec(ctx))
	}
	w.editor = w.person("mika", membership.RoleEditor)
	w.other = w.person("ken", membership.RoleEditor)
	w.admin = w.person("ada", membership.RoleAdmin)
	w.viewer = w.person("vic", membership.RoleViewer)
	w.machine = access.With(context.Background(), &access.Viewer{Kind: access.Worker, User: access.From(w.admin).User, ProjectID: w.project.ID, ComputerIDs: []int64{w.computer.ID}, TokenID: 1})
	w.worker = w.register("i1")
	return w
}

func (w *world) person(name string, role membership.Role) context.Context {
	ctx := access.AsSystem(context.Background())
	u, err := w.DB.User.Create().SetName(name).SetDisplayName(name).Save(ctx)
	must(w.t, err)
	must(w.t, w.DB.Membership.Create().SetUserID(u.ID).SetProjectID(w.project.ID).SetRole(role).Exec(ctx))
	return access.With(context.Background(), &access.Viewer{Kind: access.Session, User: u, Roles: map[int64]membership.Role{w.project.ID: role}})
}

func (w *world) userID() int64 { return access.From(w.editor).UserID() }

func (w *world) register(instance string, known ...string) string {
	w.t.Helper()
	reg, err := w.Register(w.machine, Registration{Name: "w", Computer: "box", Hostname: "h", HostID: "host", BootID: "boot", InstanceID: instance, Known: known})
	must(w.t, err)
	return fmt.Sprint(reg.Worker.ID)
}

func (w *world) launch(ctx context.Context, change ...func(*Launch)) *ent.Job {
	w.t.Helper()
	l := Launch{Project: "p", Kind: job.KindTraining, Command: "true", Computer: "box", MaxAttempts: 3}
	for _, c := range change {
		c(&l)
	}
	j, err := w.Launch(ctx, l)
	must(w.t, err)
	return j.Job
}

func (w *world) claim(n int) []Claimed {
	w.t.Helper()
	c, err := w.Claim(w.machine, w.worker, "", n)
	must(w.t, err)
	return c
}

func (w *world) run(c Claimed) {
	w.t.Helper()
	_, err := w.Start(w.machine, c.Job.UUID, c.Lease)
	must(w.t, err)
}

func (w *world) finish(c Claimed, code int) {
	w.t.Helper()
	_, err := w.Finish(w.machine, c.Job.UUID, c.Lease, Result{ExitCode: &code, Reason: "exited"})
	must(w.t, err)
}

func (w *world) get(j *ent.Job) *ent.Job {
	w.t.Helper()
	fresh, err := w.DB.Job.Get(access.AsSystem(context.Background()), j.ID)
	must(w.t, err)
	return fresh
}

func (w *world) is(j *ent.Job, s job.Status) *ent.Job {
	w.t.Helper()
	fresh := w.get(j)
	if fresh.Status != s {
		w.t.Fatalf("job is %s, want %s", fresh.Status, s)
	}
	return fresh
}

func (w *world) events(j *ent.Job) (out []string) {
	es, err := w.DB.JobEvent.Query().Where(jobevent.JobID(j.ID)).Order(jobevent.ByID()).All(access.AsSystem(context.Background()))
	must(w.t, err)
	for _, e := range es {
		out = append(out, e.Type)
	}
	return out
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantCode(t testing.TB, err error, code fault.Code) {
	t.Helper()
	if fault.CodeOf(err) != code {
		t.Fatalf("got %v (%s), want %s", err, fault.CodeOf(err), code)
	}
}

func TestAJobLivesFromLaunchToItsEnd(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		j := w.launch(w.editor, func(l *Launch) { l.Secrets = map[string]string{"TOKEN": "abcdef"} })
		c := w.claim(4)
		if len(c) != 1 || c[0].Secrets["TOKEN"] != "abcdef" || c[0].JobToken == "" {
			t.Fatalf("claimed %+v", c)
		}
		w.is(j, job.StatusAssigned)
		w.run(c[0])
		w.is(j, job.StatusRunning)
		w.finish(c[0], 0)
		end := w.is(j, job.StatusCompleted)
		if end.ExitCode == nil || *end.ExitCode != 0 || end.EndedAt == nil || end.WorkerID != nil {
			t.Fatalf("ended as %+v", end)
		}
		if got := fmt.Sprint(w.events(j)); got != "[job.created job.assigned job.started job.completed]" {
			t.Fatal(got)
		}
		w.finish(c[0], 0) // a finish that comes twice changes nothing
		if n := len(w.events(j)); n != 4 {
			t.Fatalf("%d events after a second finish", n)
		}
	})
}

func TestRule1_AJobIsClaimedOnceByTwentyClaimers(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for range 60 {
			w.launch(w.editor)
		}
		var mu sync.Mutex
		seen := map[string]int{}
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				for {
					c, err := w.Claim(w.machine, w.worker, "", 3)
					if err != nil {
						t.Error(err)
						return
					}
					if len(c) == 0 {
						return
					}
					mu.Lock()
					for _, x := range c {
						seen[x.Job.UUID]++
					}
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		if len(seen) != 60 {
			t.Fatalf("%d of 60 claimed", len(seen))
		}
		for id, n := range seen {
			if n != 1 {
				t.Fatalf("%s claimed %d times", id, n)
			}
		}
	})
}

func TestRule2_GPUsAndTheLimitHoldUnderRaces(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		must(t, w.DB.Computer.UpdateOne(w.computer).SetMaxJobs(3).Exec(w.admin))
		for i := range 30 {
			w.launch(w.editor, func(l *Launch) {
				switch i % 3 {
				case 0:
					l.GPUIDs = []string{"0"}
				case 1:
					l.GPUCount = 1
				}
			})
		}
		var wg sync.WaitGroup
		var done atomic.Int64
		for range 8 {
			wg.Go(func() {
				for end := time.Now().Add(15 * time.Second); done.Load() < 30 && time.Now().Before(end); {
					cs, err := w.Claim(w.machine, w.worker, "", 2)
					if err != nil {
						t.Error(err)
						return
					}
					var n, held int
					rows, err := w.DB.Query(context.Background(), `SELECT (SELECT count(*) FROM slots), (SELECT count(*) FROM (SELECT 1 AS o FROM gpus WHERE job_id IS NOT NULL GROUP BY job_id HAVING count(*) > 1) AS d)`)
					if err != nil {
						t.Error(err)
						return
					}
					rows.Next()
					rows.Scan(&n, &held)
					rows.Close()
					if n > 3 || held > 0 {
						t.Errorf("%d jobs on a computer limited to 3; %d jobs hold more GPUs than they asked for", n, held)
					}
					for _, c := range cs {
						code := 0
						if _, err := w.Finish(w.machine, c.Job.UUID, c.Lease, Result{ExitCode: &code, Reason: "exited"}); err != nil {
							t.Error(err)
						}
						done.Add(1)
					}
				}
			})
		}
		wg.Wait()
		if done.Load() != 30 {
			t.Fatalf("%d of 30 done", done.Load())
		}
	})
}

func TestRule1_AnotherLeaseChangesNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		j := w.launch(w.editor)
		c := w.claim(1)[0]
		code := 0
		_, err := w.Finish(w.machine, c.Job.UUID, "lease_wrong", Result{ExitCode: &code, Reason: "exited"})
		wantCode(t, err, fault.LeaseLost)
		_, err = w.Start(w.machine, c.Job.UUID, "")
		wantCode(t, err, fault.LeaseLost)
		w.is(j, job.StatusAssigned)
		if got, _ := w.Heartbeat(w.machine, w.worker, "", false, []Held{{c.Job.UUID, "lease_wrong"}}); got[c.Job.UUID] != Lost {
			t.Fatal(got)
		}
	})
}

func TestRule8_HigherPriorityFirstThenOlder(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		a := w.launch(w.admin)
		b := w.launch(w.admin, func(l *Launch) { l.Priority = 5 })
		c := w.launch(w.admin, func(l *Launch) { l.Priority = 5; l.GPUIDs = []string{"1"} })
		d := w.launch(w.admin, func(l *Launch) { l.Held = true; l.Priority = 9 })
		got := w.claim(10)
		if len(got) != 3 || got[0].Job.ID > got[2].Job.ID && false {
			t.Fatalf("claimed %d", len(got))
		}
		if got[0].Job.ID != b.ID || got[1].Job.ID != c.ID || got[2].Job.ID != a.ID {
			t.Fatalf("order %d %d %d", got[0].Job.ID, got[1].Job.ID, got[2].Job.ID)
		}
		w.is(d, job.StatusQueued)
		_, err := w.Unhold(w.admin, []string{d.UUID})
		must(t, err)
		if got := w.claim(1); len(got) != 1 || got[0].Job.ID != d.ID {
			t.Fatalf("after unhold %+v", got)
		}
	})
}

func TestALongWaitingJobGetsItsGPUsKeptFree(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.launch(w.editor, func(l *Launch) { l.GPUIDs = []string{"0"} })
		first := w.claim(1)[0]
		both := w.launch(w.editor, func(l *Launch) { l.GPUCount = 2 })
		later := func() *ent.Job { return w.launch(w.editor, func(l *Launch) { l.GPUCount = 1 }) }
		one := later()
		if got := w.claim(5); len(got) != 1 || got[0].Job.ID != one.ID {
			t.Fatalf("a later job that fits should pass: %+v", got)
		} else {
			w.finish(got[0], 0)
		}
		w.clock.Add(int64(11 * time.Minute))
		later()
		if got := w.claim(5); len(got) != 0 {
			t.Fatalf("what the old job needs should be kept free, %d claimed", len(got))
		}
		w.finish(first, 0)
		if got := w.claim(5); len(got) != 1 || got[0].Job.ID != both.ID {
			t.Fatalf("the old job should start now: %+v", got)
		}
	})
}

func TestRule7_DependantsStartOrFailDownTheChain(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		a := w.launch(w.editor)
		b := w.launch(w.editor, func(l *Launch) { l.After = []string{a.UUID} })
		cleanup := w.launch(w.editor, func(l *Launch) { l.AfterAny = []string{b.UUID} })
		chain := []*ent.Job{b}
		for range 50 {
			last := chain[len(chain)-1]
			chain = append(chain, w.launch(w.editor, func(l *Launch) { l.After = []string{last.UUID[:8]} }))
		}
		if got := w.claim(10); len(got) != 1 || got[0].Job.ID != a.ID {
			t.Fatalf("only the first may start: %d", len(got))
		} else {
			w.finish(got[0], 0)
		}
		got := w.claim(10)
		if len(got) != 1 || got[0].Job.ID != b.ID {
			t.Fatalf("the second should start: %+v", got)
		}
		w.finish(got[0], 3)
		for _, j := range chain[1:] {
			end := w.is(j, job.StatusFailed)
			if *end.EndReason != job.EndReasonDependencyFailed || end.ExitCode != nil || end.Error == nil {
				t.Fatalf("%+v", end)
			}
		}
		if got := w.claim(10); len(got) != 1 || got[0].Job.ID != cleanup.ID {
			t.Fatalf("--after-any should start: %+v", got)
		}
		late := w.launch(w.editor, func(l *Launch) { l.After = []string{b.UUID} })
		w.is(late, job.StatusFailed)
	})
}

func TestM82_StopCancelsQueuedAndAsksRunning(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		j := w.launch(w.editor)
		out, err := w.RequestStop(w.editor, []string{j.UUID})
		must(t, err)
		if out.Done != 1 {
			t.Fatalf("%+v", out)
		}
		w.is(j, job.StatusCanceled)

		k := w.launch(w.editor)
		c := w.claim(1)[0]
		w.run(c)
		for range 2 { // twice is harmless
			if _, err = w.RequestStop(w.editor, []string{k.UUID}); err != nil {
				t.Fatal(err)
			}
		}
		w.is(k, job.StatusRunning)
		beat := func() Answer {
			a, err := w.Heartbeat(w.machine, w.worker, "", false, []Held{{k.UUID, c.Lease}})
			must(t, err)
			return a[k.UUID]
		}
		if a := beat(); a != Stop {
			t.Fatal(a)
		}
		_, err = w.Kill(w.editor, []string{k.UUID})
		must(t, err)
		if a := beat(); a != Kill {
			t.Fatal(a)
		}
		code := 143
		_, err = w.Finish(w.machine, k.UUID, c.Lease, Result{ExitCode: &code, Reason: "stopped", Signal: "SIGTERM"})
		must(t, err)
		if end := w.is(k, job.StatusCanceled); *end.ExitCode != 143 {
			t.Fatal(*end.ExitCode)
		}
	})
}

func TestM91_OnlyCreatorAndAdminMayChangeAJob(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		j := w.launch(w.editor)
		for who, ctx := range map[string]context.Context{"other": w.other, "viewer": w.viewer} {
			out, err := w.RequestStop(ctx, []string{j.UUID})
			must(t, err)
			if out.Done != 0 || out.NRefused != 1 || out.Refused[0].Err.Code != fault.Forbidden {
				t.Fatalf("%s: %+v", who, out)
			}
		}
		stranger := access.With(context.Background(), &access.Viewer{Kind: access.Session, User: access.From(w.other).User})
		out, err := w.RequestStop(stranger, []string{j.UUID})
		must(t, err)
		if out.Refused[0].Err.Code != fault.NotFound {
			t.Fatalf("%+v", out)
		}
		_, err = w.Launch(w.viewer, Launch{Project: "p", Kind: job.KindTraining, Command: "true", Computer: "box", MaxAttempts: 1})
		wantCode(t, err, fault.Forbidden)
		_, err = w.Launch(stranger, Launch{Project: "p", Kind: job.KindTraining, Command: "true", Computer: "box", MaxAttempts: 1})
		wantCode(t, err, fault.NotFound)
		out, err = w.Hold(w.admin, []string{j.UUID, "ffffffff-0000-4000-8000-000000000000"})
		must(t, err)
		if out.Done != 1 || out.NRefused != 1 {
			t.Fatalf("%+v", out)
		}
	})
}

func TestM90_OneRetryPerJobAndItsName(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		j := w.launch(w.editor, func(l *Launch) {
			l.Name, l.GPUIDs, l.Secrets = "fit", []string{"1"}, map[string]string{"TOKEN": "secret-value"}
			l.Environment = map[string]string{"EPOCHS": "3"}
		})
		_, err := w.Rerun(w.editor, j.UUID)
		wantCode(t, err, fault.Conflict)
		w.finish(w.claim(1)[0], 1)
		a, err := w.Rerun(w.editor, j.UUID)
		must(t, err)
		b, err := w.Rerun(w.editor, j.UUID)
		must(t, err)
		if a.Existing || !b.Existing || a.Job.ID != b.Job.ID || a.Job.RunName != "fit (retry 2)" || a.Job.Need != "m2" || a.Job.Environment["EPOCHS"] != "3" {
			t.Fatalf("%+v %+v", a, b)
		}
		c := w.claim(1)[0]
		if c.Secrets["TOKEN"] != "secret-value" {
			t.Fatal("the secret did not go with the retry")
		}
		w.finish(c, 1)
		third, err := w.Rerun(w.admin, a.Job.UUID)
		must(t, err)
		if third.Job.RunName != "fit (retry 3)" || third.Job.Attempt != 3 {
			t.Fatal(third.Job.RunName)
		}
	})
}

func TestM11_NoHeartbeatFor60sIsNoResponseAndNothingElse(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ctx := access.AsSystem(context.Background())
		j := w.launch(w.editor)
		c := w.claim(1)[0]
		w.run(c)
		w.clock.Add(int64(59 * time.Second))
		must(t, w.SweepOnce(ctx, true))
		if w.get(j).NoResponse {
			t.Fatal("too early")
		}
		w.clock.Add(int64(2 * time.Second))
		must(t, w.SweepOnce(ctx, true))
		if x := w.is(j, job.StatusRunning); !x.NoResponse {
			t.Fatal("no badge")
		}
		out, err := w.ForceEnd(w.other, []string{j.UUID})
		must(t, err)
		if out.NRefused != 1 {
			t.Fatal("an editor forced an end")
		}
		_, err = w.Heartbeat(w.machine, w.worker, "", false, []Held{{j.UUID, c.Lease}})
		must(t, err)
		if w.get(j).NoResponse {
			t.Fatal("it answers again")
		}
		w.clock.Add(int64(2 * time.Minute))
		must(t, w.SweepOnce(ctx, false))
		out, err = w.ForceEnd(w.admin, []string{j.UUID})
		must(t, err)
		if out.Done != 1 {
			t.Fatalf("%+v", out.Refused[0].Err)
		}
		if x := w.is(j, job.StatusFailed); *x.EndReason != job.EndReasonWorkerLost || x.ExitCode != nil {
			t.Fatalf("%+v", x)
		}
		w.finish(c, 0) // the late result is an event, the status stays
		w.is(j, job.StatusFailed)
		if es := w.events(j); es[len(es)-1] != "job.late_result" {
			t.Fatal(es)
		}
	})
}

func TestARestartedWorkerKeepsWhatItKnowsAndLosesTheRest(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		kept, never, gone := w.launch(w.editor), w.launch(w.editor), w.launch(w.editor)
		cs := w.claim(3)
		w.run(cs[0])
		w.run(cs[2])
		reg, err := w.Register(w.machine, Registration{Name: "w", Computer: "box", HostID: "host", BootID: "boot", InstanceID: "i2", Known: []string{kept.UUID, "stale"}})
		must(t, err)
		if fmt.Sprint(reg.Kept, reg.Lost) != fmt.Sprint([]string{kept.UUID}, []string{"stale"}) {
			t.Fatalf("%+v", reg)
		}
		w.is(kept, job.StatusRunning)
		w.is(never, job.StatusQueued)
		if x := w.is(gone, job.StatusFailed); *x.EndReason != job.EndReasonWorkerLost || x.ExitCode != nil {
			t.Fatalf("%+v", x)
		}
		_, err = w.Claim(w.machine, w.worker, "i1", 1)
		wantCode(t, err, fault.Conflict) // the old process is told that it is replaced
	})
}

func TestTheSecondLiveWorkerAndAnotherHostAreRefused(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		gone := w.Present(ID(w.worker), "i1")
		in := Registration{Name: "w", Computer: "box", HostID: "host", BootID: "boot", InstanceID: "i2"}
		_, err := w.Register(w.machine, in)
		wantCode(t, err, fault.Conflict)
		gone()
		_, err = w.Register(w.machine, in)
		must(t, err)
		in.HostID = "elsewhere"
		_, err = w.Register(w.machine, in)
		wantCode(t, err, fault.Conflict)
	})
}

func TestReleaseGivesUnstartedJobsBack(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		j := w.launch(w.editor, func(l *Launch) { l.GPUCount = 2 })
		c := w.claim(1)[0]
		ids, err := w.Release(w.machine, w.worker, []Held{{j.UUID, c.Lease}, {"no-such", "x"}})
		must(t, err)
		if len(ids) != 1 {
			t.Fatal(ids)
		}
		w.is(j, job.StatusQueued)
		if again := w.claim(1); len(again) != 1 || len(again[0].GPUs) != 2 {
			t.Fatalf("%+v", again)
		}
	})
}

func TestR17_OneRequestIdIsOneJob(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		l := Launch{Project: "p", Kind: job.KindTraining, Command: "true", Computer: "box", MaxAttempts: 3, RequestID: "r1"}
		var wg sync.WaitGroup
		var made, existing atomic.Int64
		for range 20 {
			wg.Go(func() {
				x, err := w.Launch(w.editor, l)
				if err != nil {
					t.Error(err)
				} else if x.Existing {
					existing.Add(1)
				} else {
					made.Add(1)
				}
			})
		}
		wg.Wait()
		if made.Load() != 1 || existing.Load() != 19 {
			t.Fatalf("%d made, %d existing", made.Load(), existing.Load())
		}
		l.Command = "false"
		_, err := w.Launch(w.editor, l)
		wantCode(t, err, fault.Conflict)
	})
}

func TestRule3_NeitherRunNorJobWhenTheLaunchFails(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		bad := map[string]func(*Launch){
			"command":           func(l *Launch) { l.Command = " " },
			"timeLimit":         func(l *Launch) { l.TimeLimit = "2h" },
			"gpuIds":            func(l *Launch) { l.GPUIDs = []string{"7"} },
			"environment":       func(l *Launch) { l.Environment = map[string]string{"HF_TOKEN": "x"} },
			"workingDirectory":  func(l *Launch) { l.WorkingDirectory = "here" },
			"after":             func(l *Launch) { l.After = []string{"00000000"} },
			"secretEnvironment": func(l *Launch) { l.Secrets = map[string]string{"A B": "x"} },
		}
		for field, change := range bad {
			l := Launch{Project: "p", Kind: job.KindTraining, Command: "true", Computer: "box", MaxAttempts: 3}
			change(&l)
			_, err := w.Launch(w.editor, l)
			f, ok := err.(*fault.Error)
			if !ok || f.Code != fault.InvalidInput || f.Field != field {
				t.Errorf("%s: %v", field, err)
			}
		}
		must(t, w.DB.Computer.UpdateOne(w.computer).SetEnabled(false).Exec(w.admin))
		_, err := w.Launch(w.editor, Launch{Project: "p", Kind: job.KindTraining, Command: "true", Computer: "box", MaxAttempts: 3})
		wantCode(t, err, fault.ComputerNotAvailable)
		runs, _ := w.DB.Run.Query().Count(w.admin)
		if runs != 0 {
			t.Fatalf("%d runs left behind", runs)
		}
	})
}

func TestFinishAgainstStopAgainstFinish(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for range 15 {
			j := w.launch(w.editor)
			c := w.claim(1)[0]
			w.run(c)
			var wg sync.WaitGroup
			for range 3 {
				wg.Go(func() {
					code := 0
					if _, err := w.Finish(w.machine, j.UUID, c.Lease, Result{ExitCode: &code, Reason: "exited"}); err != nil {
						t.Error(err)
					}
				})
				wg.Go(func() {
					if _, err := w.RequestStop(w.editor, []string{j.UUID}); err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
			w.is(j, job.StatusCompleted)
			ends := 0
			for _, e := range w.events(j) {
				if e == "job.completed" || e == "job.canceled" {
					ends++
				}
			}
			if ends != 1 {
				t.Fatalf("ended %d times: %v", ends, w.events(j))
			}
		}
	})
}

func TestHowJobsEnd(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := func(i int) *int { return &i }
		for _, x := range []struct {
			res    Result
			status job.Status
			code   string
			exit   *int
		}{
			{Result{ExitCode: n(3), Reason: "exited"}, job.StatusFailed, "exit_nonzero", n(3)},
			{Result{ExitCode: n(137), Reason: "signaled", Signal: "SIGKILL"}, job.StatusFailed, "signal", n(137)},
			{Result{ExitCode: n(127), Reason: "exited"}, job.StatusFailed, "command_not_found", n(127)},
			{Result{ExitCode: n(126), Reason: "exited"}, job.StatusFailed, "not_executable", n(126)},
			{Result{ExitCode: n(137), Reason: "oom", Signal: "SIGKILL"}, job.StatusFailed, "oom", n(137)},
			{Result{ExitCode: n(143), Reason: "timed_out", Signal: "SIGTERM"}, job.StatusFailed, "timed_out", n(143)},
			{Result{Reason: "start_failed", Error: "workdir_missing: /nowhere"}, job.StatusFailed, "workdir_missing", nil},
			{Result{Reason: "rebooted"}, job.StatusFailed, "worker_lost", nil},
			{Result{Reason: "start_failed", Error: "nul \x00 and \xff"}, job.StatusFailed, "start_failed", nil},
		} {
			j := w.launch(w.editor)
			c := w.claim(1)[0]
			_, err := w.Finish(w.machine, j.UUID, c.Lease, x.res)
			must(t, err)
			got := w.is(j, x.status)
			if *got.ErrorCode != x.code || fmt.Sprint(deref(got.ExitCode)) != fmt.Sprint(deref(x.exit)) {
				t.Errorf("%+v: %s %v", x.res, *got.ErrorCode, deref(got.ExitCode))
			}
		}
	})
}

func deref(n *int) any {
	if n == nil {
		return nil
	}
	return *n
}

func TestWaitingSaysWhatTheClaimSees(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		say := func(j *ent.Job) string {
			x, err := w.Waiting(w.editor, w.get(j))
			must(t, err)
			s := x.Code
			for _, r := range x.Reasons {
				s += " " + r.Code
			}
			return s
		}
		want := func(j *ent.Job, s string) {
			t.Helper()
			if got := say(j); got != s {
				t.Fatalf("%q, want %q", got, s)
			}
		}
		must(t, w.DB.Computer.UpdateOne(w.computer).SetMaxJobs(1).Exec(w.admin))
		a := w.launch(w.editor, func(l *Launch) { l.GPUIDs = []string{"0"} })
		want(a, "WORKER_BUSY")
		c := w.claim(1)[0]
		b := w.launch(w.editor, func(l *Launch) { l.GPUIDs = []string{"0"} })
		want(b, "WORKER_BUSY CONCURRENCY_LIMIT GPU_IN_USE")
		d := w.launch(w.editor)
		want(d, "WORKER_BUSY CONCURRENCY_LIMIT BEHIND_OTHERS")
		want(w.launch(w.editor, func(l *Launch) { l.GPUCount = 9 }), "NEVER")
		want(w.launch(w.editor, func(l *Launch) { l.Held = true }), "HOLDING")
		want(w.launch(w.editor, func(l *Launch) { l.After = []string{a.UUID} }), "WAITING_FOR_JOB")
		w.clock.Add(int64(3 * time.Minute))
		want(d, "WORKER_OFFLINE")
		blocked, err := w.Blocked(w.editor, w.project.ID)
		must(t, err)
		if len(blocked) != 1 || blocked[0].State != "OFFLINE" || blocked[0].Queued != 3 {
			t.Fatalf("%+v", blocked)
		}
		w.finish(c, 0)
		if _, err := w.Waiting(w.editor, w.get(a)); err != nil {
			t.Fatal(err)
		}
	})
}

func TestAClaimWhoseAnswerWasLostIsPutBack(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		lost, known := w.launch(w.editor), w.launch(w.editor)
		cs := w.claim(2)
		beat := func() {
			t.Helper()
			_, err := w.Heartbeat(w.machine, w.worker, "", false, []Held{{known.UUID, cs[1].Lease}})
			must(t, err)
		}
		beat()
		w.is(lost, job.StatusAssigned) // the answer may still be on its way
		w.clock.Add(int64(31 * time.Second))
		beat()
		w.is(lost, job.StatusQueued)
		w.is(known, job.StatusAssigned)
	})
}
