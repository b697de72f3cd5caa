// Package worker is the program that takes jobs to a computer: it claims them, starts each under a supervisor that outlives it, and
// carries their output and their ends to the server until the server has acknowledged all of it.
//
//	register ─► claim ─► job.json ─► supervise.Start ─► startJob ─► log pipe … ─► the rest of the log + events + finishJob ─► remove
//	              ▲                        │ (its own session: goes on when the worker is killed)
//	   nudge, poll, a freed place          └─► spool and exit on disk ─► adopt after a restart
//
// What must not be lost is on disk before it is acted on, and everything sent may be sent again.
package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"nightshift/client"
	"nightshift/worker/helper"
)

// Options is how a worker is set up.
type Options struct {
	URL, Token string // the server and the worker token
	Computer   string // the computer's name or id
	Name       string // unique per computer and project; the host name when empty
	StateDir   string // where jobs and their output are kept; one worker at a time
	WorkFolder string // where plain commands run; when empty the computer's setting, else the home of the user jobs run as
	Binary     string // the program that has the supervise verb; when empty the embedded one, else this program
	Version    string
	RunAs      string // the user that jobs run as, for a worker run by root; empty: the worker's own
	// Concurrency is this worker's own limit of jobs at once; 0: none but the computer's.
	Concurrency int
	// FakeGPUs registers so many GPUs that are not there, for tests; below 0 none are looked for.
	FakeGPUs int
	// MaxSpool is how many bytes of output a job may print; 0: the supervisor's default.
	MaxSpool int64
	// FlushFor is how long a worker that is asked to stop goes on sending what is spooled; 10 s when 0.
	FlushFor time.Duration
	Log      *slog.Logger `json:"-"`
}

// Worker is a running worker.
type Worker struct {
	o        Options
	api      *client.Client
	log      *slog.Logger
	state    *state
	host     hostInfo
	as       *account
	instance string // random per process

	mu         sync.Mutex
	id         string // as registered
	beatEvery  time.Duration
	workFolder string // the computer's setting
	jobs       map[string]*job
	draining   bool
	limited    bool      // the last claim gave all that was asked for: there may be more when more fits
	lastAnswer time.Time // of the server
	lastError  string

	poke    chan struct{} // claim now
	beat    chan struct{} // heartbeat now
	running sync.WaitGroup
}

// Run works until ctx ends, or until all jobs have ended after a drain was asked for. Running jobs go on when it returns; the next
// worker on the same state directory takes them over.
func Run(ctx context.Context, o Options) error {
	w, err := open(o)
	if err != nil {
		return err
	}
	defer w.state.close()
	defer w.api.Close()
	return w.run(ctx)
}

func open(o Options) (*Worker, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.FlushFor == 0 {
		o.FlushFor = 10 * time.Second
	}
	if o.Computer == "" {
		return nil, errors.New("name the computer this worker is for: --computer NAME")
	}
	if o.Token == "" {
		return nil, errors.New("a worker token is needed: --token-file FILE or NIGHTSHIFT_TOKEN")
	}
	if o.Name == "" {
		o.Name, _ = os.Hostname()
	}
	api, err := client.New(o.URL, o.Token, client.WithUserAgent("nightshift-worker/"+o.Version))
	if err != nil {
		return nil, err
	}
	as, err := lookUp(o.RunAs)
	if err != nil {
		return nil, err
	}
	st, err := openState(o.StateDir, as)
	if err != nil {
		return nil, err
	}
	host, err := readHost(st)
	if err != nil {
		st.close()
		return nil, err
	}
	if o.Binary == "" {
		if o.Binary, err = supervisor(o, st); err != nil {
			st.close()
			return nil, err
		}
	}
	return &Worker{
		o: o, api: api, log: o.Log, state: st, host: host, as: as, instance: randomID(),
		beatEvery: 10 * time.Second, jobs: map[string]*job{},
		poke: make(chan struct{}, 1), beat: make(chan struct{}, 1),
	}, nil
}

