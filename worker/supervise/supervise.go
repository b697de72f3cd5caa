// Package supervise is the small parent of a job's process. It outlives the worker that started it: a worker's restart, upgrade or crash
// never stops a job. All it knows is in one folder, used once:
//
//	lock        held (flock) as long as the supervisor lives
//	spec.json   what to run; removed once it runs, since it holds the environment
//	state.json  pids, boot id and a token, written before the process is started
//	stop        a stop that was asked for: «term» or «kill»
//	spool       every byte the process printed, with its time and stream
//	room        a block in reserve, so that the end can be written where the disk is full
//	exit.json   how it ended, written last and by rename: where it is, the spool is complete
//
// Nothing is synced to the disk: the files survive the death of any process, and after the death of the host a job without exit.json is
// lost for true.
package supervise

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// Spec is what to run and how.
type Spec struct {
	Argv []string `json:"argv"`
	// Dir is the working folder; absolute.
	Dir string `json:"dir"`
	// Env is the whole environment, KEY=VALUE.
	Env []string `json:"env"`
	// Grace is the time between SIGTERM and SIGKILL; 10 s when 0.
	Grace time.Duration `json:"grace"`
	// TimeLimit stops the job; 0: never.
	TimeLimit time.Duration `json:"timeLimit"`
	// MaxSpool is how many bytes of output are kept; 2 GiB when 0. What comes after is read, counted and dropped.
	MaxSpool int64 `json:"maxSpool"`
	// MinFree is the percentage of the disk that output never fills; 5 when 0.
	MinFree float64 `json:"minFree"`
	// UID and GID run the job as another user, with Groups; nil: as this one.
	UID, GID *uint32  `json:",omitempty"`
	Groups   []uint32 `json:",omitempty"`
}

// Phase is where a folder is in its one life.
type Phase string

// The phases. Lost: the supervisor died without leaving an exit.
const (
	New      Phase = "new"
	Starting Phase = "starting"
	Running  Phase = "running"
	Exited   Phase = "exited"
	Lost     Phase = "lost"
)

// State is who supervises.
type State struct {
	PID int `json:"pid"`
	// Began is the supervisor's start in clock ticks after boot: with it a pid that is used again is told apart.
	Began  uint64 `json:"began"`
	Child  int    `json:"child"`
	BootID string `json:"bootId"`
	// Token is in the environment of every process of the job.
	Token   string    `json:"token"`
	Started time.Time `json:"started"`
}

// Exit is how a job ended.
type Exit struct {
	// Code is 0 to 255, 128 + n for signal n; nil when no program was started.
	Code   *int   `json:"code"`
	Signal string `json:"signal,omitempty"`
	// Reason is exited, signaled, stopped, killed, timed_out, oom or start_failed. The first cause wins.
	Reason string `json:"reason"`
	// Error says why a start failed; «workdir_missing: /path» for a folder that is not there.
	Error      string    `json:"error,omitempty"`
	Started    time.Time `json:"started"`
	Ended      time.Time `json:"ended"`
	Dropped    int64     `json:"dropped,omitempty"`    // bytes of output that were not kept
	Stragglers int       `json:"stragglers,omitempty"` // processes it left behind, killed
	MaxRSSKiB  int64     `json:"maxRssKib,omitempty"`
	UserTime   float64   `json:"userSeconds,omitempty"`
	SystemTime float64   `json:"systemSeconds,omitempty"`
}

// Status is what a folder tells.
type Status struct {
	Phase     Phase
	State     *State
	Exit      *Exit
	SpoolSize int64
	// Rebooted: the host was started anew since, so nothing of a lost job can be alive.
	Rebooted bool
}

// Read tells how a job is. The order of the looks matters: the lock is taken before the state is written and let go after the exit is, so a
// state without a lock and then without an exit is a supervisor that died.
func Read(dir string) Status {
	s := Status{Phase: New, State: readState(dir)}
	held := lockHeld(dir)
	var e Exit
	switch err := readJSON(filepath.Join(dir, "exit.json"), &e); {
	case err == nil:
		s.Exit, s.Phase = &e, Exited
	case outOfFiles(err):
		held = true
	}
	if s.State == nil && (held || s.Exit != nil) { // it may have come meanwhile
		s.State = readState(dir)
	}
	if fi, err := os.Stat(filepath.Join(dir, "spool")); err == nil {
		s.SpoolSize = fi.Size()
	}
	switch {
	case s.Exit != nil:
	case held && (s.State == nil || s.State.Child == 0):
		s.Phase = Starting
	case held:
		s.Phase = Running
	case s.State != nil:
		s.Phase = Lost
		s.Rebooted = s.State.BootID != BootID()
	}
	return s
}

func readState(dir string) *State {
	var st State
	if readJSON(filepath.Join(dir, "state.json"), &st) != nil {
		return nil
	}
	return &st
}

func lockHeld(dir string) bool {
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR, 0)
	if err != nil {
		return outOfFiles(err)
	}
	defer f.Close()
	return unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB) != nil
}

// outOfFiles is a look that failed for want of descriptors or memory. It says nothing about the job, which must not be taken for lost.
func outOfFiles(err error) bool {
	return errors.Is(err, unix.EMFILE) || errors.Is(err, unix.ENFILE) || errors.Is(err, unix.ENOMEM)
}

func readJSON(name string, v any) error {
	b, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, v)
}

// writeWhole writes a file that is there whole or not at all.
func writeWhole(name string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*") // 0600, and two writers do not meet
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(f.Name())
		return err
	}
	return os.Rename(f.Name(), name)
}
