package graph

import (
	"context"

	"nightshift/graph/model"
	"nightshift/server/db"
	"nightshift/server/queue"
)

func held(in []*model.LeasedJob) []queue.Held {
	out := make([]queue.Held, len(in))
	for i, j := range in {
		out[i] = queue.Held{Job: j.JobID, Lease: j.Lease}
	}
	return out
}

func orNone(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

func gpusOf(in []*model.GpuInput) (out []queue.GPU) {
	for _, g := range in {
		out = append(out, queue.GPU{Number: g.Index, Name: g.Name, UUID: value(g.UUID), MemoryMiB: g.MemoryMib})
	}
	return out
}

func (r *Resolver) register(ctx context.Context, in model.RegisterWorkerInput) (*model.RegisterWorkerPayload, error) {
	reg, err := r.Queue.Register(ctx, queue.Registration{
		Name: in.Name, Computer: in.Computer, Hostname: in.Hostname, HostID: in.HostID, BootID: in.BootID, InstanceID: in.InstanceID,
		Version: in.Version, Runtimes: in.Runtimes, GPUs: gpusOf(in.Gpus), CPUCount: in.CPUCount, MemoryMiB: in.MemoryMib, Known: in.KnownJobIds,
	})
	if err != nil {
		return nil, err
	}
	return &model.RegisterWorkerPayload{
		Worker: reg.Worker, HeartbeatSeconds: int(queue.HeartbeatEvery.Seconds()), LostJobIds: orNone(reg.Lost), KeptJobIds: orNone(reg.Kept),
	}, nil
}

func (r *Resolver) claim(ctx context.Context, in model.ClaimJobsInput) (*model.ClaimJobsPayload, error) {
	claimed, err := r.Queue.Claim(ctx, in.WorkerID, in.InstanceID, in.Max)
	if err != nil {
		return nil, err
	}
	out := &model.ClaimJobsPayload{Jobs: []*model.ClaimedJob{}}
	if len(claimed) == 0 {
		return out, nil
	}
	p, err := r.DB.Project.Get(ctx, claimed[0].Job.ProjectID)
	if err != nil {
		return nil, err
	}
	comp, err := r.DB.Computer.Get(ctx, claimed[0].Job.ComputerID)
	if err != nil {
		return nil, err
	}
	for _, c := range claimed {
		if c.Job.WorkingDirectory == nil {
			c.Job.WorkingDirectory = comp.WorkFolder // null: the worker's own default
		}
		secrets, gpus := c.Secrets, c.GPUs
		if secrets == nil {
			secrets = map[string]string{}
		}
		if gpus == nil {
			gpus = []int{}
		}
		j := &model.ClaimedJob{
			JobID: c.Job.UUID, RunID: c.Run.UUID, Project: p.Key, Lease: c.Lease, JobToken: c.JobToken, RunName: c.Job.RunName, Kind: c.Job.Kind,
			Attempt: c.Job.Attempt, Command: c.Job.Command, WorkingDirectory: c.Job.WorkingDirectory, Parameters: c.Run.Parameters,
			Environment: c.Job.Environment, SecretEnvironment: secrets, GpuIndices: gpus, TimeLimitSeconds: c.Job.TimeLimitSeconds,
			GraceSeconds: int(queue.Grace.Seconds()), ArrayIndex: c.Job.ArrayIndex,
		}
		if c.Array != nil {
			j.ArraySize = &c.Array.Size
		}
		out.Jobs = append(out.Jobs, j)
	}
	return out, nil
}

func (r *Resolver) heartbeat(ctx context.Context, in model.HeartbeatInput) (*model.HeartbeatPayload, error) {
	answers, err := r.Queue.Heartbeat(ctx, in.WorkerID, in.InstanceID, in.Draining, held(in.Jobs))
	if err != nil {
		return nil, err
	}
	out := &model.HeartbeatPayload{Jobs: []*model.JobHeartbeat{}, ServerTime: db.Now()}
	for _, j := range in.Jobs {
		out.Jobs = append(out.Jobs, &model.JobHeartbeat{JobID: j.JobID, Answer: model.HeartbeatAnswer(answers[j.JobID])})
	}
	return out, nil
}

// listen nudges a worker; while it listens, no other process may take its identity.
func (r *Resolver) listen(ctx context.Context, worker string) (<-chan *model.WorkAvailable, error) {
	w, err := r.Queue.Self(ctx, worker)
	if err != nil {
		return nil, err
	}
	gone := r.Queue.Present(w.ID, w.InstanceID)
	ch, err := r.watchWork(ctx, w)
	if err != nil {
		gone()
		return nil, err
	}
	context.AfterFunc(ctx, gone)
	return ch, nil
}
