package queue

import (
	"context"
	"slices"

	"nightshift/ent"
	"nightshift/ent/computer"
	"nightshift/ent/gpu"
	"nightshift/ent/job"
	"nightshift/ent/worker"
	"nightshift/server/access"
	"nightshift/server/db"
	"nightshift/server/fault"
)

// Registration is how a worker introduces itself.
type Registration struct {
	Name, Computer, Hostname, HostID, BootID, InstanceID, Version string
	Runtimes                                                      []string
	GPUs                                                          []GPU
	CPUCount, MemoryMiB                                           *int
	Known                                                         []string
}

// GPU is one GPU as a worker or a person describes it.
type GPU struct {
	Number    int
	Name      string
	UUID      string
	MemoryMiB *int
}

// Registered is the worker's row and which of its known jobs are still its own.
type Registered struct {
	Worker     *ent.Worker
	Kept, Lost []string
}

// Register writes the worker's row and settles what it knows against what the server thinks it has: a job it does not know was never
// started there (back to the queue) or died with it (WORKER_LOST).
func (r *Room) Register(ctx context.Context, in Registration) (Registered, error) {
	var out Registered
	if in.Name == "" || len(in.Name) > 128 || in.InstanceID == "" || in.HostID == "" {
		return out, fault.Invalid("name", "A worker registers with a name of at most 128 characters, an instanceId and a hostId.")
	}
	err := r.DB.InTx(ctx, func(tx *db.Tx) error {
		out = Registered{}
		v := access.From(ctx)
		c, err := tx.Computer.Query().Where(computer.IDIn(v.ComputerIDs...), computer.DeletedAtIsNil(),
			computer.Or(computer.Name(in.Computer), computer.ID(ID(in.Computer)))).First(ctx)
		if ent.IsNotFound(err) {
			return fault.New(fault.NotFound, "This worker token is not for a computer named %q.", in.Computer)
		} else if err != nil {
			return err
		}
		if c, err = r.bind(ctx, tx, c, in); err != nil {
			return err
		}
		w, before, err := r.writeWorker(ctx, tx, v, c, in)
		if err != nil {
			return err
		}
		out.Worker = w
		return r.reconcile(ctx, tx, w, before, in, &out)
	})
	return out, err
}

// bind ties a LOCAL computer to the host of its first worker and keeps what the host has.
func (r *Room) bind(ctx context.Context, tx *db.Tx, c *ent.Computer, in Registration) (*ent.Computer, error) {
	if c.Kind == computer.KindLocal && c.HostID != nil && *c.HostID != in.HostID {
		return nil, fault.New(fault.Conflict, "The computer %q belongs to another host. Create a computer for this host, or move it: nightshift admin computer rebind %s.", c.Name, c.Name)
	}
	u := tx.Computer.UpdateOne(c).SetRuntimes(in.Runtimes).SetNillableCPUCount(in.CPUCount).SetNillableMemoryMib(in.MemoryMiB)
	if c.Kind == computer.KindLocal {
		u.SetHostID(in.HostID)
	}
	known, err := tx.Gpu.Query().Where(gpu.ComputerID(c.ID)).All(ctx)
	if err != nil {
		return nil, err
	}
	for _, g := range in.GPUs {
		if g.Number < 0 || g.Number > 62 {
			return nil, fault.Invalid("gpus", "A computer has at most 63 GPUs, numbered from 0.")
		}
		if i := slices.IndexFunc(known, func(k *ent.Gpu) bool { return k.Number == g.Number }); i >= 0 {
			if err := tx.Gpu.UpdateOne(known[i]).SetName(g.Name).SetUUID(g.UUID).SetNillableMemoryMib(g.MemoryMiB).Exec(ctx); err != nil {
				return nil, err
			}
			continue
		}
		if err := tx.Gpu.Create().SetComputerID(c.ID).SetNumber(g.Number).SetName(g.Name).SetUUID(g.UUID).SetNillableMemoryMib(g.MemoryMiB).Exec(ctx); err != nil {
			return nil, err
		}
	}
	return u.Save(ctx)
}

func (r *Room) writeWorker(ctx context.Context, tx *db.Tx, v *access.Viewer, c *ent.Computer, in Registration) (w, before *ent.Worker, err error) {
	before, err = tx.Worker.Query().Where(worker.ComputerID(c.ID), worker.ProjectID(v.ProjectID), worker.Name(in.Name)).Only(ctx)
	if ent.IsNotFound(err) {
		w, err = tx.Worker.Create().SetComputerID(c.ID).SetProjectID(v.ProjectID).SetTokenID(v.TokenID).SetName(in.Name).SetHostname(in.Hostname).
			SetHostID(in.HostID).SetBootID(in.BootID).SetInstanceID(in.InstanceID).SetVersion(in.Version).SetStartedAt(r.now()).SetLastSeenAt(r.now()).Save(ctx)
		return w, nil, err
	} else if err != nil {
		return nil, nil, err
	}
	if before.InstanceID != in.InstanceID && r.otherPresent(before.ID, in.InstanceID) {
		return nil, nil, fault.New(fault.Conflict, "A worker named %q is already running for this computer on %s. Stop it, or start this one with another --name.", in.Name, before.Hostname)
	}
	w, err = tx.Worker.UpdateOne(before).SetTokenID(v.TokenID).SetHostname(in.Hostname).SetHostID(in.HostID).SetBootID(in.BootID).
		SetInstanceID(in.InstanceID).SetVersion(in.Version).SetDraining(false).SetStartedAt(r.now()).SetLastSeenAt(r.now()).SetOfflineNoted(false).Save(ctx)
	return w, before, err
}

func (r *Room) reconcile(ctx context.Context, tx *db.Tx, w, before *ent.Worker, in Registration, out *Registered) error {
	mine, err := lock(ctx, tx, func(q *ent.JobQuery) { q.Where(job.WorkerID(w.ID)) })
	if err != nil {
		return err
	}
	for _, j := range mine {
		switch {
		case slices.Contains(in.Known, j.UUID):
			out.Kept = append(out.Kept, j.UUID)
		case j.Status == job.StatusAssigned:
			err = r.unassign(ctx, tx, j, w.Name, "restarted")
		default:
			reason := "unknown"
			if before != nil && before.BootID != in.BootID {
				reason = "rebooted"
			}
			err = r.end(ctx, tx, j, workerLost(j, reason))
		}
		if err != nil {
			return err
		}
	}
	for _, uuid := range in.Known {
		if !slices.Contains(out.Kept, uuid) {
			out.Lost = append(out.Lost, uuid)
		}
	}
	return nil
}
