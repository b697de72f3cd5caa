package queue

import (
	"context"
	"slices"
	"time"

	"nightshift/ent"
	"nightshift/ent/job"
	"nightshift/ent/worker"
	"nightshift/server/access"
	"nightshift/server/db"
	"nightshift/server/fault"
	"nightshift/server/timeline"
	"nightshift/server/token"
)

// Held is a job with the lease that its worker holds.
type Held struct{ Job, Lease string }

// Answer tells a worker what to do with a job it holds.
type Answer string

// The answers to a heartbeat.
const (
	Keep Answer = "KEEP"
	Stop Answer = "STOP"
	Kill Answer = "KILL"
	Lost Answer = "LOST"
)

// self is the worker that asks: of the token's project, on one of its computers, and the process that registered last.
func (r *Room) self(ctx context.Context, c *ent.Client, id, instance string) (*ent.Worker, error) {
	v := access.From(ctx)
	w, err := c.Worker.Query().Where(worker.ID(ID(id))).Only(ctx)
	if ent.IsNotFound(err) || err == nil && (w.ProjectID != v.ProjectID || !slices.Contains(v.ComputerIDs, w.ComputerID)) {
		return nil, fault.Missing("worker")
	} else if err != nil {
		return nil, err
	}
	if instance != "" && w.InstanceID != instance {
		return nil, fault.New(fault.Conflict, "Another process has registered as this worker. Stop one of them, or give it another name.")
	}
	return w, nil
}

// CheckLease locks a job for a write of its worker, or of its own code. The lease is the fence: another one changes nothing.
func (r *Room) CheckLease(ctx context.Context, tx *db.Tx, uuid, lease string) (*ent.Job, error) {
	j, err := lockOne(ctx, tx, uuid)
	if err != nil {
		return nil, err
	}
	if v := access.From(ctx); v.Kind == access.Job {
		if v.JobID != j.ID {
			return nil, fault.Missing("job")
		}
		return j, nil
	}
	if j.LeaseHash == nil || !token.Matches(lease, *j.LeaseHash) {
		return nil, fault.New(fault.LeaseLost, "This worker no longer holds the job.")
	}
	return j, nil
}

// Heartbeat keeps the leases of all of a worker's jobs with two writes, and answers for each of them.
func (r *Room) Heartbeat(ctx context.Context, id, instance string, draining bool, held []Held) (map[string]Answer, error) {
	out := map[string]Answer{}
	now := r.now()
	err := r.DB.InTx(ctx, func(tx *db.Tx) error {
		clear(out)
		w, err := r.self(ctx, tx.Client(), id, instance)
		if err != nil {
			return err
		}
		if err := tx.Worker.UpdateOne(w).SetLastSeenAt(now).SetDraining(draining).SetOfflineNoted(false).Exec(ctx); err != nil {
			return err
		}
		leases := map[string]string{}
		for _, h := range held {
			out[h.Job] = Lost
			leases[h.Job] = h.Lease
		}
		for part := range slices.Chunk(held, 500) {
			if err := r.beat(ctx, tx, part, leases, out, now); err != nil {
				return err
			}
		}
		return r.unheard(ctx, tx, w, leases, now)
	})
	return out, err
}

// claimArrives is how long an answer to a claim may be on its way.
const claimArrives = 30 * time.Second

// unheard puts back jobs that were assigned to a worker which does not know of them: the answer to its claim was lost.
func (r *Room) unheard(ctx context.Context, tx *db.Tx, w *ent.Worker, known map[string]string, now time.Time) error {
	js, err := lock(ctx, tx, func(q *ent.JobQuery) {
		q.Where(job.WorkerID(w.ID), job.StatusEQ(job.StatusAssigned), job.AssignedAtLT(now.Add(-claimArrives))).Limit(100)
	})
	if err != nil {
		return err
	}
	for _, j := range js {
		if _, ok := known[j.UUID]; ok {
			continue
		}
		if err := r.unassign(ctx, tx, j, w.Name, "claim_lost"); err != nil {
			return err
		}
	}
	return nil
}

