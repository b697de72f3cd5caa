package queue

import (
	"context"

	"nightshift/ent"
	"nightshift/ent/dependency"
	"nightshift/ent/job"
	"nightshift/server/db"
	"nightshift/server/timeline"
)

// settleDependants tells the jobs that wait for j that it has ended. Those that may start become ready; those that can never start are
// returned, for the caller to fail.
func (r *Room) settleDependants(ctx context.Context, tx *db.Tx, j *ent.Job, status job.Status) (fail []*ent.Job, err error) {
	deps, err := tx.Dependency.Query().Where(dependency.AfterID(j.ID), dependency.Done(false)).All(ctx)
	if err != nil || len(deps) == 0 {
		return nil, err
	}
	whatever := map[int64]bool{}
	ids := make([]int64, 0, len(deps))
	for _, d := range deps {
		whatever[d.JobID] = d.Any
		ids = append(ids, d.JobID)
	}
	if err := tx.Dependency.Update().Where(dependency.AfterID(j.ID)).SetDone(true).Exec(ctx); err != nil {
		return nil, err
	}
	waiting, err := lock(ctx, tx, func(q *ent.JobQuery) { q.Where(job.IDIn(ids...), job.StatusEQ(job.StatusQueued)) })
	if err != nil {
		return nil, err
	}
	for _, w := range waiting {
		if status != job.StatusCompleted && !whatever[w.ID] {
			fail = append(fail, w)
			continue
		}
		w.WaitingOn--
		if err := r.requeue(ctx, tx, w, tx.Job.UpdateOne(w).SetWaitingOn(w.WaitingOn)); err != nil {
			return nil, err
		}
		if w.WaitingOn == 0 && !w.Held {
			if err := r.note(ctx, tx, w, timeline.Event{Type: "job.queued", Args: map[string]any{"after": j.UUID}}); err != nil {
				return nil, err
			}
		}
	}
	return fail, nil
}

// requeue writes what the claim reads of a queued job: whether it is ready, since when, and the phase that says why not.
func (r *Room) requeue(ctx context.Context, tx *db.Tx, j *ent.Job, u *ent.JobUpdateOne) error {
	ready := !j.Held && j.WaitingOn == 0
	u.SetReady(ready)
	switch {
	case j.Held:
		u.SetPhase(job.PhaseHolding)
	case j.WaitingOn > 0:
		u.SetPhase(job.PhaseWaitingForJob)
	default:
		u.ClearPhase().SetReadyAt(r.now())
		r.nudge(tx, j.ComputerID)
	}
	return u.Exec(ctx)
}

// dependencyFailed is the end of a job whose predecessor did not succeed: it never ran, so it has no exit code.
func dependencyFailed(first *ent.Job) ending {
	return ending{
		status: job.StatusFailed, reason: job.EndReasonDependencyFailed, event: "job.dependency_failed", code: "dependency_failed",
		args: map[string]any{"jobId": first.UUID, "shortId": first.UUID[:8], "runName": first.RunName},
		text: "It was to run after job " + first.UUID[:8] + " (" + first.RunName + "), which did not succeed.",
	}
}
