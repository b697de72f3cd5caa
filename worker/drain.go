package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// errDrained ends a worker that was asked to drain and has no job any more.
var errDrained = errors.New("drained")

// A worker that is asked to drain takes no new job and ends when it has none. It is asked by a file with its process id, so that a
// request to a worker that is gone does not stop the next one.
const (
	drainFile  = "drain"
	drainEvery = 500 * time.Millisecond
	statusFile = "status.json"
)

// watchDrain looks for the request until ctx ends.
func (w *Worker) watchDrain(ctx context.Context) {
	path := filepath.Join(w.state.dir, drainFile)
	_ = os.Remove(path) // asked of a worker before this one
	t := time.NewTicker(drainEvery)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		if readTrimmed(path) != strconv.Itoa(os.Getpid()) {
			continue
		}
		_ = os.Remove(path)
		w.mu.Lock()
		w.draining = true
		w.mu.Unlock()
		w.log.Info("draining: no new jobs are taken", "jobs", len(w.held()))
		wake(w.poke)
		wake(w.beat)
		return
	}
}

func (w *Worker) drains() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.draining
}

// Status is what a worker tells about itself on its own host.
type Status struct {
	Running    bool      `json:"running"` // whether a worker holds the state directory now
	PID        int       `json:"pid,omitempty"`
	Phase      string    `json:"phase,omitempty"` // running or stopped
	Name       string    `json:"name,omitempty"`
	Computer   string    `json:"computer,omitempty"`
	URL        string    `json:"url,omitempty"`
	Version    string    `json:"version,omitempty"`
	Draining   bool      `json:"draining"`
	Jobs       []string  `json:"jobs"`       // on disk: running, or ended and not yet acknowledged
	LastAnswer time.Time `json:"lastAnswer"` // of the server
	LastError  string    `json:"lastError,omitempty"`
}

func (w *Worker) writeStatus(phase string) {
	w.mu.Lock()
	s := Status{
		PID: os.Getpid(), Phase: phase, Name: w.o.Name, Computer: w.o.Computer, URL: w.api.URL(), Version: w.o.Version,
		Draining: w.draining, LastAnswer: w.lastAnswer, LastError: w.lastError,
	}
	w.mu.Unlock()
	if err := writeJSON(filepath.Join(w.state.dir, statusFile), s, 0o600); err != nil {
		w.log.Warn("cannot write the status file", "error", err)
	}
}

// ReadStatus tells about the worker of a state directory, running or not.
func ReadStatus(dir string) (Status, error) {
	var s Status
	b, err := os.ReadFile(filepath.Join(dir, statusFile))
	if err == nil {
		err = json.Unmarshal(b, &s)
	} else if errors.Is(err, os.ErrNotExist) {
		_, err = os.Stat(dir)
	}
	if err != nil {
		return s, fmt.Errorf("read the worker's state in %s: %w", dir, err)
	}
	s.Running = locked(dir)
	if pid, err := strconv.Atoi(lockHolder(dir)); err == nil && s.Running {
		s.PID = pid
	}
	s.Jobs = []string{}
	entries, _ := os.ReadDir(filepath.Join(dir, "jobs"))
	for _, e := range entries {
		s.Jobs = append(s.Jobs, e.Name())
	}
	return s, nil
}

// locked tells whether a worker lives on the state directory.
func locked(dir string) bool {
	f, err := os.Open(filepath.Join(dir, "lock"))
	if err != nil {
		return false
	}
	defer f.Close()
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB)
	return errors.Is(err, syscall.EWOULDBLOCK)
}

// Drain asks the worker of a state directory to take no new job and waits until it has ended, or ctx does. told hears how many jobs
// are left whenever that changes.
func Drain(ctx context.Context, dir string, told func(jobs int)) error {
	last := -1
	for {
		s, err := ReadStatus(dir)
		if err != nil {
			return err
		}
		if !s.Running {
			if last < 0 {
				return fmt.Errorf("no worker is running on %s", dir)
			}
			return nil
		}
		if !s.Draining { // also a worker that was started meanwhile
			if err := writeFile(filepath.Join(dir, drainFile), []byte(strconv.Itoa(s.PID)), 0o600); err != nil {
				return fmt.Errorf("ask the worker to drain: %w", err)
			}
		}
		if len(s.Jobs) != last {
			last = len(s.Jobs)
			if told != nil {
				told(last)
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(drainEvery):
		}
	}
}

// shorten keeps a text for people to one line of reasonable length.
func shorten(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > 300 {
		s = strings.ToValidUTF8(s[:300], "") + "…"
	}
	return s
}
