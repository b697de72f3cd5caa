package queue

import (
	"context"
	"fmt"
	"slices"

	"nightshift/ent"
	"nightshift/ent/job"
	"nightshift/ent/jobevent"
	"nightshift/ent/token"
	"nightshift/server/db"
	"nightshift/server/timeline"
)

// The state machine. Nothing leaves a final state.
//
//	          claim            start
//	QUEUED ──────────▶ ASSIGNED ──────────▶ RUNNING
//	  │  ◀──────────────  │ release            │
//	  │ stop, dependency  │ stop, failure      │ end
//	  ▼                   ▼                    ▼
//	CANCELED · FAILED     (the same)         COMPLETED · FAILED · CANCELED
//
// A finish may overtake the start's report, so ASSIGNED reaches every end too.
var moves = map[job.Status][]job.Status{
	job.StatusQueued:   {job.StatusAssigned, job.StatusFailed, job.StatusCanceled},
	job.StatusAssigned: {job.StatusQueued, job.StatusRunning, job.StatusCompleted, job.StatusFailed, job.StatusCanceled},
	job.StatusRunning:  {job.StatusCompleted, job.StatusFailed, job.StatusCanceled},
}

// Final tells whether nothing can happen to a job any more.
func Final(s job.Status) bool { return len(moves[s]) == 0 }

func mustMove(from, to job.Status) error {
	if !slices.Contains(moves[from], to) {
		return fmt.Errorf("a job cannot go from %s to %s", from, to)
	}
	return nil
}

// ending is how a job ends.
type ending struct {
	status   job.Status
	reason   job.EndReason // empty when the exit code says it all
	exitCode *int
	code     string         // errorCode, empty without an error
	args     map[string]any // errorArgs
	text     string         // error, in English
	event    string
	actor    int64
}

// end ends a job that is locked: status, event, GPUs and place given back, its token dead, its dependants released or failed.
// Failing a dependant ends it in the same way, down the whole chain, in this one transaction.
func (r *Room) end(ctx context.Context, tx *db.Tx, first *ent.Job, how ending) error {
	type ended struct {
		j *ent.Job
		e ending
	}
	todo := []ended{{first, how}}
	for len(todo) > 0 {
		j, e := todo[0].j, todo[0].e
		todo = todo[1:]
		if err := r.endOne(ctx, tx, j, e); err != nil {
			return err
		}
		failed, err := r.settleDependants(ctx, tx, j, e.status)
		if err != nil {
			return err
		}
		for _, d := range failed {
			todo = append(todo, ended{d, dependencyFailed(j)})
		}
	}
	return nil
}

func (r *Room) endOne(ctx context.Context, tx *db.Tx, j *ent.Job, e ending) error {
	if err := mustMove(j.Status, e.status); err != nil {
		return err
	}
	held := j.Status == job.StatusAssigned || j.Status == job.StatusRunning
	u := tx.Job.UpdateOne(j).SetStatus(e.status).SetReady(false).SetEndedAt(r.now()).ClearPhase().ClearWorkerID().SetNoResponse(false).
		SetHeld(false).SetWaitingOn(0)
	if e.reason != "" {
		u.SetEndReason(e.reason)
	}
	if e.exitCode != nil {
		u.SetExitCode(*e.exitCode)
	}
	if e.code != "" {
		u.SetErrorCode(e.code).SetError(e.text)
		if e.args != nil {
			u.SetErrorArgs(e.args)
		}
	}
	if err := u.Exec(ctx); err != nil {
		return err
	}
	if held {
		if err := r.giveBack(ctx, tx, j); err != nil {
			return err
		}
	}
	args := map[string]any{}
	for k, v := range e.args {
		args[k] = v
	}
	if e.exitCode != nil {
		args["exitCode"] = *e.exitCode
	}
	if e.code != "" {
		args["code"], args["detail"] = e.code, e.text
	}
	sev := jobevent.SeverityInfo
	if e.status == job.StatusFailed {
		sev = jobevent.SeverityError
	}
	if err := r.note(ctx, tx, j, timeline.Event{Type: e.event, Severity: sev, Args: args, Actor: e.actor}); err != nil {
		return err
	}
	if r.Ended != nil {
		tx.AfterCommit(func() { r.Ended(j.ID) })
	}
	return nil
}

// giveBack frees what a claim took: GPUs, the place on the computer, the job's token.
func (r *Room) giveBack(ctx context.Context, tx *db.Tx, j *ent.Job) error {
	if j.GpuMask != 0 {
		if _, err := tx.Exec(ctx, `UPDATE gpus SET job_id = NULL WHERE computer_id = ? AND job_id = ?`, j.ComputerID, j.ID); err != nil {
			return err
		}
	}
	if _, err := tx.Exec(ctx, `DELETE FROM slots WHERE job_id = ?`, j.ID); err != nil {
		return err
	}
	if _, err := tx.Token.Delete().Where(token.JobID(j.ID)).Exec(ctx); err != nil {
		return err
	}
	r.nudge(tx, j.ComputerID)
	return nil
}
