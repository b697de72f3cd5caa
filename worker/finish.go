package worker

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"nightshift/client"
	"nightshift/logframe"
	"nightshift/worker/supervise"
)

// ending is how a job ended, as far as the worker can tell.
type ending struct {
	exitCode       *int   // nil when no program of the user's returned one
	reason         string // exited, signaled, stopped, killed, timed_out, oom, start_failed, lost, rebooted
	signal         string
	err            string
	started, ended *time.Time
}

// result reads the end that the supervisor wrote. Without one the supervisor died, alone or with its host.
func (j *job) result() ending {
	x := supervise.Read(j.process()).Exit
	if x == nil {
		if j.rec.BootID != j.w.host.bootID {
			return ending{reason: "rebooted", err: "the host was restarted"}
		}
		return ending{reason: "lost", err: "the process and its supervisor are gone"}
	}
	e := ending{exitCode: x.Code, reason: x.Reason, signal: x.Signal, err: x.Error, started: &x.Started, ended: &x.Ended}
	j.noteEnd(x)
	return e
}

func (j *job) noteEnd(x *supervise.Exit) {
	exited := map[string]any{"reason": x.Reason}
	if x.Code != nil {
		exited["exitCode"] = *x.Code
	}
	if x.Signal != "" {
		exited["signal"] = x.Signal
	}
	took := seconds(x.Ended.Sub(x.Started))
	j.note(client.JobEventInput{Key: "exited", Type: "worker.process_exited", Time: &x.Ended, DurationSeconds: took, Args: args(exited)})
	if x.Dropped > 0 {
		j.note(client.JobEventInput{
			Key: "dropped", Type: "worker.output_dropped", Time: &x.Ended, Severity: client.SeverityWarning, Args: args(map[string]any{"bytes": x.Dropped}),
		})
	}
	if x.Stragglers > 0 {
		j.note(client.JobEventInput{
			Key: "stragglers", Type: "worker.stragglers", Time: &x.Ended, Severity: client.SeverityWarning, Args: args(map[string]any{"count": x.Stragglers}),
		})
	}
}

// args are an event's arguments as JSON.
func args(m map[string]any) *json.RawMessage {
	b, err := json.Marshal(m)
	if err != nil {
		b = []byte("{}")
	}
	return new(json.RawMessage(b))
}

// fail ends a job that could not be started.
func (j *job) fail(ctx context.Context, err error) {
	j.exited.Store(true)
	j.finish(ctx, ending{reason: "start_failed", err: err.Error()}, nil)
}

// finish tells the server the end of a job, with the rest of its log and its events in the same request, and again until the server
// has acknowledged it: errors come inside a successful answer, and an answer may get lost.
func (j *job) finish(ctx context.Context, e ending, p *pipe) {
	j.exited.Store(true)
	in := client.FinishJobInput{
		JobId: j.id(), Lease: j.rec.Job.Lease, ExitCode: e.exitCode, Reason: e.reason, StartedAt: e.started, EndedAt: e.ended,
	}
	if e.signal != "" {
		in.Signal = &e.signal
	}
	if e.err != "" {
		text := logframe.NewMasker(j.secrets()...).MaskString(e.err)
		in.Error = &text
	}
	if p != nil {
		in.LogLines = new(p.total())
	}
	for {
		done, err := j.offerEnd(ctx, in, p)
		if done || gone(err) {
			if err != nil {
				j.w.log.Warn("the server wants nothing more of a job", "job", j.id(), "error", err)
			}
			j.remove()
			return
		}
		if ctx.Err() != nil {
			return // on disk, for the next start
		}
		if next, ok := nextLine(err); ok && p != nil { // lines are missing there
			if how := p.again(ctx, next); how == pipeLost {
				j.remove()
				return
			}
			continue
		}
		j.w.log.Error("the server refuses the end of a job; trying on", "job", j.id(), "error", err)
		if !client.Sleep(ctx, 30*time.Second) {
			return
		}
	}
}

// offerEnd sends everything that is left once, as often as it takes to get an answer to the end itself.
func (j *job) offerEnd(ctx context.Context, in client.FinishJobInput, p *pipe) (done bool, err error) {
	lease := j.rec.Job.Lease
	err = j.w.persist(ctx, j, "report the end", func(ctx context.Context) error {
		log, withLog := p.rest()
		events := j.pending()
		evs := client.RecordJobEventsInput{JobId: j.id(), Lease: lease, Events: append([]client.JobEventInput{}, events...)} // never null
		_, err := client.EndJob(ctx, j.w.api, log, withLog, evs, len(events) > 0, in)
		refused := client.As(err)
		if refused == nil {
			return err
		}
		for _, e := range append([]*client.Error{refused}, refused.Others...) {
			if e.Path != "appendLog" && e.Path != "recordJobEvents" {
				return e
			}
		}
		return nil // only what came with it was refused, and the end was not: the server has all it wants
	})
	return err == nil, err
}

// nextLine is the line that the server expects, when it refused something because lines are missing.
func nextLine(err error) (int64, bool) {
	if e := client.As(err); e != nil && e.Code == client.Conflict {
		return e.Long("nextLine")
	}
	return 0, false
}

// note keeps an event for the job's timeline; it travels with the next report, so that it never delays the job.
func (j *job) note(e client.JobEventInput) {
	if e.Time == nil {
		now := time.Now().UTC()
		e.Time = &now
	}
	if e.Severity == "" {
		e.Severity = client.SeverityInfo
	}
	j.mu.Lock()
	j.events = append(j.events, e)
	j.mu.Unlock()
}

func (j *job) pending() []client.JobEventInput {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.events)
}

// eventsAfter is how long events wait for the end of a short job to take them along.
const eventsAfter = 2 * time.Second

// reportEvents sends what happened to a job that goes on for longer.
func (j *job) reportEvents(ctx context.Context) {
	for client.Sleep(ctx, eventsAfter) {
		events := j.pending()
		if len(events) == 0 {
			continue
		}
		_, err := client.RecordJobEvents(ctx, j.w.api, client.RecordJobEventsInput{JobId: j.id(), Lease: j.rec.Job.Lease, Events: events})
		if err != nil && !client.Is(err, client.InvalidInput) {
			continue // again, or with the end
		}
		j.mu.Lock()
		j.events = slices.Delete(j.events, 0, len(events)) // only this goroutine takes away
		j.mu.Unlock()
	}
}
