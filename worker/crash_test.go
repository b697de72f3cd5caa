package worker

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"nightshift/client"
	"nightshift/worker/supervise"
)

// asWorker runs a worker in this process when a test has started it for that.
func asWorker(options string) int {
	var o Options
	if err := json.Unmarshal([]byte(options), &o); err != nil {
		panic(err)
	}
	o.Log = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if err := Run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// process is a worker in a process of its own, which can be killed.
type process struct {
	t   *testing.T
	o   Options
	cmd *exec.Cmd
	out *bytes.Buffer
}

func newProcess(t *testing.T, api *fakeAPI, change ...func(*Options)) *process {
	o := Options{
		URL: api.URL, Token: "nsw_test", Computer: "c", Name: "w", StateDir: filepath.Join(t.TempDir(), "state"), WorkFolder: t.TempDir(),
		FakeGPUs: -1, Version: "test", FlushFor: 3 * time.Second,
	}
	for _, c := range change {
		c(&o)
	}
	p := &process{t: t, o: o}
	p.start()
	t.Cleanup(func() {
		p.kill()
		p.reapAll()
		if t.Failed() {
			t.Log(p.out.String())
		}
	})
	return p
}

func (p *process) start() {
	p.t.Helper()
	b, _ := json.Marshal(p.o)
	p.cmd = exec.Command(os.Args[0], "worker-in-test", string(b))
	if p.out == nil {
		p.out = new(bytes.Buffer)
	}
	p.cmd.Stderr = &locked1{b: p.out}
	if err := p.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
}

type locked1 struct{ b *bytes.Buffer }

func (l *locked1) Write(b []byte) (int, error) { return l.b.Write(b) }

// kill is kill -9.
func (p *process) kill() {
	if p.cmd.ProcessState == nil {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
	}
}

// terminate is SIGTERM; it gives the exit code.
func (p *process) terminate() int {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	_ = p.cmd.Wait()
	return p.cmd.ProcessState.ExitCode()
}

// reapAll ends the jobs that a test left running.
func (p *process) reapAll() {
	dirs, _ := filepath.Glob(filepath.Join(p.o.StateDir, "jobs", "*", "process"))
	for _, d := range dirs {
		_ = supervise.Stop(d, true)
		waitForEnd(d, 5*time.Second)
	}
}

func TestKilledWorkerAtEveryStepRunsEachJobOnceAndLosesNothing(t *testing.T) {
	api := newFakeAPI(t)
	marks := t.TempDir()
	p := newProcess(t, api)
	const jobs = 40
	var ids []string
	for i := range jobs {
		// Each says that it ran, and prints for a while on both streams, in bits and pieces.
		ids = append(ids, api.add(fmt.Sprintf(`echo x >> %s/%d; i=0; while [ $i -lt 60 ]; do i=$((i+1)); printf "a$i"; echo "b$i" >&2; printf " c$i\n"; [ $((i%%20)) = 0 ] && sleep 0.05; done; printf end; exit %d`, marks, i, i%5)))
	}
	for range 25 {
		time.Sleep(time.Duration(20+rand.IntN(250)) * time.Millisecond)
		p.kill()
		p.start()
	}
	var out, errs strings.Builder
	for i := 1; i <= 60; i++ {
		fmt.Fprintf(&out, "a%d c%d\n", i, i)
		fmt.Fprintf(&errs, "b%d\n", i)
	}
	out.WriteString("end")
	for i, id := range ids {
		j := api.await(id)
		if b, _ := os.ReadFile(fmt.Sprintf("%s/%d", marks, i)); string(b) != "x\n" {
			t.Errorf("job %d ran %d times", i, len(b)/2)
		}
		if j.finish.Reason != "exited" || deref(j.finish.ExitCode) != i%5 {
			t.Errorf("job %d ended %s with %d", i, j.finish.Reason, deref(j.finish.ExitCode))
		}
		if got := api.output(id, 0); got != out.String() {
			t.Errorf("job %d: standard output differs: %d bytes, want %d", i, len(got), out.Len())
		}
		if got := api.output(id, 1); got != errs.String() {
			t.Errorf("job %d: standard error differs: %d bytes, want %d", i, len(got), errs.Len())
		}
	}
}

// A job that the server takes away is claimed by the same worker at once: the first run is ended before the second uses its directory.
func TestAJobClaimedAgainWhileItIsClearedAway(t *testing.T) {
	api := newFakeAPI(t)
	begin(t, api)
	for range 8 {
		mark := filepath.Join(t.TempDir(), "first")
		id := api.add(fmt.Sprintf(`if [ -e %[1]s ]; then sleep 0.3; echo second; else echo $$ > %[1]s; trap '' TERM; sleep 600; fi`, mark))
		eventually(t, 10*time.Second, "the first run", func() bool { b, _ := os.ReadFile(mark); return len(b) > 0 })
		api.with(id, func(j *fakeJob) { j.status = "QUEUED" })
		api.nudge(client.Work{Claim: true, Heartbeat: true})
		j := api.await(id)
		if j.finish.Reason != "exited" || deref(j.finish.ExitCode) != 0 || api.output(id, 0) != "second\n" {
			t.Fatalf("ended %s (%s), printed %q", j.finish.Reason, deref(j.finish.Error), api.output(id, 0))
		}
		b, _ := os.ReadFile(mark)
		if pid, _ := strconv.Atoi(strings.TrimSpace(string(b))); syscall.Kill(pid, 0) == nil {
			t.Fatal("the first run is still alive")
		}
	}
}

func TestFlakyServer(t *testing.T) {
	for _, c := range []struct {
		name string
		kind faultKind
	}{{"errors inside 200", errorIn200}, {"503", down}, {"lost answers", lostReply}, {"duplicates", twice}} {
		t.Run(c.name, func(t *testing.T) {
			api := newFakeAPI(t)
			dice := rand.New(rand.NewPCG(1, 2))
			api.fault = func(string, int) faultKind {
				if dice.IntN(3) == 0 {
					return c.kind
				}
				return noFault
			}
			begin(t, api)
			marks := t.TempDir()
			var ids []string
			for i := range 12 {
				ids = append(ids, api.add(fmt.Sprintf(`echo x >> %s/%d; for i in 1 2 3 4 5; do echo line $i; sleep 0.03; done`, marks, i)))
			}
			for i, id := range ids {
				j := api.await(id)
				if b, _ := os.ReadFile(fmt.Sprintf("%s/%d", marks, i)); string(b) != "x\n" {
					t.Errorf("job %d ran %d times", i, len(b)/2)
				}
				if got := api.output(id); got != "line 1\nline 2\nline 3\nline 4\nline 5\n" || deref(j.finish.ExitCode) != 0 {
					t.Errorf("job %d: %q, exit %v", i, got, deref(j.finish.ExitCode))
				}
				for k, n := range count(j.eventSeq) {
					if n != 1 {
						t.Errorf("event %s stored %d times", k, n)
					}
				}
			}
		})
	}
}

func count(s []string) map[string]int {
	m := map[string]int{}
	for _, x := range s {
		m[x]++
	}
	return m
}

func TestServerAwayForLongJobsGoOnAndAllArrivesLater(t *testing.T) {
	api := newFakeAPI(t)
	away := false
	api.fault = func(string, int) faultKind {
		if away {
			return down
		}
		return noFault
	}
	p := newProcess(t, api)
	id := api.add(`i=0; while [ $i -lt 3000 ]; do i=$((i+1)); echo line $i; done; sleep 1; echo last; exit 4`)
	eventually(t, 5*time.Second, "it prints", func() bool { return api.output(id) != "" })
	api.mu.Lock()
	away = true
	api.mu.Unlock()
	api.CloseClientConnections()
	time.Sleep(1500 * time.Millisecond) // the job ends meanwhile
	p.kill()                            // and the worker too
	p.start()
	time.Sleep(500 * time.Millisecond)
	if c := p.terminate(); c != 0 {
		t.Errorf("a worker that waits for its server exits %d after SIGTERM", c)
	}
	p.start()
	api.mu.Lock()
	away = false
	api.mu.Unlock()
	j := api.await(id)
	if len(j.lines) != 3001 || deref(j.finish.ExitCode) != 4 {
		t.Errorf("%d lines, exit %v", len(j.lines), deref(j.finish.ExitCode))
	}
}

func TestM30_SIGTERMLeavesJobsRunningAndTheNextWorkerAdoptsThem(t *testing.T) {
	api := newFakeAPI(t)
	p := newProcess(t, api)
	id := api.add(`for i in $(seq 40); do echo line $i; sleep 0.05; done`)
	eventually(t, 5*time.Second, "it prints", func() bool { return strings.Contains(api.output(id), "line 3") })
	if c := p.terminate(); c != 0 {
		t.Errorf("exit %d", c)
	}
	seen := api.output(id)
	p.start()
	j := api.await(id)
	if len(j.lines) != 40 || deref(j.finish.ExitCode) != 0 || !strings.HasPrefix(api.output(id), seen) {
		t.Errorf("%d lines, exit %v", len(j.lines), deref(j.finish.ExitCode))
	}
	if !strings.Contains(strings.Join(j.eventSeq, " "), "worker.adopted") {
		t.Errorf("events %v", j.eventSeq)
	}
}

func TestSupervisorKilledEndsLost(t *testing.T) {
	api := newFakeAPI(t)
	p := newProcess(t, api)
	id := api.add(`echo up; sh -c 'sleep 300' & sleep 300`)
	eventually(t, 5*time.Second, "it prints", func() bool { return api.output(id) == "up\n" })
	s := supervise.Read(filepath.Join(p.o.StateDir, "jobs", id, "process"))
	if err := syscall.Kill(s.State.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	j := api.await(id)
	if j.finish.Reason != "lost" || j.finish.ExitCode != nil {
		t.Errorf("ended %s with %v", j.finish.Reason, j.finish.ExitCode)
	}
	eventually(t, 5*time.Second, "nothing of it is alive", func() bool {
		out, _ := exec.Command("pgrep", "-f", "sleep 300").Output()
		for _, pid := range strings.Fields(string(out)) {
			if b, _ := os.ReadFile("/proc/" + pid + "/environ"); bytes.Contains(b, []byte(id)) {
				return false
			}
		}
		return true
	})
}

func TestHostRebootedEndsRebooted(t *testing.T) {
	api := newFakeAPI(t)
	id := api.add("true")
	api.with(id, func(j *fakeJob) { j.status, j.Lease = "RUNNING", "l" })
	p := newProcess(t, api, func(o *Options) {
		dir := filepath.Join(o.StateDir, "jobs", id)
		if err := os.MkdirAll(filepath.Join(dir, "process"), 0o700); err != nil {
			t.Fatal(err)
		}
		var c client.ClaimedJob
		api.with(id, func(j *fakeJob) { c = j.ClaimedJob })
		c.Lease = "l"
		r := record{Job: c, Stage: starting, BootID: "another boot"}
		if err := r.write(dir); err != nil {
			t.Fatal(err)
		}
		state, _ := json.Marshal(supervise.State{PID: 1, BootID: "another boot"})
		if err := os.WriteFile(filepath.Join(dir, "process", "state.json"), state, 0o600); err != nil {
			t.Fatal(err)
		}
		_ = os.WriteFile(filepath.Join(dir, "process", "spool"), nil, 0o600)
	})
	_ = p
	if j := api.await(id); j.finish.Reason != "rebooted" || j.finish.ExitCode != nil {
		t.Errorf("ended %s", j.finish.Reason)
	}
}

func TestFloodArrivesWhole(t *testing.T) {
	api := newFakeAPI(t)
	p := newProcess(t, api)
	const lines = 300_000
	id := api.add(fmt.Sprintf(`awk 'BEGIN { for (i = 0; i < %d; i++) printf "%%d some words of a log line, %%d\n", i, i*7 }'`, lines))
	time.Sleep(300 * time.Millisecond)
	p.kill() // in the middle
	p.start()
	api.await(id)
	want := sha256.New()
	for i := range lines {
		fmt.Fprintf(want, "%d some words of a log line, %d\n", i, i*7)
	}
	if got := sha256.Sum256([]byte(api.output(id))); !bytes.Equal(got[:], want.Sum(nil)) {
		t.Errorf("the output differs: %d bytes", len(api.output(id)))
	}
}

func TestServerThatLostLinesGetsThemAgain(t *testing.T) {
	api := newFakeAPI(t)
	begin(t, api)
	id := api.add(`for i in 1 2 3 4 5 6 7 8; do echo line $i; sleep 0.1; done`)
	eventually(t, 5*time.Second, "it prints", func() bool { return strings.Contains(api.output(id), "line 4") })
	api.with(id, func(j *fakeJob) { j.lines = j.lines[:1] })
	api.await(id)
	if got := api.output(id); got != "line 1\nline 2\nline 3\nline 4\nline 5\nline 6\nline 7\nline 8\n" {
		t.Errorf("%q", got)
	}
}

func TestLostClaimAnswerIsSettled(t *testing.T) {
	api := newFakeAPI(t)
	api.fault = func(op string, n int) faultKind {
		if op == "ClaimJobs" && n == 1 {
			return lostReply
		}
		return noFault
	}
	id := api.add("true")
	begin(t, api)
	if j := api.await(id); j.runs != 2 || deref(j.finish.ExitCode) != 0 {
		t.Errorf("claimed %d times, exit %v", j.runs, deref(j.finish.ExitCode))
	}
}

func TestR07_DrainTakesNothingNewWaitsAndEnds(t *testing.T) {
	api := newFakeAPI(t)
	p := newProcess(t, api)
	id := api.add("sleep 1.5; echo done")
	eventually(t, 5*time.Second, "it runs", func() bool { s := ""; api.with(id, func(j *fakeJob) { s = j.status }); return s == "RUNNING" })
	drained := make(chan error, 1)
	go func() { drained <- Drain(context.Background(), p.o.StateDir, nil) }()
	eventually(t, 5*time.Second, "it drains", func() bool { s, _ := ReadStatus(p.o.StateDir); return s.Draining })
	later := api.add("true")
	if err := <-drained; err != nil {
		t.Fatal(err)
	}
	_ = p.cmd.Wait()
	if c := p.cmd.ProcessState.ExitCode(); c != 0 {
		t.Errorf("exit %d", c)
	}
	if j := api.await(id); deref(j.finish.ExitCode) != 0 {
		t.Error("the job was not left to end")
	}
	api.with(later, func(j *fakeJob) {
		if j.runs > 0 {
			t.Error("a draining worker claimed a job")
		}
	})
}

func TestOrphanIsEndedAndTheJobEndsWithItsLeader(t *testing.T) {
	api := newFakeAPI(t)
	begin(t, api)
	b, _ := os.ReadFile("testdata/orphan.sh")
	id := api.add(string(b))
	j := api.await(id)
	if deref(j.finish.ExitCode) != 0 || !strings.Contains(api.output(id), "leader done") {
		t.Errorf("exit %v, %q", deref(j.finish.ExitCode), api.output(id))
	}
	if !strings.Contains(strings.Join(j.eventSeq, " "), "worker.stragglers") {
		t.Errorf("events %v", j.eventSeq)
	}
}

func TestNoOpJobsPerSecond(t *testing.T) {
	api := newFakeAPI(t)
	const n = 100
	var ids []string
	for range n {
		ids = append(ids, api.add("true"))
	}
	began := time.Now()
	p := newProcess(t, api)
	_ = p
	for _, id := range ids {
		api.await(id)
	}
	t.Logf("%d no-op jobs in %s: %.0f a second; calls %v", n, time.Since(began), n/time.Since(began).Seconds(), api.calls)
}