// supervisor is the program that supervises jobs: the small one where this build has it and it can be started, else this one.
func supervisor(o Options, st *state) (string, error) {
	path, err := helper.Put(filepath.Join(st.dir, "bin"))
	if err == nil {
		return path, nil
	}
	if !errors.Is(err, helper.ErrNone) {
		o.Log.Warn("jobs start more slowly than they could", "error", err)
	}
	if path, err = os.Executable(); err != nil {
		return "", fmt.Errorf("find this program's own file: %w", err)
	}
	return path, nil
}

func (w *Worker) run(ctx context.Context) error {
	known, err := w.state.readJobs()
	if err != nil {
		return err
	}
	kept, err := w.register(ctx, known)
	if err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	// Jobs run on the hard context: it ends FlushFor after ctx, so that what is spooled still arrives.
	hard, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	w.adopt(ctx, hard, known, kept)
	w.log.Info("ready", "worker", w.o.Name, "computer", w.o.Computer, "server", w.api.URL(), "jobs", len(w.held()))

	loops, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var wg sync.WaitGroup
	wg.Go(func() { w.listen(loops) })
	wg.Go(func() { w.watchDrain(loops) })
	wg.Go(func() {
		if err := w.claims(loops, hard); err != nil {
			stop(err)
		}
	})
	beats, endBeats := context.WithCancel(hard)
	wg.Go(func() {
		if err := w.heartbeats(beats); err != nil {
			stop(err)
		}
	})
	<-loops.Done()
	w.finishUp(ctx, end)
	endBeats()
	wg.Wait()
	w.writeStatus("stopped")
	if cause := context.Cause(loops); !errors.Is(cause, context.Canceled) && !errors.Is(cause, errDrained) {
		return cause
	}
	return nil
}

// finishUp waits for the jobs' goroutines, which are flushing what is spooled, and cuts them off when that takes too long.
func (w *Worker) finishUp(ctx context.Context, end context.CancelFunc) {
	w.eachJob(func(j *job) { j.leave() })
	done := make(chan struct{})
	go func() { w.running.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(w.o.FlushFor):
		w.log.Warn("not all output was sent in time; it stays on disk for the next start", "waited", w.o.FlushFor)
	}
	end()
	<-done
	if n := len(w.held()); n > 0 && ctx.Err() != nil {
		w.log.Info("stopped; jobs go on under their supervisors and are taken over at the next start", "jobs", n)
	}
}

// held are the jobs this worker has, in no order.
func (w *Worker) held() []*job {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := make([]*job, 0, len(w.jobs))
	for _, j := range w.jobs {
		out = append(out, j)
	}
	return out
}

func (w *Worker) eachJob(f func(*job)) {
	for _, j := range w.held() {
		f(j)
	}
}

func (w *Worker) find(id string) *job {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.jobs[id]
}

// begin runs a job in its own goroutine.
func (w *Worker) begin(j *job, hard context.Context, f func(context.Context)) {
	ctx, cut := context.WithCancel(hard)
	j.cut, j.over = cut, make(chan struct{})
	j.staying, j.leave = context.WithCancel(ctx)
	w.mu.Lock()
	w.jobs[j.id()] = j
	w.mu.Unlock()
	w.running.Go(func() {
		defer close(j.over)
		defer j.leave()
		defer cut()
		f(ctx)
		if !j.gone.Load() {
			return // left behind for the next start
		}
		w.mu.Lock()
		delete(w.jobs, j.id())
		w.mu.Unlock()
		wake(w.poke)
	})
}

// answered notes how the last call to the server went.
func (w *Worker) answered(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err == nil || client.As(err) != nil {
		w.lastAnswer = time.Now()
	}
	w.lastError = ""
	if err != nil {
		w.lastError = err.Error()
	}
}

// wake wakes whoever waits on the channel; one wake-up is enough for any number of signals.
func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// atOnce is how many jobs may be on their way to their start at the same time.
func atOnce() int { return 2 * runtime.NumCPU() }
