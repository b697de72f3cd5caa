package worker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"nightshift/client"
	"nightshift/worker/supervise"
)

// job is one job of this worker, in memory.
type job struct {
	w   *Worker
	dir string
	rec *record

	mu     sync.Mutex
	asked  urgency // what was asked of the process and done
	events []client.JobEventInput

	up     atomic.Bool // its supervisor was started
	exited atomic.Bool // the process is over; log and end may still be on their way
	lost   atomic.Bool // the lease is another's: nothing of it is wanted any more
	gone   atomic.Bool // nothing is left to do and its directory is removed

	staying context.Context    // ends when the worker stops: what is spooled is sent, and the process goes on alone
	leave   context.CancelFunc // ends staying
	cut     context.CancelFunc // ends what is being done for the job, when its lease is lost
	over    chan struct{}      // closed when nothing is being done for it any more, and nothing touches its directory
}

// urgency is how much the process was asked to end.
type urgency int

const (
	notAsked urgency = iota
	stop             // SIGTERM, after the grace SIGKILL
	kill             // SIGKILL at once
)

// newJob puts a claimed job on disk.
func (w *Worker) newJob(c client.ClaimedJob) (*job, error) {
	dir := w.state.jobDir(c.JobId)
	if err := os.Mkdir(dir, w.as.mode()); err != nil && !os.IsExist(err) {
		return nil, fmt.Errorf("make a directory for job %s: %w", c.JobId, err)
	}
	r := &record{Job: c, Claimed: time.Now().UTC(), Stage: claimed, BootID: w.host.bootID}
	if err := r.write(dir); err != nil {
		_ = removeAll(dir)
		return nil, fmt.Errorf("keep job %s: %w", c.JobId, err)
	}
	return w.jobOf(r), nil
}

func (w *Worker) jobOf(r *record) *job {
	return &job{w: w, dir: w.state.jobDir(r.Job.JobId), rec: r}
}

func (j *job) id() string { return j.rec.Job.JobId }

// run takes a claimed job from its start to its acknowledged end.
func (j *job) run(ctx context.Context) {
	if j.staying.Err() != nil {
		j.release(ctx)
		return
	}
	began := time.Now()
	p, err := j.prepare()
	if err != nil {
		j.fail(ctx, err)
		return
	}
	j.note(client.JobEventInput{Key: "prepared", Type: "worker.prepared", DurationSeconds: seconds(time.Since(began))})
	if err := j.start(ctx, p); err != nil {
		if errors.Is(err, errStoppedBefore) {
			j.finish(ctx, ending{reason: "stopped"}, nil)
			return
		}
		if j.lost.Load() { // it may have been started all the same
			j.up.Store(true)
			j.abandon()
			return
		}
		if ctx.Err() != nil {
			return // it may have been started all the same: the next worker sees
		}
		j.w.log.Error("a job could not be started", "job", j.id(), "error", err)
		_ = supervise.Stop(j.process(), true) // what has not started yet never will
		waitForEnd(j.process(), killWithin)
		supervise.Reap(j.process())
		if diskFull(j.dir) && supervise.Read(j.process()).State == nil { // nothing was started, and that is not the job's fault
			client.Sleep(ctx, fullDiskPause)
			j.release(ctx)
			return
		}
		j.fail(ctx, err)
		return
	}
	j.attend(ctx)
}

// fullDiskPause keeps a worker whose disk is full from claiming the same job over and over.
const fullDiskPause = 2 * time.Second

// diskFull tells whether not even a small file fits.
func diskFull(dir string) bool {
	var st unix.Statfs_t
	return unix.Statfs(dir, &st) == nil && st.Bavail*uint64(st.Bsize) < 64<<10
}

// startWithin is how long a supervisor may take to start a process, on a host that is out of breath.
const startWithin = 2 * time.Minute

// errStoppedBefore says that the job was asked to stop before anything of it was started.
var errStoppedBefore = errors.New("stopped before it was started")

// start brings the job's supervisor to life. The record says so before: from then on only starting again is safe.
func (j *job) start(ctx context.Context, p plan) error {
	j.mu.Lock()
	asked := j.asked
	j.mu.Unlock()
	if asked != notAsked {
		return errStoppedBefore
	}
	j.rec.Stage = starting
	if err := j.rec.write(j.dir); err != nil {
		return fmt.Errorf("keep the job's record: %w", err)
	}
	limited, cancel := context.WithTimeout(ctx, startWithin)
	defer cancel()
	if err := supervise.Start(limited, j.w.o.Binary, j.process(), j.spec(p)); err != nil {
		if limited.Err() != nil && ctx.Err() == nil {
			err = fmt.Errorf("its supervisor did not come up within %s", startWithin)
		}
		return err
	}
	j.isUp()
	return nil
}

func (j *job) spec(p plan) supervise.Spec {
	c := &j.rec.Job
	s := supervise.Spec{Argv: p.argv, Dir: p.dir, Env: p.env, Grace: time.Duration(c.GraceSeconds) * time.Second, MaxSpool: j.w.o.MaxSpool}
	if as := j.w.as; as.other {
		s.UID, s.GID, s.Groups = new(uint32(as.uid)), new(uint32(as.gid)), as.groups
	}
	if c.TimeLimitSeconds != nil {
		s.TimeLimit = time.Duration(*c.TimeLimitSeconds) * time.Second
	}
	return s
}

