package queue

import (
	"context"

	"nightshift/ent"
	"nightshift/ent/job"
	"nightshift/server/access"
	"nightshift/server/db"
	"nightshift/server/fault"
	"nightshift/server/timeline"
)

// notClaimed refuses a change that only a job which no worker has can take.
func notClaimed(j *ent.Job) error {
	if j.Status != job.StatusQueued {
		return fault.New(fault.Conflict, "The job is no longer queued: this change has no effect on it any more.")
	}
	return nil
}

// Hold keeps queued jobs from starting until Unhold.
func (r *Room) Hold(ctx context.Context, ids []string) (Outcome, error) {
	return r.setHeld(ctx, ids, true)
}

// Unhold lets held jobs start.
func (r *Room) Unhold(ctx context.Context, ids []string) (Outcome, error) {
	return r.setHeld(ctx, ids, false)
}

func (r *Room) setHeld(ctx context.Context, ids []string, held bool) (Outcome, error) {
	return r.each(ctx, ids, func(tx *db.Tx, j *ent.Job) error {
		if err := notClaimed(j); err != nil {
			return err
		}
		if j.Held == held {
			return nil
		}
		j.Held = held
		if err := r.requeue(ctx, tx, j, tx.Job.UpdateOne(j).SetHeld(held)); err != nil {
			return err
		}
		event := "job.unheld"
		if held {
			event = "job.held"
		}
		return r.note(ctx, tx, j, timeline.Event{Type: event})
	})
}

// SetPriority changes the order of queued jobs.
func (r *Room) SetPriority(ctx context.Context, ids []string, priority int) (Outcome, error) {
	if priority < minPriority || priority > maxPriority {
		return Outcome{}, fault.Invalid("priority", "The priority is %d to %d.", minPriority, maxPriority)
	}
	return r.each(ctx, ids, func(tx *db.Tx, j *ent.Job) error {
		if err := notClaimed(j); err != nil {
			return err
		}
		if priority > 0 && !access.From(ctx).Can(access.Priority, j.ProjectID) {
			return fault.Denied("Only project administrators may raise the priority above 0.")
		}
		if err := tx.Job.UpdateOne(j).SetPriority(priority).Exec(ctx); err != nil {
			return err
		}
		return r.note(ctx, tx, j, timeline.Event{Type: "job.priority_changed", Args: map[string]any{"priority": priority}})
	})
}

// Move sends queued jobs to another computer. Chosen GPUs must exist there.
func (r *Room) Move(ctx context.Context, ids []string, to string) (Outcome, error) {
	return r.each(ctx, ids, func(tx *db.Tx, j *ent.Job) error {
		if err := notClaimed(j); err != nil {
			return err
		}
		c, err := Computer(ctx, tx.Client(), to)
		if err != nil {
			return err
		}
		k, err := loadCapacity(ctx, tx.Client(), tx, r.DB.Bind, c)
		if err != nil {
			return err
		}
		if _, _, possible := k.fits(j.Need); !possible {
			return fault.New(fault.ComputerNotAvailable, "The computer %q has not the GPUs this job asks for.", c.Name)
		}
		j.ComputerID = c.ID
		if err := r.requeue(ctx, tx, j, tx.Job.UpdateOne(j).SetComputerID(c.ID)); err != nil {
			return err
		}
		return r.note(ctx, tx, j, timeline.Event{Type: "job.moved", Args: map[string]any{"computer": c.Name}})
	})
}
