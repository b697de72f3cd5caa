package worker

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nightshift/client"
	"nightshift/worker/supervise"
)

// TestMain: the test binary is also the supervisor, as the product's binary is.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "supervise" {
		os.Exit(supervise.Run(os.Args[2]))
	}
	if len(os.Args) == 3 && os.Args[1] == "worker-in-test" {
		os.Exit(asWorker(os.Args[2]))
	}
	os.Exit(m.Run())
}

type running struct {
	t    testing.TB
	stop context.CancelFunc
	done chan error
	o    Options
}

// begin runs a worker in this process.
func begin(t testing.TB, api *fakeAPI, change ...func(*Options)) *running {
	t.Helper()
	o := Options{
		URL: api.URL, Token: "nsw_test", Computer: "c", Name: "w", StateDir: filepath.Join(t.TempDir(), "state"), WorkFolder: t.TempDir(),
		FakeGPUs: -1, Version: "test", FlushFor: 3 * time.Second, Log: slog.New(slog.NewTextHandler(testWriter{t}, &slog.HandlerOptions{Level: slog.LevelWarn})),
	}
	for _, c := range change {
		c(&o)
	}
	ctx, stop := context.WithCancel(context.Background())
	r := &running{t: t, stop: stop, done: make(chan error, 1), o: o}
	go func() { r.done <- Run(ctx, o) }()
	t.Cleanup(func() { r.end() })
	return r
}

// end is SIGTERM: it returns when Run has.
func (r *running) end() error {
	r.stop()
	select {
	case err := <-r.done:
		r.done <- err
		return err
	case <-time.After(20 * time.Second):
		r.t.Error("the worker does not end")
		return nil
	}
}

type testWriter struct{ t testing.TB }

func (w testWriter) Write(b []byte) (int, error) {
	defer func() { _ = recover() }() // after the test's end
	w.t.Log(strings.TrimSpace(string(b)))
	return len(b), nil
}

func TestExits(t *testing.T) {
	api := newFakeAPI(t)
	begin(t, api)
	for _, c := range []struct {
		command, reason, signal string
		code                    int
	}{
		{"true", "exited", "", 0},
		{"exit 3", "exited", "", 3},
		{"kill -9 $$", "signaled", "SIGKILL", 137},
		{"kill -SEGV $$", "signaled", "SIGSEGV", 139},
		{"no-such-command", "exited", "", 127},
		{"/etc/passwd", "exited", "", 126},
		{"-x", "exited", "", 127},
		{"printf '%s' \"a 'b' \\\"c\\\" \nü🎉\"", "exited", "", 0},
	} {
		t.Run(c.command, func(t *testing.T) {
			j := api.await(api.add(c.command))
			if j.finish.ExitCode == nil || *j.finish.ExitCode != c.code || j.finish.Reason != c.reason {
				t.Errorf("ended %s with %v, want %s with %d", j.finish.Reason, deref(j.finish.ExitCode), c.reason, c.code)
			}
			if s := deref(j.finish.Signal); s != c.signal {
				t.Errorf("signal %q, want %q", s, c.signal)
			}
		})
	}
}

