package supervise

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// Start runs a job under a supervisor of its own, `self supervise dir`, and returns once the process runs or its end is known. Started
// twice on one folder it runs once.
func Start(ctx context.Context, self, dir string, spec Spec) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if Read(dir).Phase != New {
		return nil
	}
	if err := writeWhole(filepath.Join(dir, "spec.json"), spec); err != nil {
		return fmt.Errorf("writing what to run: %w", err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer r.Close()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		w.Close()
		return err
	}
	defer null.Close()
	errs, err := os.OpenFile(filepath.Join(dir, "supervisor.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		w.Close()
		return err
	}
	defer errs.Close()
	p, err := os.StartProcess(self, []string{"nightshift", "supervise", dir}, &os.ProcAttr{
		Dir: "/", Env: []string{"GOMAXPROCS=2", "PATH=" + os.Getenv("PATH")}, Files: []*os.File{null, errs, errs, w}, Sys: &syscall.SysProcAttr{Setsid: true},
	})
	w.Close()
	if err != nil {
		return fmt.Errorf("starting the supervisor: %w", err)
	}
	go p.Wait() // it may be our child for long: leave no zombie
	err = awaitStart(ctx, r, dir)
	if s := Read(dir); s.State != nil || s.Exit != nil { // another start was first: its supervisor has read its own by then
		os.Remove(filepath.Join(dir, "spec.json"))
	}
	return err
}

// awaitStart waits for the supervisor's word on the pipe; it ends also when the supervisor does.
func awaitStart(ctx context.Context, r *os.File, dir string) error {
	stop := context.AfterFunc(ctx, func() { r.SetReadDeadline(time.Now()) })
	defer stop()
	b, err := io.ReadAll(io.LimitReader(r, 2))
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		return err
	}
	if len(b) > 0 || ctx.Err() == nil && Read(dir).Phase != New {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return errors.New("the supervisor ended before it had started anything; supervisor.log in the job's folder says why")
}

// Stop asks a job to end: SIGTERM to all of its processes and, after the grace, SIGKILL; at once when now. A job that has not started yet
// never will.
func Stop(dir string, now bool) error {
	how, sig := "term", syscall.SIGTERM
	if now {
		how, sig = "kill", syscall.SIGUSR1
	}
	// First the mark, then the look: the supervisor writes who it is before it looks for the mark, so one of the two is seen.
	unmarked := os.WriteFile(filepath.Join(dir, "stop"), []byte(how), 0o600)
	s := Read(dir)
	switch {
	case s.State == nil && s.Exit == nil:
		return unmarked // nobody can be told yet
	case (s.Phase != Running && s.Phase != Starting) || began(s.State.PID) != s.State.Began:
		return nil
	}
	// The mark may be missing where the disk is full; who supervises hears it all the same.
	if err := syscall.Kill(s.State.PID, sig); err != nil && !errors.Is(err, syscall.ESRCH) {
		return err
	}
	return nil
}

// Reap kills what a lost supervisor left behind: every process that carries its token, and what is below one. It returns how many they were.
func Reap(dir string) int {
	s := Read(dir)
	if s.Phase != Lost || s.Rebooted {
		return 0
	}
	killed := map[int]bool{} // a process may take a moment to die
	for range 40 {
		found := killMarked(tokenVariable + "=" + s.State.Token)
		if len(found) == 0 {
			break
		}
		for _, pid := range found {
			killed[pid] = true
		}
		time.Sleep(25 * time.Millisecond)
	}
	return len(killed)
}

// Changed waits until the spool has grown past a size or the job is over. It looks often while output comes and seldom while it is quiet;
// a pipe or inotify would be no simpler for a job that another worker started.
func Changed(ctx context.Context, dir string, size int64) error {
	for pause := 2 * time.Millisecond; ; pause = min(pause*3/2, 60*time.Millisecond) {
		if fi, err := os.Stat(filepath.Join(dir, "spool")); err == nil && fi.Size() > size {
			return nil
		}
		if _, err := os.Stat(filepath.Join(dir, "exit.json")); err == nil {
			return nil
		}
		if pause > 50*time.Millisecond && !lockHeld(dir) {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}
