package supervise

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const orphan = `sh -c 'setsid sh -c "echo grandchild \$\$; sleep 600" & exit 0'; echo leader done; exit 0`

func TestJobEndsWithItsLeader(t *testing.T) {
	began := time.Now()
	dir, e := run(t, shell(t, orphan+"\n"))
	if d := time.Since(began); d > 3*time.Second || e.Reason != "exited" || *e.Code != 0 || e.Stragglers == 0 {
		t.Errorf("after %s: %+v", d, e)
	}
	if text := output(t, dir); strings.Contains(text, "grandchild") {
		gone(t, number(t, text, "grandchild"))
	}
}

func TestLeftoverThatIgnoresSIGTERMIsKilled(t *testing.T) {
	began := time.Now()
	dir, e := run(t, shell(t, `(trap '' TERM; echo left $(sh -c 'echo $PPID'); while :; do sleep 0.1; done) & sleep 0.3; exit 4`, func(s *Spec) { s.Grace = time.Minute }))
	if d := time.Since(began); d > 6*time.Second || *e.Code != 4 || e.Reason != "exited" || e.Stragglers == 0 {
		t.Errorf("after %s: %+v", d, e)
	}
	gone(t, number(t, output(t, dir), "left"))
}

// What is about to end by itself may: the end of a pipeline in bash outlives the shell by a moment and still has the last lines.
func TestEndOfAPipelineHasTimeForItsLastLines(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash")
	}
	dir, e := run(t, shell(t, "", func(s *Spec) { s.Argv = []string{"bash", "-c", "echo the last line > >(sleep 0.06; cat)"} }))
	if got := output(t, dir); got != "the last line\n" {
		t.Errorf("%q, %+v", got, e)
	}
}

// A descriptor that was passed on to a process outside the job cannot hold the job up for ever.
func TestOutsiderThatHoldsTheOutputIsGivenUp(t *testing.T) {
	dir := start(t, shell(t, "echo ready; sleep 0.5"))
	text := says(t, dir, "ready")
	child := Read(dir).State.Child
	f, err := os.OpenFile(fmt.Sprintf("/proc/%d/fd/1", child), os.O_WRONLY, 0)
	if err != nil {
		t.Skip("cannot open another process's pipe:", err)
	}
	defer f.Close()
	began := time.Now()
	e := await(t, dir, 15*time.Second)
	if d := time.Since(began); d < 4*time.Second || d > 9*time.Second || *e.Code != 0 || text != "ready\n" {
		t.Errorf("after %s: %+v", d, e)
	}
}

func TestKilledSupervisorIsLostAndReaped(t *testing.T) {
	dir := start(t, shell(t, `sh -c 'echo grandchild $$; exec sleep 600' & setsid sh -c 'echo escaped $$; exec sleep 600' & echo child $$; wait`))
	says(t, dir, "grandchild")
	says(t, dir, "escaped")
	text := says(t, dir, "child "+fmt.Sprint(Read(dir).State.Child))
	if err := signalled(dir, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	eventually(t, 5*time.Second, "lost", func() bool { return Read(dir).Phase == Lost })
	if Read(dir).Rebooted {
		t.Error("the host was not started anew")
	}
	gone(t, Read(dir).State.Child) // its parent's death is its own
	if n := Reap(dir); n != 2 {
		t.Errorf("reaped %d, want 2", n)
	}
	gone(t, number(t, text, "grandchild"), number(t, text, "escaped"))
	if n := Reap(dir); n != 0 {
		t.Errorf("reaped %d more", n)
	}
	if got := output(t, dir); got != text {
		t.Errorf("the output changed: %q", got)
	}
	if err := Start(context.Background(), self(t), dir, shell(t, "echo again")); err != nil || Read(dir).Phase != Lost {
		t.Errorf("a folder is used once: %v, %s", err, Read(dir).Phase)
	}
}

func TestAfterARebootNothingIsReaped(t *testing.T) {
	dir := start(t, shell(t, "echo started; sleep 600"))
	says(t, dir, "started")
	if err := signalled(dir, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	eventually(t, 5*time.Second, "lost", func() bool { return Read(dir).Phase == Lost })
	st := *Read(dir).State
	st.BootID = "another boot"
	if err := writeWhole(filepath.Join(dir, "state.json"), st); err != nil {
		t.Fatal(err)
	}
	if s := Read(dir); s.Phase != Lost || !s.Rebooted || Reap(dir) != 0 {
		t.Errorf("got %+v", s)
	}
}

func TestTwoStartsRunOnce(t *testing.T) {
	for range 10 {
		work := t.TempDir()
		dir := filepath.Join(t.TempDir(), "job")
		spec := shell(t, "echo run >> runs; sleep 0.1", func(s *Spec) { s.Dir = work })
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				if err := Start(context.Background(), self(t), dir, spec); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		await(t, dir, 10*time.Second)
		if err := Start(context.Background(), self(t), dir, spec); err != nil {
			t.Error(err)
		}
		if b, _ := os.ReadFile(filepath.Join(work, "runs")); string(b) != "run\n" {
			t.Fatalf("ran %q", b)
		}
	}
}

// Whoever looks at a folder while its supervisor comes up must not be taken for another supervisor.
func TestLookingDoesNotKeepASupervisorFromStarting(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "job")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	var lookers sync.WaitGroup
	lookers.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				Read(dir)
			}
		}
	})
	defer lookers.Wait()
	defer close(stop)
	for i := range 20 {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		if err := Start(context.Background(), self(t), dir, shell(t, "exit 5")); err != nil {
			t.Fatalf("round %d: %v", i, err)
		}
		if e := await(t, dir, 5*time.Second); *e.Code != 5 {
			t.Fatalf("got %+v", e)
		}
		pid := Read(dir).State.PID
		eventually(t, 5*time.Second, "the supervisor to be gone", func() bool { return stat(pid) == nil })
	}
}
