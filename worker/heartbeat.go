package worker

import (
	"context"
	"fmt"
	"time"

	"nightshift/client"
)

// beatSpacing keeps a storm of nudges from becoming a storm of heartbeats.
const beatSpacing = 100 * time.Millisecond

// heartbeats keeps the leases until ctx ends, and does what the answers say. A nudge makes one come at once, so that a stop takes
// effect within a moment.
func (w *Worker) heartbeats(ctx context.Context) error {
	var b client.Backoff
	var asked time.Time // when the work folder was last asked for
	for {
		began := time.Now()
		pause := w.interval()
		err := w.heartbeat(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err == nil:
			b.Reset()
			if time.Since(asked) > freshWorkDir {
				asked = time.Now()
				w.readComputer(ctx)
			}
		case client.Is(err, client.Conflict):
			return fmt.Errorf("%w. Its running jobs go on", err)
		case client.Is(err, client.NotFound):
			wake(w.poke) // the claim is refused in the same way and registers again
			pause = min(pause, b.Next())
		default:
			w.log.Warn("heartbeat failed; trying on", "error", err)
			pause = min(pause, b.Next())
		}
		w.writeStatus("running")
		if !w.waitForBeat(ctx, began, pause) {
			return nil
		}
	}
}

func (w *Worker) interval() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.beatEvery
}

func (w *Worker) waitForBeat(ctx context.Context, began time.Time, pause time.Duration) bool {
	t := time.NewTimer(pause)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-t.C:
			return true
		case <-w.beat:
			if len(w.held()) > 0 { // a nudge is about a job to be stopped
				return client.Sleep(ctx, beatSpacing-time.Since(began))
			}
		}
	}
}

func (w *Worker) heartbeat(ctx context.Context) error {
	in := client.HeartbeatInput{WorkerId: w.workerID(), InstanceId: w.instance, Draining: w.drains(), Jobs: []client.LeasedJob{}}
	w.eachJob(func(j *job) {
		if !j.gone.Load() && !j.lost.Load() {
			in.Jobs = append(in.Jobs, client.LeasedJob{JobId: j.id(), Lease: j.rec.Job.Lease})
		}
	})
	out, err := client.Heartbeat(ctx, w.api, in)
	w.answered(err)
	if err != nil {
		return err
	}
	for _, a := range out.Heartbeat.Jobs {
		if j := w.find(a.JobId); j != nil {
			j.obey(a.Answer)
		}
	}
	return nil
}
