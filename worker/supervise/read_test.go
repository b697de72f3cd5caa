package supervise

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Who looks while a supervisor comes up or ends must never see it lost: a lost job is reaped.
func TestAJobIsNeverSeenLostWhileItsSupervisorLives(t *testing.T) {
	t.Parallel()
	for range 25 {
		dir := filepath.Join(t.TempDir(), "job")
		done := make(chan struct{})
		var lookers sync.WaitGroup
		for range 3 {
			lookers.Go(func() {
				for {
					select {
					case <-done:
						return
					default:
					}
					switch s := Read(dir); {
					case s.Phase == Lost:
						t.Error("lost")
					case s.Phase == Exited && (s.Exit == nil || s.State == nil):
						t.Errorf("half an end: %+v", s)
					}
				}
			})
		}
		if err := Start(context.Background(), self(t), dir, shell(t, "exit 5")); err != nil {
			t.Error(err)
		}
		await(t, dir, 10*time.Second)
		close(done)
		lookers.Wait()
	}
}

// A worker that has run out of descriptors cannot look: that is no reason to take its jobs for lost and to kill them.
func TestWithoutDescriptorsNothingIsTakenForLost(t *testing.T) {
	dir := start(t, shell(t, "echo started; sleep 60"))
	says(t, dir, "started")
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &old); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: 0, Max: old.Max}); err != nil {
		t.Skip("no limit to set:", err)
	}
	s, reaped := Read(dir), Reap(dir)
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &old); err != nil {
		t.Fatal(err)
	}
	if s.Phase == Lost || s.Phase == New || reaped != 0 {
		t.Errorf("%s, %d reaped", s.Phase, reaped)
	}
	if p := Read(dir).Phase; p != Running {
		t.Errorf("later %s", p)
	}
}

// The token is not in every environment: it is gone where a program was started with a new one.
func TestReapFindsWhatHasAnotherEnvironment(t *testing.T) {
	t.Parallel()
	dir := start(t, shell(t, `sh -c 'env -i sleep 600 & echo bare $!; echo marked $$; wait' & wait`))
	says(t, dir, "bare")
	text := says(t, dir, "marked")
	bare, parent := number(t, text, "bare"), number(t, text, "marked")
	eventually(t, 5*time.Second, "the bare environment", func() bool { return !marked(bare, tokenVariable+"="+Read(dir).State.Token) })
	if err := signalled(dir, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	eventually(t, 5*time.Second, "lost", func() bool { return Read(dir).Phase == Lost })
	if n := Reap(dir); n < 2 || n > 3 { // the main process may be dying still
		t.Errorf("reaped %d, want 2", n)
	}
	gone(t, bare, parent)
}

// Programs are not made for an output that does not block: they would lose what does not fit.
func TestOutputBlocks(t *testing.T) {
	t.Parallel()
	dir, _ := run(t, shell(t, `for i in 1 2; do grep flags /proc/self/fdinfo/$i; done 2>&1; grep flags /proc/self/fdinfo/2 >&2`))
	lines := strings.Fields(output(t, dir, Stdout, Stderr))
	for i := 1; i < len(lines); i += 2 {
		if len(lines[i]) >= 4 && strings.ContainsRune("4567", rune(lines[i][len(lines[i])-4])) {
			t.Errorf("O_NONBLOCK: %q", lines)
		}
	}
}