func (r *Room) beat(ctx context.Context, tx *db.Tx, part []Held, leases map[string]string, out map[string]Answer, now time.Time) error {
	uuids := make([]string, len(part))
	for i, h := range part {
		uuids[i] = h.Job
	}
	js, err := tx.Job.Query().Where(job.UUIDIn(uuids...), job.StatusIn(job.StatusAssigned, job.StatusRunning)).Order(job.ByID()).
		Select(job.FieldID, job.FieldUUID, job.FieldProjectID, job.FieldAttempt, job.FieldLeaseHash, job.FieldStopRequestedAt, job.FieldKillRequested, job.FieldNoResponse).All(ctx)
	if err != nil {
		return err
	}
	var alive []int64
	for _, j := range js {
		if j.LeaseHash == nil || !token.Matches(leases[j.UUID], *j.LeaseHash) {
			continue
		}
		alive = append(alive, j.ID)
		out[j.UUID] = answer(j)
		if j.NoResponse {
			if err := r.note(ctx, tx, j, timeline.Event{Type: "job.response_regained"}); err != nil {
				return err
			}
		}
	}
	if len(alive) == 0 {
		return nil
	}
	return tx.Job.Update().Where(job.IDIn(alive...), job.StatusIn(job.StatusAssigned, job.StatusRunning)).SetHeartbeatAt(now).SetNoResponse(false).Exec(ctx)
}

func answer(j *ent.Job) Answer {
	switch {
	case j.KillRequested:
		return Kill
	case j.StopRequestedAt != nil:
		return Stop
	}
	return Keep
}

// Release puts assigned jobs back into the queue: the worker has started nothing of them. It tells which.
func (r *Room) Release(ctx context.Context, id string, held []Held) ([]string, error) {
	var out []string
	err := r.DB.InTx(ctx, func(tx *db.Tx) error {
		out = nil
		w, err := r.self(ctx, tx.Client(), id, "")
		if err != nil {
			return err
		}
		for _, h := range held {
			j, err := r.CheckLease(ctx, tx, h.Job, h.Lease)
			if fault.Is(err, fault.LeaseLost) || fault.Is(err, fault.NotFound) || err == nil && j.Status != job.StatusAssigned {
				continue
			} else if err != nil {
				return err
			}
			if err := r.unassign(ctx, tx, j, w.Name, "released"); err != nil {
				return err
			}
			out = append(out, j.UUID)
		}
		return nil
	})
	return out, err
}

// unassign takes a job that never started from its worker. A stop that was asked for meanwhile is carried out.
func (r *Room) unassign(ctx context.Context, tx *db.Tx, j *ent.Job, name, reason string) error {
	if j.StopRequestedAt != nil {
		return r.end(ctx, tx, j, canceledBeforeStart(j))
	}
	if err := mustMove(j.Status, job.StatusQueued); err != nil {
		return err
	}
	if err := r.giveBack(ctx, tx, j); err != nil {
		return err
	}
	chosen, _ := parseNeed(j.Need) // any n GPUs means any n again
	u := tx.Job.UpdateOne(j).SetStatus(job.StatusQueued).ClearWorkerID().ClearLeaseHash().ClearAssignedAt().ClearHeartbeatAt().
		SetNoResponse(false).SetGpuMask(int64(chosen)).ClearPhase()
	if err := r.requeue(ctx, tx, j, u); err != nil {
		return err
	}
	return r.note(ctx, tx, j, timeline.Event{Type: "job.unassigned", Args: map[string]any{"worker": name, "reason": reason}})
}

// Self is the worker that asks.
func (r *Room) Self(ctx context.Context, id string) (*ent.Worker, error) {
	return r.self(ctx, r.DB.Client, id, "")
}