func deref[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

func TestOutputArrivesByteForByte(t *testing.T) {
	api := newFakeAPI(t)
	begin(t, api)
	id := api.add(`printf 'one\ntwo\r\nthree'; printf 'err \377\n' >&2; sleep 0.1; printf ' and on'`)
	j := api.await(id)
	if got, want := api.output(id, 0), "one\ntwo\r\nthree and on"; got != want {
		t.Errorf("stdout %q, want %q", got, want)
	}
	if got, want := api.output(id, 1), "err \xff\n"; got != want {
		t.Errorf("stderr %q, want %q", got, want)
	}
	if *j.finish.LogLines != int64(len(j.lines)) {
		t.Errorf("%d lines announced, %d stored", *j.finish.LogLines, len(j.lines))
	}
}

func TestNothingIsKeptOfAnAcknowledgedJob(t *testing.T) {
	api := newFakeAPI(t)
	w := begin(t, api)
	api.await(api.add("echo hi"))
	eventually(t, 3*time.Second, "its directory is removed", func() bool {
		left, _ := os.ReadDir(filepath.Join(w.o.StateDir, "jobs"))
		return len(left) == 0
	})
}

func TestEventsTellTheStory(t *testing.T) {
	api := newFakeAPI(t)
	begin(t, api)
	j := api.await(api.add("exit 2"))
	if got, want := strings.Join(j.eventSeq, " "), "worker.prepared worker.process_started worker.process_exited"; got != want {
		t.Errorf("events %s, want %s", got, want)
	}
}

func TestMissingWorkingDirectoryIsNamedBeforeAnythingRan(t *testing.T) {
	api := newFakeAPI(t)
	begin(t, api)
	j := api.await(api.add("touch /tmp/must-not-be", func(c *client.ClaimedJob) { c.WorkingDirectory = new("/no/such/folder") }))
	if j.finish.ExitCode != nil || j.finish.Reason != "start_failed" || deref(j.finish.Error) != "workdir_missing: /no/such/folder" {
		t.Errorf("ended %s, exit code %v, error %q", j.finish.Reason, j.finish.ExitCode, deref(j.finish.Error))
	}
}

func TestEnvironment(t *testing.T) {
	t.Setenv("NIGHTSHIFT_SECRET_OF_THE_WORKER", "no")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "no")
	t.Setenv("PLAIN", "yes")
	api := newFakeAPI(t)
	w := begin(t, api)
	id := api.add(`env; echo "cwd=$(pwd)"; echo "params=$(cat $NIGHTSHIFT_PARAMETERS_FILE)"; touch $NIGHTSHIFT_OUTPUTS_DIR/x`, func(c *client.ClaimedJob) {
		c.Environment = json.RawMessage(`{"GREETING":"hello","CUDA_VISIBLE_DEVICES":"9"}`)
		c.GpuIndices = []int{1, 3}
		c.ArrayIndex, c.ArraySize = new(4), new(10)
	})
	api.await(id)
	out := "\n" + api.output(id)
	for _, want := range []string{
		"GREETING=hello", "PLAIN=yes", "NIGHTSHIFT_URL=" + api.URL, "NIGHTSHIFT_TOKEN=nsj_" + id, "NIGHTSHIFT_PROJECT=first", "NIGHTSHIFT_RUN_ID=run-" + id,
		"NIGHTSHIFT_JOB_ID=" + id, "NIGHTSHIFT_JOB_KIND=TRAINING", "NIGHTSHIFT_ATTEMPT=1", "NIGHTSHIFT_ARRAY_INDEX=4", "NIGHTSHIFT_ARRAY_SIZE=10",
		"CUDA_VISIBLE_DEVICES=1,3", "CUDA_DEVICE_ORDER=PCI_BUS_ID", "PYTHONUNBUFFERED=1", "cwd=" + w.o.WorkFolder, `params={"lr":0.1}`, "NIGHTSHIFT_SHARED_DIR=" + w.o.WorkFolder,
	} {
		if !strings.Contains(out, "\n"+want+"\n") {
			t.Errorf("missing: %s", want)
		}
	}
	for _, no := range []string{"NIGHTSHIFT_SECRET_OF_THE_WORKER", "AWS_SECRET", "nsw_test"} {
		if strings.Contains(out, no) {
			t.Errorf("a job sees %s", no)
		}
	}
	if t.Failed() {
		t.Log(out)
	}
}

func TestSecondWorkerOnOneStateDirectoryRefuses(t *testing.T) {
	api := newFakeAPI(t)
	w := begin(t, api)
	api.await(api.add("true"))
	err := Run(context.Background(), w.o)
	if err == nil || !strings.Contains(err.Error(), "another worker") {
		t.Errorf("the second worker says %v", err)
	}
}

func TestStopTakesEffectAtOnce(t *testing.T) {
	api := newFakeAPI(t)
	begin(t, api)
	b, err := os.ReadFile("testdata/last_words.sh")
	if err != nil {
		t.Fatal(err)
	}
	id := api.add(string(b))
	eventually(t, 5*time.Second, "it prints", func() bool { return strings.Contains(api.output(id), "line 2") })
	asked := time.Now()
	api.tell(id, client.HeartbeatAnswerStop)
	eventually(t, 5*time.Second, "it hears", func() bool { return strings.Contains(api.output(id), "bye 1") })
	if d := time.Since(asked); d > time.Second {
		t.Errorf("heard after %s", d)
	}
	j := api.await(id)
	if j.finish.Reason != "stopped" || deref(j.finish.ExitCode) != 7 {
		t.Errorf("ended %s with %v", j.finish.Reason, deref(j.finish.ExitCode))
	}
	if !strings.HasSuffix(api.output(id), "bye 4\nbye 5\n") {
		t.Errorf("last words are missing: %q", api.output(id))
	}
}

func TestKillAndLost(t *testing.T) {
	api := newFakeAPI(t)
	w := begin(t, api)
	killed, lost := api.add("trap '' TERM; echo up; sleep 300"), api.add("trap '' TERM; echo up; sleep 300")
	for _, id := range []string{killed, lost} {
		eventually(t, 5*time.Second, "it runs", func() bool { return api.output(id) == "up\n" })
	}
	api.tell(killed, client.HeartbeatAnswerKill)
	if j := api.await(killed); j.finish.Reason != "killed" || deref(j.finish.ExitCode) != 137 {
		t.Errorf("ended %s with %v", j.finish.Reason, deref(j.finish.ExitCode))
	}
	api.with(lost, func(j *fakeJob) { j.Lease, j.status = "another", "QUEUED" })
	api.with(lost, func(j *fakeJob) { j.status = "ENDED" })
	api.nudge(client.Work{Heartbeat: true})
	eventually(t, 5*time.Second, "nothing is left of the lost one", func() bool {
		left, _ := os.ReadDir(filepath.Join(w.o.StateDir, "jobs"))
		return len(left) == 0
	})
}
