package worker

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"nightshift/client"
)

func TestNothingIsLeftWhenAWorkerEnds(t *testing.T) {
	routines, before := runtime.NumGoroutine(), files()
	api := newFakeAPI(t)
	w := begin(t, api)
	for range 5 {
		api.add("echo hi")
	}
	api.await(api.add("true"))
	eventually(t, 5*time.Second, "all end", func() bool {
		left, _ := os.ReadDir(filepath.Join(w.o.StateDir, "jobs"))
		return len(left) == 0
	})
	if err := w.end(); err != nil {
		t.Fatal(err)
	}
	api.CloseClientConnections()
	api.Close()
	for end := time.Now().Add(3 * time.Second); runtime.NumGoroutine() > routines; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			buf := make([]byte, 1<<20)
			t.Fatalf("goroutines are left:\n%s", buf[:runtime.Stack(buf, true)])
		}
	}
	eventually(t, 3*time.Second, "no open file is left", func() bool { return files() <= before })
}

func files() int {
	l, _ := os.ReadDir("/proc/self/fd")
	return len(l)
}

func TestJobsRunAsAnotherUser(t *testing.T) {
	u, err := user.Lookup("nobody")
	if os.Getuid() != 0 || err != nil {
		t.Skip("needs root and a user named nobody")
	}
	open, err := os.MkdirTemp("", "nightshift-run-as")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(open)
	if err := os.Chmod(open, 0o755); err != nil {
		t.Fatal(err)
	}
	api := newFakeAPI(t)
	w := begin(t, api, func(o *Options) { o.RunAs, o.StateDir, o.WorkFolder = "nobody", filepath.Join(open, "state"), "/" })
	id := api.add(fmt.Sprintf(`id -un; echo $HOME $USER; cat $NIGHTSHIFT_PARAMETERS_FILE; echo; echo x > $NIGHTSHIFT_OUTPUTS_DIR/y && ls $NIGHTSHIFT_OUTPUTS_DIR
cat %[1]s/jobs/*/job.json; cat $NIGHTSHIFT_JOB_DIR/../job.json; ls %[1]s; cat $NIGHTSHIFT_JOB_DIR/../process/spool; cat %[1]s/lock; cat /proc/%[2]d/environ`, filepath.Join(open, "state"), os.Getpid()))
	api.await(id)
	want := fmt.Sprintf("nobody\n%s nobody\n{\"lr\":0.1}\ny\n", u.HomeDir)
	if got := api.output(id, 0); got != want {
		t.Errorf("stdout %q, want %q", got, want)
	}
	if got := api.output(id, 1); strings.Count(got, "ermission denied")+strings.Count(got, "No such file") != 6 || strings.Contains(got, "lease") {
		t.Errorf("a job looks into the worker's files: %s", got)
	}
	_ = w
}

func TestFullDiskOnTheWorkersSideGivesJobsBack(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root, for a small file system")
	}
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=256k"); err != nil {
		t.Skip("no file system can be mounted here: ", err)
	}
	defer func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) }()
	api := newFakeAPI(t)
	w := begin(t, api, func(o *Options) { o.StateDir = filepath.Join(dir, "state") })
	api.await(api.add("echo before"))
	filler := filepath.Join(dir, "filler")
	if err := os.WriteFile(filler, bytes.Repeat([]byte("x"), 1<<20), 0o600); err == nil {
		t.Fatal("the disk is not full")
	}
	id := api.add("echo after")
	time.Sleep(500 * time.Millisecond)
	if j := func() (j fakeJob) { api.with(id, func(f *fakeJob) { j = *f }); return }(); j.finish != nil {
		t.Errorf("ended %s while the disk was full: %s", j.finish.Reason, deref(j.finish.Error))
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	if j := api.await(id); deref(j.finish.ExitCode) != 0 || api.output(id, 0) != "after\n" {
		t.Errorf("%+v", j.finish)
	}
	_ = w
}

func TestAnotherProcessTookItsPlace(t *testing.T) {
	api := newFakeAPI(t)
	w := begin(t, api)
	id := api.add("sleep 300")
	eventually(t, 5*time.Second, "it runs", func() bool { s := ""; api.with(id, func(j *fakeJob) { s = j.status }); return s == "RUNNING" })
	api.mu.Lock()
	api.conflict = true
	api.mu.Unlock()
	api.nudge(client.Work{Claim: true, Heartbeat: true})
	select {
	case err := <-w.done:
		w.done <- err
		if !client.Is(err, client.Conflict) {
			t.Errorf("it ends with %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Error("it goes on")
	}
	api.mu.Lock()
	api.conflict = false
	api.mu.Unlock()
	again := begin(t, api, func(o *Options) { *o = w.o })
	api.tell(id, client.HeartbeatAnswerKill)
	if j := api.await(id); j.finish.Reason != "killed" {
		t.Errorf("ended %s", j.finish.Reason)
	}
	_ = again
}

func TestRefusedRegistrationSaysWhy(t *testing.T) {
	api := newFakeAPI(t)
	api.fault = func(string, int) faultKind { return refused }
	o := Options{URL: api.URL, Token: "t", Computer: "c", StateDir: t.TempDir(), FakeGPUs: -1}
	if err := Run(context.Background(), o); !client.Is(err, client.Unauthenticated) {
		t.Errorf("%v", err)
	}
}

func TestGPUs(t *testing.T) {
	gpus, err := parseGPUs([]byte("0, GPU-1, NVIDIA H100, SXM, 81559\n1, [N/A], [N/A], [N/A]\n"))
	if err != nil || len(gpus) != 2 || gpus[0].Name != "NVIDIA H100, SXM" || deref(gpus[0].MemoryMib) != 81559 || deref(gpus[0].Uuid) != "GPU-1" || gpus[1].Name != "GPU" || gpus[1].Uuid != nil || gpus[1].MemoryMib != nil {
		t.Errorf("%+v %v", gpus, err)
	}
	if _, err := parseGPUs([]byte("\n")); err != ErrNoGPUs {
		t.Errorf("%v", err)
	}
	dir := t.TempDir()
	for _, c := range []struct{ script, says string }{
		{"exit 9", "driver"}, {"exit 6", "no NVIDIA GPU"}, {"exit 15", "bus"}, {"exit 1", "nvidia-smi"}, {"echo nonsense, a, b, c", "index"},
	} {
		if err := os.WriteFile(filepath.Join(dir, "nvidia-smi"), []byte("#!/bin/sh\n"+c.script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", dir+":/bin:/usr/bin")
		if _, err := DiscoverGPUs(t.Context()); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.script, err)
		}
	}
}
