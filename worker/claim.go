package worker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"nightshift/client"
)

const (
	pollEvery    = 5 * time.Second  // claiming also works without nudges
	pollOnError  = 2 * time.Second  // after a claim that failed
	pollRefused  = 30 * time.Second // after one that the server refused for the token
	settleAfter  = 30 * time.Second // a claim without an answer may still be carried out by the server for so long
	maxBatch     = 64
	tellAgain    = time.Minute // how often the same trouble is logged
	freshWorkDir = time.Minute // how often the computer's work folder is asked for
)

// listen hears the server's nudges, and goes back to it whenever the connection breaks.
func (w *Worker) listen(ctx context.Context) {
	var b client.Backoff
	for ctx.Err() == nil {
		err := w.api.WorkAvailable(ctx, w.workerID(), func() {
			b.Reset()
			wake(w.poke) // what came while nobody listened
			wake(w.beat)
		}, func(n client.Work) {
			if n.Claim {
				wake(w.poke)
			}
			if n.Heartbeat {
				wake(w.beat)
			}
		})
		if ctx.Err() != nil {
			return
		}
		w.log.Debug("the connection for nudges ended; claims are polled meanwhile", "error", err)
		if !b.Sleep(ctx) {
			return
		}
	}
}

func (w *Worker) workerID() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.id
}

// claims takes jobs until ctx ends, the worker is drained or another process took its place.
//
// A claim that got no answer may have given us jobs that we do not know. Registering again, which names those we do know, puts the
// others back into the queue: at once, and once more when the server can no longer be at it.
func (w *Worker) claims(ctx, hard context.Context) error {
	var settle time.Time
	unsure := false
	for {
		pause := pollEvery
		if unsure || !settle.IsZero() && time.Now().After(settle) {
			if err := w.registerAgain(ctx); err != nil {
				return unlessOver(ctx, err)
			}
			unsure, settle = false, time.Time{}
		}
		if w.drains() {
			if len(w.held()) == 0 {
				return errDrained
			}
		} else if n := w.room(); n <= 0 {
			w.limit(true)
		} else {
			got, err := w.claim(ctx, hard, n)
			w.limit(err == nil && got == n)
			switch {
			case err == nil && got == n:
				continue // there may be more
			case err == nil:
			case ctx.Err() != nil:
			case client.Is(err, client.Conflict):
				return fmt.Errorf("%w. Its running jobs go on", err)
			case client.Is(err, client.NotFound):
				unsure, pause = true, 0
			case client.Is(err, client.Unauthenticated) || client.Is(err, client.Forbidden):
				pause = pollRefused
			case client.Temporary(err):
				unsure, settle, pause = true, time.Now().Add(settleAfter), pollOnError
			default:
				pause = pollOnError
			}
			if err != nil && ctx.Err() == nil {
				w.log.Warn("no job could be claimed", "error", err, "again_in", pause)
			}
		}
		if !w.waitForWork(ctx, pause) {
			return nil
		}
	}
}

// unlessOver hides what fails because the worker is being stopped.
func unlessOver(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

func (w *Worker) waitForWork(ctx context.Context, pause time.Duration) bool {
	t := time.NewTimer(pause)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-w.poke:
	case <-t.C:
	}
	return ctx.Err() == nil
}

// room is how many jobs can be started at once now: within the own limit, and never so many that one would wait for another's start.
func (w *Worker) room() int {
	busy, onTheirWay := 0, 0
	w.eachJob(func(j *job) {
		switch {
		case j.exited.Load():
		case j.up.Load():
			busy++
		default:
			busy++
			onTheirWay++
		}
	})
	n := min(atOnce()-onTheirWay, maxBatch)
	if w.o.Concurrency > 0 {
		n = min(n, w.o.Concurrency-busy)
	}
	return n
}

// limit notes whether it was this worker that set the limit to a claim, not the server.
func (w *Worker) limit(own bool) {
	w.mu.Lock()
	w.limited = own
	w.mu.Unlock()
}

// roomier looks for more work, now that there is room for it, where that is what was missing.
func (w *Worker) roomier() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.limited {
		wake(w.poke)
	}
}

// claim takes up to max jobs. Each is on disk before anything is done with it.
func (w *Worker) claim(ctx, hard context.Context, max int) (int, error) {
	out, err := client.ClaimJobs(ctx, w.api, client.ClaimJobsInput{WorkerId: w.workerID(), InstanceId: w.instance, Max: max})
	w.answered(err)
	if err != nil {
		return 0, err
	}
	var failed error
	for _, c := range out.ClaimJobs.Jobs {
		if before := w.find(c.JobId); before != nil {
			w.running.Go(func() { w.takeAgain(ctx, hard, before, c) })
			continue
		}
		failed = errors.Join(failed, w.take(hard, c))
	}
	return len(out.ClaimJobs.Jobs), failed
}

// take puts a claimed job on disk and runs it. What cannot be kept, on a full disk say, is given back.
func (w *Worker) take(hard context.Context, c client.ClaimedJob) error {
	j, err := w.newJob(c)
	if err != nil {
		return errors.Join(err, w.giveBack(hard, c))
	}
	w.begin(j, hard, j.run)
	return nil
}

// takeAgain takes a job that this worker had before, lost or gave back, and is still clearing away: both would use one directory. Until
// then nothing of the new claim is on disk, so a worker that dies meanwhile does not know the job and the server puts it back.
func (w *Worker) takeAgain(ctx, hard context.Context, before *job, c client.ClaimedJob) {
	before.loseLease() // the new lease proves that the old one is void
	select {
	case <-before.over:
	case <-ctx.Done():
		if err := w.giveBack(hard, c); err != nil {
			w.log.Warn("a job could not be given back; the next start does it", "job", c.JobId, "error", err)
		}
		return
	}
	if err := w.take(hard, c); err != nil {
		w.log.Warn("a job that was claimed again could not be taken", "job", c.JobId, "error", err)
	}
}

// giveBack returns jobs of which nothing was started to the queue. Where it fails the next registration does it.
func (w *Worker) giveBack(ctx context.Context, jobs ...client.ClaimedJob) error {
	in := client.ReleaseJobsInput{WorkerId: w.workerID()}
	for _, c := range jobs {
		in.Jobs = append(in.Jobs, client.LeasedJob{JobId: c.JobId, Lease: c.Lease})
	}
	_, err := client.ReleaseJobs(ctx, w.api, in)
	w.answered(err)
	return err
}
