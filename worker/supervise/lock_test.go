package supervise

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "supervise" { // the test binary is its own supervisor
		os.Exit(Run(os.Args[2]))
	}
	os.Exit(m.Run())
}

func begin(t *testing.T, dir, command string) {
	t.Helper()
	spec := Spec{Argv: []string{"/bin/sh", "-c", command}, Dir: "/", Env: []string{"PATH=" + os.Getenv("PATH")}, Grace: time.Second}
	if err := Start(context.Background(), os.Args[0], dir, spec); err != nil {
		t.Error(err)
	}
}

func ended(t *testing.T, dir string) Exit {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if s := Read(dir); s.Exit != nil {
			return *s.Exit
		}
	}
	t.Fatal("it has not ended")
	return Exit{}
}

// Whoever looks at a folder holds its lock for an instant: that must keep no supervisor from starting, and two starts run once.
func TestLookingAtAFolderKeepsNoSupervisorFromStarting(t *testing.T) {
	for range 10 {
		dir := filepath.Join(t.TempDir(), "job")
		marks := filepath.Join(t.TempDir(), "marks")
		looking, stop := context.WithCancel(context.Background())
		var watchers, starts sync.WaitGroup
		for range 4 {
			watchers.Go(func() {
				for looking.Err() == nil {
					Read(dir)
				}
			})
		}
		for range 2 {
			starts.Go(func() { begin(t, dir, "echo x >> "+marks) })
		}
		starts.Wait()
		e := ended(t, dir)
		stop()
		watchers.Wait()
		b, _ := os.ReadFile(marks)
		if e.Code == nil || *e.Code != 0 || string(b) != "x\n" {
			t.Fatalf("%+v, ran %q", e, b)
		}
	}
}

func TestAMissingWorkingFolderIsNamedAndNothingRuns(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "job")
	if err := Start(context.Background(), os.Args[0], dir, Spec{Argv: []string{"/bin/sh", "-c", "true"}, Dir: "/no/such/folder"}); err != nil {
		t.Fatal(err)
	}
	if e := ended(t, dir); e.Code != nil || e.Reason != "start_failed" || e.Error != "workdir_missing: /no/such/folder" {
		t.Fatalf("%+v", e)
	}
}

func TestAStopBeforeTheStartIsKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "job")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Stop(dir, false); err != nil {
		t.Fatal(err)
	}
	begin(t, dir, "echo never")
	if e := ended(t, dir); e.Reason != "stopped" || e.Code != nil {
		t.Fatalf("%+v", e)
	}
}
