package queue

import (
	"context"
	"time"

	"nightshift/ent"
	"nightshift/ent/job"
	"nightshift/ent/project"
	"nightshift/server/access"
	"nightshift/server/db"
)

// Sweep does what time alone brings about, every few seconds, until ctx ends. Its updates are conditional: every server may run it.
func (r *Room) Sweep(ctx context.Context) {
	ctx = access.AsSystem(ctx)
	t := time.NewTicker(5 * time.Second)
	defer t.Stop()
	for n := 0; ; n++ {
		if err := r.SweepOnce(ctx, n%120 == 0); err != nil && ctx.Err() == nil {
			r.Log.Error("sweep of the queue failed; it is tried again", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
	}
}

// SweepOnce is one round; seldom adds what is done every ten minutes.
func (r *Room) SweepOnce(ctx context.Context, seldom bool) error {
	if err := r.silent(ctx); err != nil {
		return err
	}
	if err := r.lost(ctx); err != nil {
		return err
	}
	if !seldom {
		return nil
	}
	return r.DB.InTx(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE jobs SET request_id = NULL, request_hash = NULL WHERE request_id IS NOT NULL AND created_at < ?`, r.now().Add(-24*time.Hour))
		return err
	})
}

// lost ends jobs without response where their project asked for it.
func (r *Room) lost(ctx context.Context) error {
	ps, err := r.DB.Project.Query().Where(project.LostAfterSecondsNotNil()).All(ctx)
	if err != nil {
		return err
	}
	for _, p := range ps {
		limit := r.now().Add(-time.Duration(*p.LostAfterSeconds) * time.Second)
		err := r.DB.InTx(ctx, func(tx *db.Tx) error {
			js, err := lock(ctx, tx, func(q *ent.JobQuery) {
				q.Where(job.WorkerIDNotNil(), job.ProjectID(p.ID), job.NoResponse(true), job.HeartbeatAtLT(limit)).Limit(100)
			})
			if err != nil {
				return err
			}
			for _, j := range js {
				e := workerLost(j, "no_response")
				e.text = "Its worker has not answered for longer than this project allows."
				if err := r.end(ctx, tx, j, e); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
