package supervise

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	tokenVariable  = "NIGHTSHIFT_SUPERVISOR"
	defaultGrace   = 10 * time.Second
	stragglerGrace = 2 * time.Second
	// What is about to end by itself may: in bash, `job > >(tee file)` outlives its shell by a moment and still has the last lines.
	stragglerPatience = 250 * time.Millisecond
	readyFD           = 3
	exitTries         = 100 // for 10 s, on a full disk
	// A process outside the job may hold its output open (a descriptor passed on): it is not waited for longer than this.
	pipeGrace = 5 * time.Second
	// What cannot be killed (it became another user, or hangs in the kernel) is left behind after this time.
	killPatience = 5 * time.Second
)

// Run is the supervisor itself, the hidden verb `nightshift supervise dir`. Its result is the program's exit code.
func Run(dir string) int {
	runtime.LockOSThread() // PR_SET_PDEATHSIG is tied to the thread that forks
	ready := readyPipe()
	closeStrays()
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
	if readJSON(filepath.Join(dir, "spec.json"), &spec) != nil || len(spec.Argv) == 0 {
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

// readyPipe is what Start waits on; nil when the verb is typed by hand and descriptor 3 is nothing or something else.
func readyPipe() *os.File {
	var st unix.Stat_t
	if unix.Fstat(readyFD, &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFIFO {
		return nil
	}
	unix.CloseOnExec(readyFD)
	return os.NewFile(readyFD, "ready")
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
	killAt  time.Time
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
	_ = os.WriteFile(filepath.Join(s.dir, "room"), make([]byte, 4096), 0o600)
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

// lookPath finds the program as the job itself would: by its own PATH and from its own folder.
func lookPath(spec Spec) (string, error) {
	name := spec.Argv[0]
	if strings.Contains(name, "/") {
		return name, nil // a relative one is taken from the job's folder, where it is started
	}
	path := "/usr/local/bin:/usr/bin:/bin"
	for _, v := range spec.Env {
		if p, found := strings.CutPrefix(v, "PATH="); found {
			path = p
		}
	}
	for _, folder := range filepath.SplitList(path) {
		if !filepath.IsAbs(folder) {
			folder = filepath.Join(spec.Dir, folder)
		}
		full := filepath.Join(folder, name)
		if fi, err := os.Stat(full); err == nil && fi.Mode().IsRegular() && fi.Mode()&0o111 != 0 {
			return full, nil
		}
	}
	return "", fmt.Errorf("%s: command not found", name)
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
			s.killAt = time.Now().Add(s.spec.Grace)
		}
	}
	for {
		select {
		case got := <-s.signals:
			if got == syscall.SIGUSR1 {
				cause("killed")
				kill = time.After(0)
				s.killAt = time.Now()
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

// clearUp ends what the main process left behind. What was told to stop before keeps the rest of its grace and is not told again: a shell
// dies of the first SIGTERM, while the program it had started still saves its work and would take a second one for "leave now".
func (s *supervisor) clearUp() {
	patience := stragglerPatience
	if s.reason != "" {
		patience = 0
	}
	select { // as a rule nobody is left, and looking through all processes costs more than waiting a moment for that to be known
	case <-s.alone:
		return
	case <-time.After(max(patience, 5*time.Millisecond)):
	}
	grace := time.Until(s.killAt)
	if s.reason == "" {
		s.exit.Stragglers = len(descendants())
		grace = min(s.spec.Grace, stragglerGrace)
		signalTree(syscall.SIGTERM)
		signalTree(syscall.SIGCONT)
	}
	kill := time.After(grace)
	var giveUp <-chan time.Time
	for {
		select {
		case <-s.alone:
			return
		case <-giveUp:
			return
		case got := <-s.signals:
			if got == syscall.SIGUSR1 {
				kill = time.After(0)
			}
		case <-kill:
			signalTree(syscall.SIGKILL)
			kill = time.After(100 * time.Millisecond)
			if giveUp == nil {
				giveUp = time.After(killPatience)
			}
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
	err := s.writeExit()
	for range exitTries {
		if !errors.Is(err, unix.ENOSPC) && !errors.Is(err, unix.EDQUOT) {
			break
		}
		os.Remove(filepath.Join(s.dir, "room"))
		if err = s.writeExit(); err == nil || s.state.Child == 0 { // what never ran is better started again elsewhere, and soon
			break
		}
		time.Sleep(100 * time.Millisecond) // somebody else took the room
	}
	return err
}

func (s *supervisor) writeExit() error { return writeWhole(filepath.Join(s.dir, "exit.json"), s.exit) }

func exists(name string) bool {
	_, err := os.Lstat(name)
	return !errors.Is(err, fs.ErrNotExist)
}