// isUp notes that there is a supervisor, and passes on what was asked in the meantime.
func (j *job) isUp() {
	j.up.Store(true)
	j.w.roomier()
	j.mu.Lock()
	asked := j.asked
	j.mu.Unlock()
	if asked != notAsked {
		_ = supervise.Stop(j.process(), asked == kill)
	}
}

// attend carries a process that is up: its output, its start and its end, to the server.
func (j *job) attend(ctx context.Context) {
	var reports sync.WaitGroup
	reports.Go(func() { j.reportStart(ctx) })
	reporting, endReports := context.WithCancel(ctx)
	reports.Go(func() { j.reportEvents(reporting) })
	p := j.openPipe()
	defer p.close()
	how := p.run(ctx)
	endReports()
	switch {
	case how == pipeLost || j.lost.Load():
		reports.Wait()
		j.abandon()
		return
	case how == pipeLeft:
		reports.Wait()
		p.keep()
		return
	}
	j.exited.Store(true)
	j.w.roomier()
	reports.Wait()
	j.finish(ctx, j.result(), p)
}

// reportStart makes the job RUNNING on the server.
func (j *job) reportStart(ctx context.Context) {
	var at *time.Time
	if s := supervise.Read(j.process()); s.State != nil {
		at = &s.State.Started
		j.note(client.JobEventInput{Key: "started", Type: "worker.process_started", Time: at, Args: args(map[string]any{"pid": s.State.Child})})
	}
	err := j.w.persist(ctx, j, "report the start", func(ctx context.Context) error {
		out, err := client.StartJob(ctx, j.w.api, client.StartJobInput{JobId: j.id(), Lease: j.rec.Job.Lease, StartedAt: at})
		if err == nil {
			j.obey(out.StartJob.Answer)
		}
		return err
	})
	if gone(err) {
		j.loseLease()
	}
}

// persist calls the server until it has answered the call itself, ctx ends, or the job is not ours any more. A token that was revoked
// may be given back, so that is waited for too.
func (w *Worker) persist(ctx context.Context, j *job, what string, f func(context.Context) error) error {
	var b client.Backoff
	slow := client.Backoff{Min: 5 * time.Second, Max: 30 * time.Second}
	told := time.Time{}
	for {
		err := f(ctx)
		w.answered(err)
		pause := time.Duration(0)
		switch {
		case err == nil || ctx.Err() != nil:
			return err
		case client.Temporary(err):
			pause = b.Next()
		case client.Is(err, client.Unauthenticated) || client.Is(err, client.Forbidden):
			pause = slow.Next()
		default:
			return err
		}
		if time.Since(told) > tellAgain {
			told = time.Now()
			w.log.Warn("cannot "+what+" yet; trying on", "job", j.id(), "error", err)
		}
		if !client.Sleep(ctx, pause) {
			return err
		}
	}
}

// gone tells that the server wants nothing more of a job.
func gone(err error) bool { return client.Is(err, client.LeaseLost) || client.Is(err, client.NotFound) }

// obey does what the server answered for the job. It may be told again.
func (j *job) obey(a client.HeartbeatAnswer) {
	switch a {
	case client.HeartbeatAnswerStop:
		j.ask(stop)
	case client.HeartbeatAnswerKill:
		j.ask(kill)
	case client.HeartbeatAnswerLost:
		j.loseLease()
	}
}

// ask passes a stop to the process once; where that fails the next answer does it again.
func (j *job) ask(how urgency) {
	j.mu.Lock()
	before := j.asked
	j.asked = max(j.asked, how)
	j.mu.Unlock()
	if how <= before || !j.up.Load() || j.exited.Load() {
		return // isUp passes it on
	}
	if err := supervise.Stop(j.process(), how == kill); err != nil {
		j.w.log.Warn("cannot stop a job yet; it is tried again with the next heartbeat", "job", j.id(), "error", err)
		j.mu.Lock()
		j.asked = before
		j.mu.Unlock()
	}
}

// loseLease is the server's word that the job is not this worker's. What still runs is killed; a result that is already there is
// still offered, and the server decides.
func (j *job) loseLease() {
	if j.exited.Load() || !j.lost.CompareAndSwap(false, true) {
		return
	}
	j.w.log.Warn("the job is not this worker's any more; it is killed", "job", j.id())
	j.cut()
}

// abandon kills what is left of a job and forgets it.
func (j *job) abandon() {
	if j.up.Load() {
		_ = supervise.Stop(j.process(), true)
		waitForEnd(j.process(), killWithin)
		supervise.Reap(j.process())
	}
	j.remove()
}

// killWithin is how long a killed process may take to be gone.
const killWithin = 10 * time.Second

func waitForEnd(dir string, limit time.Duration) {
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if p := supervise.Read(dir).Phase; p != supervise.Running && p != supervise.Starting {
			return
		}
	}
}

// release gives a job of which nothing was started back to the queue.
func (j *job) release(ctx context.Context) {
	if err := j.w.giveBack(ctx, j.rec.Job); err != nil && !j.lost.Load() {
		j.w.log.Warn("a job could not be given back; the next start does it", "job", j.id(), "error", err)
		return
	}
	j.remove()
}

// remove is the end: the server has all, or wants nothing.
func (j *job) remove() {
	if err := removeAll(j.dir); err != nil {
		j.w.log.Warn("cannot remove a job's directory", "directory", j.dir, "error", err)
	}
	j.gone.Store(true)
}

func seconds(d time.Duration) *float64 {
	s := max(d.Seconds(), 0)
	return &s
}
