package queue

import (
	"context"

	"nightshift/ent"
	"nightshift/ent/job"
	"nightshift/ent/jobevent"
	"nightshift/server/access"
	"nightshift/server/db"
	"nightshift/server/fault"
	"nightshift/server/timeline"
)

// RequestStop cancels queued jobs at once and asks assigned and running ones to stop. Asking twice is harmless.
func (r *Room) RequestStop(ctx context.Context, ids []string) (Outcome, error) {
	return r.each(ctx, ids, func(tx *db.Tx, j *ent.Job) error { return r.stop(ctx, tx, j, false) })
}

// Kill is RequestStop without the grace.
func (r *Room) Kill(ctx context.Context, ids []string) (Outcome, error) {
	return r.each(ctx, ids, func(tx *db.Tx, j *ent.Job) error { return r.stop(ctx, tx, j, true) })
}

func (r *Room) stop(ctx context.Context, tx *db.Tx, j *ent.Job, kill bool) error {
	if err := r.stopChildren(ctx, tx, j, kill); err != nil {
		return err
	}
	who := access.From(ctx).UserID()
	switch {
	case Final(j.Status):
		return fault.New(fault.Conflict, "The job has already ended.")
	case j.Status == job.StatusQueued:
		e := canceledBeforeStart(j)
		e.actor = who
		if err := tx.Job.UpdateOne(j).SetStopRequestedAt(r.now()).SetStopRequestedByID(who).Exec(ctx); err != nil {
			return err
		}
		return r.end(ctx, tx, j, e)
	case j.StopRequestedAt != nil && (j.KillRequested || !kill):
		r.nudge(tx, j.ComputerID)
		return nil
	}
	u := tx.Job.UpdateOne(j)
	if j.StopRequestedAt == nil {
		u.SetStopRequestedAt(r.now()).SetStopRequestedByID(who)
	}
	event := "job.stop_requested"
	if kill {
		u.SetKillRequested(true)
		event = "job.kill_requested"
	}
	if j.Status == job.StatusRunning {
		u.SetPhase(job.PhaseStopping)
	}
	if err := u.Exec(ctx); err != nil {
		return err
	}
	r.nudge(tx, j.ComputerID)
	return r.note(ctx, tx, j, timeline.Event{Type: event})
}

// stopChildren stops the jobs that a driver's code created, whoever may stop the driver.
func (r *Room) stopChildren(ctx context.Context, tx *db.Tx, j *ent.Job, kill bool) error {
	children, err := lock(ctx, tx, func(q *ent.JobQuery) {
		q.Where(job.ParentID(j.ID), job.StatusIn(job.StatusQueued, job.StatusAssigned, job.StatusRunning))
	})
	if err != nil {
		return err
	}
	for _, c := range children {
		if err := r.stop(ctx, tx, c, kill); err != nil {
			return err
		}
	}
	return nil
}

// ForceEnd ends jobs that no longer answer. What their process really did is unknown; a late result becomes an event.
func (r *Room) ForceEnd(ctx context.Context, ids []string) (Outcome, error) {
	var out Outcome
	for _, id := range ids {
		err := r.DB.InTx(ctx, func(tx *db.Tx) error { return r.forceEnd(ctx, tx, id, &out) })
		if f, ok := err.(*fault.Error); ok {
			out.refuse(id, f)
		} else if err != nil {
			return out, err
		}
	}
	return out, nil
}

func (r *Room) forceEnd(ctx context.Context, tx *db.Tx, id string, out *Outcome) error {
	found, err := FindJob(ctx, tx.Client(), id)
	if err != nil {
		return err
	}
	if found == nil {
		return fault.Missing("job")
	}
	j, err := lockOne(ctx, tx, found.UUID)
	if err != nil {
		return err
	}
	c, err := tx.Computer.Get(ctx, j.ComputerID)
	if err != nil {
		return err
	}
	v := access.From(ctx)
	if !v.Can(access.AnyJob, j.ProjectID) && !v.MayManage(c) {
		return fault.Denied("Only a project administrator or the owner of the computer can force a job's end.")
	}
	if !j.NoResponse || Final(j.Status) {
		return fault.New(fault.Conflict, "Only a job without response can be ended by force; stop or kill this one.")
	}
	e := workerLost(j, "force_ended")
	e.event, e.code, e.actor = "job.force_ended", "force_ended", v.UserID()
	e.text = "It was ended by hand after its worker had stopped answering."
	if err := r.end(ctx, tx, j, e); err != nil {
		return err
	}
	fresh, err := tx.Job.Get(ctx, j.ID)
	if err != nil {
		return err
	}
	out.Done++
	out.Jobs = append(out.Jobs, fresh)
	return nil
}

// silent marks jobs whose worker has not answered for a minute. They may still be running: nothing else changes.
func (r *Room) silent(ctx context.Context) error {
	limit := r.now().Add(-NoResponseAfter)
	return r.DB.InTx(ctx, func(tx *db.Tx) error {
		js, err := lock(ctx, tx, func(q *ent.JobQuery) {
			q.Where(job.WorkerIDNotNil(), job.NoResponse(false), job.HeartbeatAtLT(limit)).Limit(500)
		})
		if err != nil {
			return err
		}
		for _, j := range js {
			if err := tx.Job.UpdateOne(j).SetNoResponse(true).Exec(ctx); err != nil {
				return err
			}
			e := timeline.Event{Type: "job.no_response", Severity: jobevent.SeverityWarning, Args: map[string]any{"lastSeenAt": j.HeartbeatAt}}
			if err := r.note(ctx, tx, j, e); err != nil {
				return err
			}
		}
		return nil
	})
}
