package graph

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"

	"nightshift/ent"
	"nightshift/ent/computer"
	"nightshift/ent/gpu"
	"nightshift/ent/project"
	"nightshift/ent/worker"
	"nightshift/graph/model"
	"nightshift/server/access"
	"nightshift/server/db"
	"nightshift/server/fault"
	"nightshift/server/queue"
)

// computersPage lists computers by name; visible are those the viewer may use, or, on the page of all, every public and own one.
func (r *Resolver) computersPage(ctx context.Context, first *int, after *string) (*model.ComputerConnection, error) {
	p, err := pageOf(first, after, nil, nil)
	if err != nil {
		return nil, err
	}
	v := access.From(ctx)
	q := r.DB.Computer.Query().Where(computer.DeletedAtIsNil(), computer.IDGT(p.after)).WithGpus(func(g *ent.GpuQuery) { g.Order(gpu.ByNumber()) }).WithOwner()
	if !v.GlobalAdmin() {
		q.Where(computer.Or(computer.VisibilityEQ(computer.VisibilityPublic), computer.OwnerID(v.UserID())))
	}
	cs, err := q.Order(computer.ByID()).Limit(p.size + 1).All(ctx)
	if err != nil {
		return nil, err
	}
	out := &model.ComputerConnection{Nodes: cs[:min(len(cs), p.size)], PageInfo: &model.PageInfo{HasNextPage: len(cs) > p.size, HasPreviousPage: p.after > 0}}
	for _, c := range out.Nodes {
		out.Edges = append(out.Edges, &model.ComputerEdge{Cursor: cursorOf(c.ID), Node: c})
	}
	if n := len(out.Nodes); n > 0 {
		end := cursorOf(out.Nodes[n-1].ID)
		out.PageInfo.EndCursor = &end
	}
	return out, nil
}

func (r *Resolver) findComputer(ctx context.Context, id string) (*ent.Computer, error) {
	v := access.From(ctx)
	cs, err := r.DB.Computer.Query().Where(computer.Or(computer.ID(queue.ID(id)), computer.Name(id))).Order(computer.ByID()).Limit(20).All(ctx)
	for _, c := range cs {
		if v.MayUse(c) || v.MayManage(c) {
			return c, err
		}
	}
	return nil, err
}

func (r *Resolver) gpusOn(ctx context.Context, c *ent.Computer) ([]*ent.Gpu, error) {
	if gs, err := c.Edges.GpusOrErr(); err == nil {
		return gs, nil
	}
	return r.DB.Gpu.Query().Where(gpu.ComputerID(c.ID)).Order(gpu.ByNumber()).All(ctx)
}

// heldBy is the job that holds a GPU, where the viewer may see it.
func (r *Resolver) heldBy(ctx context.Context, g *ent.Gpu) (*ent.Job, error) {
	if g.JobID == nil {
		return nil, nil
	}
	j, err := r.DB.Job.Get(ctx, *g.JobID)
	return j, ent.MaskNotFound(err)
}

func (r *Resolver) activeJobs(ctx context.Context, c *ent.Computer) (n int, err error) {
	rows, err := r.DB.Query(ctx, `SELECT count(*) FROM slots WHERE computer_id = ?`, c.ID)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	if rows.Next() {
		err = rows.Scan(&n)
	}
	return n, err
}

// projectID is the project a question about workers is for; 0 means every one, for global administrators.
func (r *Resolver) projectID(ctx context.Context, key *string) (int64, error) {
	if key == nil {
		if !access.From(ctx).GlobalAdmin() {
			return 0, fault.Invalid("project", "Name the project whose workers are meant.")
		}
		return 0, nil
	}
	id, err := r.DB.Project.Query().Where(project.Key(*key)).OnlyID(ctx)
	if ent.IsNotFound(err) {
		return 0, fault.Missing("project")
	}
	return id, err
}

func (r *Resolver) workersOf(ctx context.Context, c *ent.Computer, key *string) ([]*ent.Worker, error) {
	p, err := r.projectID(ctx, key)
	if err != nil {
		return nil, err
	}
	q := r.DB.Worker.Query().Where(worker.ComputerID(c.ID)).WithProject().Order(worker.ByName()).Limit(200)
	if p != 0 {
		q.Where(worker.ProjectID(p))
	}
	return q.All(ctx)
}

func (r *Resolver) workerState(ctx context.Context, c *ent.Computer, key *string) (model.WorkerState, *time.Time, error) {
	p, err := r.projectID(ctx, key)
	if err != nil {
		return "", nil, err
	}
	state, last, _, err := r.Queue.Workers(ctx, c, p)
	if last.IsZero() {
		return model.WorkerState(state), nil, err
	}
	return model.WorkerState(state), &last, err
}

func computerName(name string) (string, error) {
	name = strings.TrimSpace(name)
	if name == "" || len(name) > 64 || strings.IndexFunc(name, func(c rune) bool { return unicode.IsControl(c) || unicode.IsSpace(c) }) >= 0 {
		return "", fault.Invalid("name", "A computer's name has 1 to 64 characters without spaces.")
	}
	return name, nil
}

