package queue

import (
	"context"
	"fmt"
	"strings"
	"time"

	"nightshift/ent"
	"nightshift/ent/job"
	"nightshift/ent/jobevent"
	"nightshift/server/db"
	"nightshift/server/fault"
	"nightshift/server/timeline"
)

// Start makes a claimed job RUNNING. It answers what to do with it: it may have been asked to stop meanwhile.
func (r *Room) Start(ctx context.Context, uuid, lease string) (Answer, error) {
	var out Answer
	err := r.DB.InTx(ctx, func(tx *db.Tx) error {
		j, err := r.CheckLease(ctx, tx, uuid, lease)
		if err != nil {
			return err
		}
		out = answer(j)
		if j.Status != job.StatusAssigned { // said before, or over
			if Final(j.Status) {
				out = Lost
			}
			return nil
		}
		if err := mustMove(j.Status, job.StatusRunning); err != nil {
			return err
		}
		u := tx.Job.UpdateOne(j).SetStatus(job.StatusRunning).SetStartedAt(r.now()).ClearPhase()
		if out != Keep {
			u.SetPhase(job.PhaseStopping)
		}
		if err := u.Exec(ctx); err != nil {
			return err
		}
		return r.note(ctx, tx, j, timeline.Event{Type: "job.started"})
	})
	return out, err
}

// Result is a job's end as its worker saw it.
type Result struct {
	ExitCode *int
	Reason   string // exited, signaled, stopped, killed, timed_out, oom, start_failed, lost, rebooted
	Signal   string
	Error    string
	LogLines *int64
	Started  *time.Time
}

// Finish ends a job with its true result. It may come twice, or late: after the job was ended by force it only leaves an event.
func (r *Room) Finish(ctx context.Context, uuid, lease string, res Result) (*ent.Job, error) {
	if res.ExitCode != nil && (*res.ExitCode < 0 || *res.ExitCode > 255) {
		return nil, fault.Invalid("exitCode", "An exit code is 0 to 255.")
	}
	res.Error = clean(res.Error)
	var id int64
	err := r.DB.InTx(ctx, func(tx *db.Tx) error {
		j, err := r.CheckLease(ctx, tx, uuid, lease)
		if err != nil {
			return err
		}
		id = j.ID
		if Final(j.Status) {
			return r.late(ctx, tx, j, res)
		}
		if res.LogLines != nil && j.NextLine-1 < *res.LogLines {
			return fault.New(fault.Conflict, "The log is not stored up to line %d yet.", *res.LogLines).With("nextLine", j.NextLine)
		}
		if j.StartedAt == nil && res.ExitCode != nil {
			started := r.now()
			if res.Started != nil && res.Started.Before(started) && j.AssignedAt != nil && res.Started.After(*j.AssignedAt) {
				started = *res.Started
			}
			if err := tx.Job.UpdateOne(j).SetStartedAt(started).Exec(ctx); err != nil {
				return err
			}
		}
		return r.end(ctx, tx, j, outcome(j, res))
	})
	if err != nil {
		return nil, err
	}
	return r.DB.Job.Get(ctx, id)
}

// late notes a result that came after the job had been ended without it; the first one only.
func (r *Room) late(ctx context.Context, tx *db.Tx, j *ent.Job, res Result) error {
	if j.EndReason == nil || *j.EndReason != job.EndReasonWorkerLost || j.ExitCode != nil {
		return nil
	}
	n, err := tx.JobEvent.Query().Where(jobevent.JobID(j.ID), jobevent.Type("job.late_result")).Count(ctx)
	if err != nil || n > 0 {
		return err
	}
	args := map[string]any{"reason": res.Reason}
	if res.ExitCode != nil {
		args["exitCode"] = *res.ExitCode
	}
	return r.note(ctx, tx, j, timeline.Event{Type: "job.late_result", Severity: jobevent.SeverityWarning, Args: args})
}

