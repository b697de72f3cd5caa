package supervise

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	tokenVariable  = "NIGHTSHIFT_SUPERVISOR"
	defaultGrace   = 10 * time.Second
	stragglerGrace = 2 * time.Second
	// A process outside the job may hold its output open (a descriptor passed on): it is not waited for longer than this.
	pipeGrace = 5 * time.Second
)

// Run is the supervisor itself, the hidden verb `nightshift supervise dir`. Its result is the program's exit code.
func Run(dir string) int {
	runtime.LockOSThread() // PR_SET_PDEATHSIG is tied to the thread that forks
	ready := os.NewFile(3, "ready")
	unix.CloseOnExec(3)
	lock, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer lock.Close()
	if err := takeLock(int(lock.Fd())); err != nil {
		fmt.Fprintln(os.Stderr, "this folder has a supervisor already")
		return 3
	}
	if exists(filepath.Join(dir, "state.json")) || exists(filepath.Join(dir, "exit.json")) {
		fmt.Fprintln(os.Stderr, "this folder was used before")
		return 3
	}
	var spec Spec
	if !readJSON(filepath.Join(dir, "spec.json"), &spec) || len(spec.Argv) == 0 {
		fmt.Fprintln(os.Stderr, "spec.json is missing or unreadable")
		return 1
	}
	if spec.Grace <= 0 {
		spec.Grace = defaultGrace
	}
	s := &supervisor{dir: dir, spec: spec, ready: ready}
	if err := s.run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// takeLock tries for a moment: whoever looks whether a folder is supervised holds the lock for an instant, another supervisor for good.
func takeLock(fd int) (err error) {
	for range 50 {
		if err = unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB); err == nil {
			return nil
		}
		time.Sleep(4 * time.Millisecond)
	}
	return err
}

type supervisor struct {
	dir   string
	spec  Spec
	ready *os.File
	state State
	spool *spool
	exit  Exit

	signals chan os.Signal
	ended   chan struct{} // the main process has
	alone   chan struct{} // nobody of the job is left
	status  syscall.WaitStatus
	usage   syscall.Rusage
	reason  string // why we signalled, first cause
	killed  bool   // we sent SIGKILL
}

func (s *supervisor) run() error {
	// Caught, not ignored: what is ignored stays ignored after exec, and a job that inherits an ignored SIGPIPE misbehaves.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP, syscall.SIGPIPE, syscall.SIGQUIT, syscall.SIGUSR2)
	s.signals = make(chan os.Signal, 8)
	signal.Notify(s.signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGUSR1)
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return err
	}
	s.state = State{PID: os.Getpid(), Began: began(os.Getpid()), BootID: BootID(), Token: newToken(), Started: time.Now().UTC()}
	s.exit.Started = s.state.Started
	if err := writeWhole(filepath.Join(s.dir, "state.json"), s.state); err != nil {
		return err
	}
	var err error
	if s.spool, err = openSpool(s.dir, s.spec); err != nil {
		return err
	}
	if exists(filepath.Join(s.dir, "stop")) {
		s.exit.Reason = "stopped"
		return s.finish()
	}
	out, errs, err := s.start()
	if err != nil {
		s.exit.Reason, s.exit.Error = "start_failed", err.Error()
		return s.finish()
	}
	oomBefore := oomKills()
	var readers sync.WaitGroup
	readers.Go(func() { s.spool.copy(Stdout, out) })
	readers.Go(func() { s.spool.copy(Stderr, errs) })
	s.watch()
	s.clearUp()
	drain(&readers, out, errs)
	s.result(oomKills() > oomBefore)
	return s.finish()
}

// start starts the process with its output in two pipes.
func (s *supervisor) start() (out, errs *os.File, err error) {
	if fi, err := os.Stat(s.spec.Dir); err != nil || !fi.IsDir() {
		return nil, nil, errors.New("workdir_missing: " + s.spec.Dir)
	}
	path, err := lookPath(s.spec)
	if err != nil {
		return nil, nil, err
	}
	out, ow, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	errs, ew, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	defer ow.Close()
	defer ew.Close()
	for _, w := range []*os.File{ow, ew} { // fewer wake-ups for jobs that print much; it may be refused
		if c, err := w.SyscallConn(); err == nil {
			c.Control(func(fd uintptr) { unix.FcntlInt(fd, unix.F_SETPIPE_SZ, 1<<20) })
		}
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		return nil, nil, err
	}
	defer null.Close()
	sys := &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	if s.spec.UID != nil && s.spec.GID != nil {
		sys.Credential = &syscall.Credential{Uid: *s.spec.UID, Gid: *s.spec.GID, Groups: s.spec.Groups}
	}
	p, err := os.StartProcess(path, s.spec.Argv, &os.ProcAttr{
		Dir: s.spec.Dir, Env: append(s.spec.Env, tokenVariable+"="+s.state.Token), Files: []*os.File{null, ow, ew}, Sys: sys,
	})
	if err != nil {
		return nil, nil, err
	}
	s.state.Child = p.Pid
	s.ended, s.alone = make(chan struct{}), make(chan struct{})
	go s.reap()
	if err := writeWhole(filepath.Join(s.dir, "state.json"), s.state); err != nil {
		fmt.Fprintln(os.Stderr, err) // the job runs all the same
	}
	os.Remove(filepath.Join(s.dir, "spec.json"))
	s.ready.Write([]byte("ok"))
	s.ready.Close()
	return out, errs, nil
}