func (r *Resolver) createComputer(ctx context.Context, in model.CreateComputerInput) (*model.CreateComputerPayload, error) {
	v := access.From(ctx)
	if !v.GlobalAdmin() && (in.Visibility == computer.VisibilityPublic || in.Kind != computer.KindSite) {
		return nil, fault.Denied("Only global administrators, signed in with a browser, create public computers and those of kind LOCAL or SSH.")
	}
	name, err := computerName(in.Name)
	if err != nil {
		return nil, err
	}
	if in.MaxJobs != nil && (*in.MaxJobs < 1 || *in.MaxJobs > 10_000) {
		return nil, fault.Invalid("maxJobs", "The limit of jobs at once is 1 to 10,000, or left out for none.")
	}
	var c *ent.Computer
	err = r.DB.InTx(ctx, func(tx *db.Tx) error {
		if err := freeName(ctx, tx, name, v.UserID(), 0); err != nil {
			return err
		}
		c, err = tx.Computer.Create().SetName(name).SetKind(in.Kind).SetVisibility(in.Visibility).SetOwnerID(v.UserID()).
			SetNillableMaxJobs(in.MaxJobs).SetNillableWorkFolder(in.WorkFolder).Save(ctx)
		if err != nil {
			return err
		}
		for _, g := range in.Gpus {
			if g.Index < 0 || g.Index > 62 {
				return fault.Invalid("gpus", "A computer has at most 63 GPUs, numbered from 0.")
			}
			if err := tx.Gpu.Create().SetComputerID(c.ID).SetNumber(g.Index).SetName(g.Name).SetUUID(value(g.UUID)).SetNillableMemoryMib(g.MemoryMib).Exec(ctx); err != nil {
				if db.IsUnique(err) {
					return fault.Invalid("gpus", "GPU %d is listed twice.", g.Index)
				}
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &model.CreateComputerPayload{Computer: c.Unwrap()}, nil
}

func freeName(ctx context.Context, tx *db.Tx, name string, owner, but int64) error {
	taken, err := tx.Computer.Query().Where(computer.Name(name), computer.OwnerID(owner), computer.DeletedAtIsNil(), computer.IDNEQ(but)).Exist(ctx)
	if err == nil && taken {
		err = fault.New(fault.Conflict, "You have a computer named %q already.", name)
	}
	return err
}

func (r *Resolver) updateComputer(ctx context.Context, in model.UpdateComputerInput) (*model.UpdateComputerPayload, error) {
	v := access.From(ctx)
	var c *ent.Computer
	err := r.DB.InTx(ctx, func(tx *db.Tx) (err error) {
		c, err = tx.Computer.Get(ctx, queue.ID(in.ComputerID))
		if ent.IsNotFound(err) || err == nil && !v.MayUse(c) && !v.MayManage(c) {
			return fault.Missing("computer")
		} else if err != nil {
			return err
		}
		if !v.MayManage(c) {
			return fault.Denied("Only the owner of %q or a global administrator can change it.", c.Name)
		}
		u := tx.Computer.UpdateOne(c).SetNillableEnabled(in.Enabled)
		if in.Name != nil {
			name, err := computerName(*in.Name)
			if err != nil {
				return err
			}
			if c.OwnerID != nil {
				if err := freeName(ctx, tx, name, *c.OwnerID, c.ID); err != nil {
					return err
				}
			}
			u.SetName(name)
		}
		if in.MaxJobs != nil {
			if *in.MaxJobs < 0 || *in.MaxJobs > 10_000 {
				return fault.Invalid("maxJobs", "The limit of jobs at once is 1 to 10,000, or 0 for none.")
			}
			if *in.MaxJobs == 0 {
				u.ClearMaxJobs()
			} else {
				u.SetMaxJobs(*in.MaxJobs)
			}
		}
		if in.WorkFolder != nil {
			f := strings.TrimSpace(*in.WorkFolder)
			if f == "" {
				u.ClearWorkFolder()
			} else if f[0] != '/' && f[0] != '~' {
				return fault.Invalid("workFolder", "The work folder is an absolute path on the computer, or starts with ~/.")
			} else {
				u.SetWorkFolder(f)
			}
		}
		if in.Visibility != nil {
			if *in.Visibility == computer.VisibilityPublic && !v.GlobalAdmin() {
				return fault.Denied("Only global administrators make a computer public.")
			}
			u.SetVisibility(*in.Visibility)
		}
		c, err = u.Save(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	r.Queue.Nudge(c.ID)
	return &model.UpdateComputerPayload{Computer: c.Unwrap()}, nil
}

func (r *Resolver) createWorkerToken(ctx context.Context, in model.CreateWorkerTokenInput) (*model.CreateWorkerTokenPayload, error) {
	t, secret, err := r.Auth.CreateWorkerToken(ctx, in.Project, in.Computers, value(in.Name), in.ExpiresInDays)
	if err != nil {
		return nil, err
	}
	c, err := r.findComputer(ctx, in.Computers[0])
	if err != nil {
		return nil, err
	}
	name := in.Computers[0]
	if c != nil {
		name = c.Name
	}
	quoted := "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
	return &model.CreateWorkerTokenPayload{Token: t, Secret: secret, SetupCommands: []string{
		"mkdir -p ~/.config/nightshift && (umask 077; cat > ~/.config/nightshift/worker.token) <<'TOKEN'\n" + secret + "\nTOKEN",
		fmt.Sprintf("nightshift worker --url %s --token-file ~/.config/nightshift/worker.token --computer %s", r.Auth.BaseURL, quoted),
	}}, nil
}