// outcome decides how a job ended. The first cause wins: what was asked of it, then what its machine did to it, then its exit code.
func outcome(j *ent.Job, res Result) ending {
	e := ending{status: job.StatusFailed, event: "job.failed", exitCode: res.ExitCode}
	fail := func(reason job.EndReason, code, text string, args map[string]any) ending {
		e.reason, e.code, e.text, e.args = reason, code, text, args
		return e
	}
	asked := j.StopRequestedAt != nil
	switch {
	case asked && (res.Reason == "stopped" || res.Reason == "killed" || res.Reason == "start_failed"):
		e.status, e.event, e.reason = job.StatusCanceled, "job.canceled", job.EndReasonStoppedByUser
		if res.Reason == "start_failed" {
			e.exitCode = nil
		}
		return e
	case res.Reason == "timed_out":
		args := map[string]any{}
		text := "It was stopped at its time limit."
		if j.TimeLimitSeconds != nil {
			args["seconds"] = *j.TimeLimitSeconds
			text = fmt.Sprintf("It was stopped at its time limit of %s.", time.Duration(*j.TimeLimitSeconds)*time.Second)
		}
		e.event = "job.stopped_max_duration"
		return fail(job.EndReasonTimedOut, "timed_out", text, args)
	case res.Reason == "oom":
		return fail(job.EndReasonOutOfMemory, "oom", "It was killed because the computer ran out of memory.", nil)
	case res.Reason == "start_failed":
		e.exitCode = nil
		code, text, args := startFailure(res.Error)
		return fail(job.EndReasonPreparationFailed, code, text, args)
	case res.Reason == "lost" || res.Reason == "rebooted":
		reason := "process_gone"
		if res.Reason == "rebooted" {
			reason = "rebooted"
		}
		return workerLost(j, reason)
	case res.ExitCode == nil:
		return fail(job.EndReasonWorkerLost, "worker_lost", "It ended without an exit code: "+orUnknown(res.Error), map[string]any{"reason": "unknown"})
	case *res.ExitCode == 0:
		return ending{status: job.StatusCompleted, event: "job.completed", exitCode: res.ExitCode}
	case res.Signal != "":
		name := strings.TrimPrefix(res.Signal, "SIG")
		return fail("", "signal", fmt.Sprintf("Killed by signal %d (%s).", *res.ExitCode-128, name), map[string]any{"signal": name, "number": *res.ExitCode - 128})
	case *res.ExitCode == 127:
		return fail("", "command_not_found", "A command was not found (exit code 127); the log names it.", nil)
	case *res.ExitCode == 126:
		return fail("", "not_executable", "A file could not be executed (exit code 126); the log names it.", nil)
	}
	return fail("", "exit_nonzero", fmt.Sprintf("The command ended with exit code %d.", *res.ExitCode), map[string]any{"exitCode": *res.ExitCode})
}

// startFailure reads the worker's «workdir_missing: /path» form.
func startFailure(said string) (code, text string, args map[string]any) {
	if p, ok := strings.CutPrefix(said, "workdir_missing: "); ok {
		return "workdir_missing", "The working folder " + p + " does not exist on the computer; nothing was run.", map[string]any{"path": p}
	}
	return "start_failed", "It could not be started: " + orUnknown(said), map[string]any{"detail": said}
}

func workerLost(j *ent.Job, reason string) ending {
	args := map[string]any{"reason": reason}
	last := ""
	if j.HeartbeatAt != nil {
		args["lastHeartbeat"] = j.HeartbeatAt.UTC().Format(time.RFC3339)
		last = " The last sign of life was at " + j.HeartbeatAt.UTC().Format("2006-01-02 15:04:05") + " UTC."
	}
	text := "Its worker came back without it: the process is gone and its result unknown."
	if reason == "rebooted" {
		text = "The worker's host was restarted while it ran."
	}
	return ending{
		status: job.StatusFailed, reason: job.EndReasonWorkerLost, event: "job.worker_lost", code: "worker_lost", args: args, text: text + last,
	}
}

func canceledBeforeStart(j *ent.Job) ending {
	e := ending{status: job.StatusCanceled, reason: job.EndReasonStoppedByUser, event: "job.canceled"}
	if j.StopRequestedByID != nil {
		e.actor = *j.StopRequestedByID
	}
	return e
}

func orUnknown(s string) string {
	if s == "" {
		return "the cause is unknown."
	}
	return s
}

// clean makes a worker's text fit to be stored and shown: PostgreSQL refuses NUL, and nobody reads a megabyte.
func clean(s string) string {
	s = strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", "␀"), "�")
	if len(s) > 4096 {
		s = strings.ToValidUTF8(s[:4096], "") + "…"
	}
	return s
}