func lookPath(spec Spec) (string, error) {
	if filepath.IsAbs(spec.Argv[0]) {
		return spec.Argv[0], nil
	}
	return exec.LookPath(spec.Argv[0])
}

// reap collects every descendant: as their subreaper, orphans become ours.
func (s *supervisor) reap() {
	ended := false
	for {
		var w syscall.WaitStatus
		var u syscall.Rusage
		pid, err := syscall.Wait4(-1, &w, 0, &u)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if err != nil { // nobody is left
			if !ended {
				close(s.ended)
			}
			close(s.alone)
			return
		}
		if pid == s.state.Child && (w.Exited() || w.Signaled()) {
			s.status, s.usage, ended = w, u, true
			close(s.ended)
		}
	}
}

// watch lasts until the main process has ended; meanwhile it carries out stops and the time limit.
func (s *supervisor) watch() {
	var limit, kill <-chan time.Time
	if s.spec.TimeLimit > 0 {
		limit = time.After(s.spec.TimeLimit)
	}
	cause := func(c string) {
		if s.reason == "" {
			s.reason = c
		}
	}
	term := func(c string) {
		cause(c)
		if kill == nil {
			signalTree(syscall.SIGTERM)
			signalTree(syscall.SIGCONT) // a stopped process would not hear it
			kill = time.After(s.spec.Grace)
		}
	}
	for {
		select {
		case got := <-s.signals:
			if got == syscall.SIGUSR1 {
				cause("killed")
				kill = time.After(0)
			} else {
				term("stopped")
			}
		case <-limit:
			term("timed_out")
		case <-kill:
			s.killed = true
			signalTree(syscall.SIGKILL)
			kill = time.After(200 * time.Millisecond) // again, for what was forked meanwhile
		case <-s.ended:
			return
		}
	}
}

// clearUp ends what the main process left behind.
func (s *supervisor) clearUp() {
	select { // as a rule nobody is left, and looking through all processes costs more than waiting a moment for that to be known
	case <-s.alone:
		return
	case <-time.After(5 * time.Millisecond):
	}
	left := descendants()
	if len(left) == 0 {
		<-s.alone
		return
	}
	s.exit.Stragglers = len(left)
	grace := min(s.spec.Grace, stragglerGrace)
	if s.reason == "killed" {
		grace = 0
	}
	signalTree(syscall.SIGTERM)
	timer := time.After(grace)
	for {
		select {
		case <-s.alone:
			return
		case <-timer:
			signalTree(syscall.SIGKILL)
			timer = time.After(100 * time.Millisecond)
		}
	}
}

func drain(readers *sync.WaitGroup, pipes ...*os.File) {
	done := make(chan struct{})
	go func() { readers.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(pipeGrace):
		for _, p := range pipes {
			p.SetReadDeadline(time.Now())
		}
		<-done
	}
}

func (s *supervisor) result(oom bool) {
	code := s.status.ExitStatus()
	s.exit.Reason = "exited"
	if s.status.Signaled() {
		code = 128 + int(s.status.Signal())
		s.exit.Signal, s.exit.Reason = unix.SignalName(s.status.Signal()), "signaled"
	}
	s.exit.Code = &code
	s.exit.MaxRSSKiB = s.usage.Maxrss
	s.exit.UserTime = time.Duration(s.usage.Utime.Nano()).Seconds()
	s.exit.SystemTime = time.Duration(s.usage.Stime.Nano()).Seconds()
	switch {
	case s.reason != "":
		s.exit.Reason = s.reason
	case oom && s.exit.Signal == "SIGKILL" && !s.killed:
		s.exit.Reason = "oom"
	}
}

// finish writes the end. The lock goes with the process, after it.
func (s *supervisor) finish() error {
	s.exit.Ended = time.Now().UTC()
	s.exit.Dropped = s.spool.close()
	os.Remove(filepath.Join(s.dir, "spec.json"))
	err := writeWhole(filepath.Join(s.dir, "exit.json"), s.exit)
	if errors.Is(err, unix.ENOSPC) { // the disk is full: the spool's last bytes matter less than the end
		os.Truncate(filepath.Join(s.dir, "supervisor.log"), 0)
		err = writeWhole(filepath.Join(s.dir, "exit.json"), s.exit)
	}
	return err
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return !errors.Is(err, fs.ErrNotExist)
}
