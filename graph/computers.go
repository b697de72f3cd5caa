package graph

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"nightshift/ent"
	"nightshift/ent/computer"
	"nightshift/ent/gpu"
	"nightshift/ent/membership"
	"nightshift/ent/predicate"
	"nightshift/graph/model"
	"nightshift/server/access"
	"nightshift/server/db"
	"nightshift/server/fault"
	"nightshift/server/queue"
)

const maxJobsAtOnce = 10_000

// visibleComputers are the public ones and one's own; a worker's are those of its token.
func visibleComputers(v *access.Viewer) predicate.Computer {
	switch {
	case v.GlobalAdmin():
		return computer.IDGT(0)
	case v.Kind == access.Worker:
		return computer.IDIn(v.ComputerIDs...)
	}
	return computer.Or(computer.VisibilityEQ(computer.VisibilityPublic), computer.OwnerID(v.UserID()))
}

// computersPage lists computers by name.
func (r *Resolver) computersPage(ctx context.Context, first *int, after *string) (*model.ComputerConnection, error) {
	p, err := pageOf(first, after, nil, nil)
	if err != nil {
		return nil, err
	}
	all := r.DB.Computer.Query().Where(computer.DeletedAtIsNil(), visibleComputers(access.From(ctx)))
	q := all.Clone().WithGpus(func(g *ent.GpuQuery) { g.Order(gpu.ByNumber()) }).WithOwner()
	if p.after != 0 {
		last, err := r.DB.Computer.Get(ctx, p.after) // deleted ones are still there
		if ent.IsNotFound(err) {
			return nil, fault.Invalid("after", "This cursor was not made by this list.")
		} else if err != nil {
			return nil, err
		}
		q.Where(computer.Or(computer.NameGT(last.Name), computer.And(computer.Name(last.Name), computer.IDGT(last.ID))))
	}
	cs, err := q.Order(computer.ByName(), computer.ByID()).Limit(p.size + 1).All(ctx)
	if err != nil {
		return nil, err
	}
	out := &model.ComputerConnection{Nodes: cs[:min(len(cs), p.size)], PageInfo: &model.PageInfo{HasNextPage: len(cs) > p.size, HasPreviousPage: p.after > 0}}
	for _, c := range out.Nodes {
		out.Edges = append(out.Edges, &model.ComputerEdge{Cursor: cursorOf(c.ID), Node: c})
	}
	if n := len(out.Nodes); n > 0 {
		out.PageInfo.StartCursor, out.PageInfo.EndCursor = &out.Edges[0].Cursor, &out.Edges[n-1].Cursor
	}
	if asks(ctx, "totalCount") {
		n, err := all.Count(ctx)
		if err != nil {
			return nil, err
		}
		out.TotalCount = &n
	}
	loadsOf(ctx).expect(out.Nodes)
	return out, nil
}

// findComputer finds a computer by its id or name: the id first, one's own first, those that are deleted last.
func (r *Resolver) findComputer(ctx context.Context, id string) (*ent.Computer, error) {
	if strings.ContainsRune(id, 0) {
		return nil, nil
	}
	v, key := access.From(ctx), queue.ID(id)
	cs, err := r.DB.Computer.Query().Where(computer.Or(computer.ID(key), computer.Name(id)), visibleComputers(v)).
		WithGpus(func(g *ent.GpuQuery) { g.Order(gpu.ByNumber()) }).WithOwner().Order(computer.ByID()).Limit(100).All(ctx)
	if err != nil || len(cs) == 0 {
		return nil, err
	}
	rank := func(c *ent.Computer) (n int) {
		if c.ID == key {
			n -= 4
		}
		if c.DeletedAt != nil {
			n += 2
		}
		if c.OwnerID != nil && *c.OwnerID == v.UserID() {
			n--
		}
		return n
	}
	best := slices.MinFunc(cs, func(a, b *ent.Computer) int { return rank(a) - rank(b) })
	loadsOf(ctx).expect([]*ent.Computer{best})
	return best, nil
}

func (r *Resolver) gpusOn(ctx context.Context, c *ent.Computer) ([]*ent.Gpu, error) {
	if gs, err := c.Edges.GpusOrErr(); err == nil {
		return gs, nil
	}
	gs, err := r.DB.Gpu.Query().Where(gpu.ComputerID(c.ID)).Order(gpu.ByNumber()).All(ctx)
	loadsOf(ctx).expectHolders(gs)
	return gs, err
}

// projectID is the project a question about workers is for; 0 means every one, for global administrators.
func (r *Resolver) projectID(ctx context.Context, key *string) (int64, error) {
	if key != nil {
		return r.projectKeyed(ctx, *key)
	}
	if !access.From(ctx).GlobalAdmin() {
		return 0, fault.Invalid("project", "Name the project whose workers are meant.")
	}
	return 0, nil
}

func (r *Resolver) workersOf(ctx context.Context, c *ent.Computer, key *string) ([]*ent.Worker, error) {
	p, err := r.projectID(ctx, key)
	if err != nil {
		return nil, err
	}
	ws, err := r.workersFor(ctx, c.ID, p)
	return ws[:min(len(ws), 200)], err
}

func (r *Resolver) workerState(ctx context.Context, c *ent.Computer, key *string) (model.WorkerState, *time.Time, error) {
	p, err := r.projectID(ctx, key)
	if err != nil {
		return "", nil, err
	}
	ws, err := r.workersFor(ctx, c.ID, p)
	if err != nil {
		return "", nil, err
	}
	state, last, _ := r.Queue.StateOf(c, ws)
	if last.IsZero() {
		return model.WorkerState(state), nil, nil
	}
	return model.WorkerState(state), &last, nil
}

// computerName: a name of digits only could be taken for an id.
func computerName(name string) (string, error) {
	name = strings.TrimSpace(name)
	bad := func(c rune) bool { return unicode.IsControl(c) || unicode.IsSpace(c) || c == unicode.ReplacementChar }
	if name == "" || len(name) > 64 || strings.IndexFunc(name, bad) >= 0 || strings.Trim(name, "0123456789") == "" {
		return "", fault.Invalid("name", "A computer's name has 1 to 64 characters without spaces, not digits alone.")
	}
	return name, nil
}

// workFolder checks a folder on the computer; "" means the worker user's home.
func workFolder(folder string) (string, error) {
	folder = strings.TrimSpace(folder)
	home := folder == "~" || strings.HasPrefix(folder, "~/")
	if folder != "" && !home && !path.IsAbs(folder) || len(folder) > 4096 || strings.IndexFunc(folder, unicode.IsControl) >= 0 {
		return "", fault.Invalid("workFolder", "The work folder is an absolute path on the computer, or starts with ~/.")
	}
	return folder, nil
}

// mayCreate: editors register clusters of their own, global administrators everything.
func mayCreate(v *access.Viewer, in model.CreateComputerInput) error {
	if v.GlobalAdmin() {
		return nil
	}
	if in.Visibility == computer.VisibilityPublic || in.Kind != computer.KindSite {
		return fault.Denied("Only global administrators, signed in with a browser, create public computers and those of kind LOCAL or SSH.")
	}
	for _, role := range v.Roles {
		if role != membership.RoleViewer {
			return nil
		}
	}
	return fault.Denied("Only those who may launch jobs in a project create computers.")
}

func (r *Resolver) createComputer(ctx context.Context, in model.CreateComputerInput) (*model.CreateComputerPayload, error) {
	v := access.From(ctx)
	if err := mayCreate(v, in); err != nil {
		return nil, err
	}
	name, err := computerName(in.Name)
	if err != nil {
		return nil, err
	}
	folder, err := workFolder(value(in.WorkFolder))
	if err != nil {
		return nil, err
	}
	if in.MaxJobs != nil && (*in.MaxJobs < 1 || *in.MaxJobs > maxJobsAtOnce) {
		return nil, fault.Invalid("maxJobs", "The limit of jobs at once is 1 to %d, or left out for none.", maxJobsAtOnce)
	}
	if err := goodGPUs(in.Gpus); err != nil {
		return nil, err
	}
	var c *ent.Computer
	err = r.DB.InTx(ctx, func(tx *db.Tx) error {
		if err := freeName(ctx, tx, name, v.UserID(), 0); err != nil {
			return err
		}
		q := tx.Computer.Create().SetName(name).SetKind(in.Kind).SetVisibility(in.Visibility).SetOwnerID(v.UserID()).SetNillableMaxJobs(in.MaxJobs)
		if folder != "" {
			q.SetWorkFolder(folder)
		}
		if c, err = q.Save(ctx); err != nil {
			return err
		}
		gs := make([]*ent.GpuCreate, len(in.Gpus))
		for i, g := range in.Gpus {
			gs[i] = tx.Gpu.Create().SetComputerID(c.ID).SetNumber(g.Index).SetName(g.Name).SetUUID(value(g.UUID)).SetNillableMemoryMib(g.MemoryMib)
		}
		return tx.Gpu.CreateBulk(gs...).Exec(ctx)
	})
	if err != nil {
		return nil, err
	}
	return &model.CreateComputerPayload{Computer: c.Unwrap()}, nil
}

func goodGPUs(gs []*model.GpuInput) error {
	seen := map[int]bool{}
	for _, g := range gs {
		switch {
		case g.Index < 0 || g.Index > 62:
			return fault.Invalid("gpus", "A computer has at most 63 GPUs, numbered from 0.")
		case seen[g.Index]:
			return fault.Invalid("gpus", "GPU %d is listed twice.", g.Index)
		case g.MemoryMib != nil && *g.MemoryMib < 1:
			return fault.Invalid("gpus", "The memory of GPU %d is given in MiB, at least 1.", g.Index)
		case len(g.Name) > 128 || len(value(g.UUID)) > 128 || strings.IndexFunc(g.Name+value(g.UUID), unicode.IsControl) >= 0:
			return fault.Invalid("gpus", "The name of GPU %d is one line of at most 128 characters.", g.Index)
		}
		seen[g.Index] = true
	}
	return nil
}

// freeName makes sure that an owner's computers have different names, also when two are created at once.
func freeName(ctx context.Context, tx *db.Tx, name string, owner, but int64) error {
	if tx.Postgres() {
		if _, err := tx.Exec(ctx, `SELECT id FROM users WHERE id = ? FOR UPDATE`, owner); err != nil {
			return err
		}
	}
	taken, err := tx.Computer.Query().Where(computer.Name(name), computer.OwnerID(owner), computer.DeletedAtIsNil(), computer.IDNEQ(but)).Exist(ctx)
	if err == nil && taken {
		err = fault.New(fault.Conflict, "Its owner has a computer named %q already.", name)
	}
	return err
}

func (r *Resolver) updateComputer(ctx context.Context, in model.UpdateComputerInput) (*model.UpdateComputerPayload, error) {
	v := access.From(ctx)
	var c *ent.Computer
	err := r.DB.InTx(ctx, func(tx *db.Tx) (err error) {
		c, err = tx.Computer.Query().Where(computer.ID(queue.ID(in.ComputerID)), computer.DeletedAtIsNil(), visibleComputers(v)).Only(ctx)
		if ent.IsNotFound(err) {
			return fault.Missing("computer")
		} else if err != nil {
			return err
		}
		if !v.MayManage(c) {
			return fault.Denied("Only the owner of %q or a global administrator can change it.", c.Name)
		}
		u, err := change(ctx, tx, v, c, in)
		if err != nil {
			return err
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

func change(ctx context.Context, tx *db.Tx, v *access.Viewer, c *ent.Computer, in model.UpdateComputerInput) (*ent.ComputerUpdateOne, error) {
	u := tx.Computer.UpdateOne(c).SetNillableEnabled(in.Enabled)
	if in.Name != nil {
		name, err := computerName(*in.Name)
		if err != nil {
			return nil, err
		}
		if c.OwnerID != nil {
			if err := freeName(ctx, tx, name, *c.OwnerID, c.ID); err != nil {
				return nil, err
			}
		}
		u.SetName(name)
	}
	if in.MaxJobs != nil {
		switch n := *in.MaxJobs; {
		case n < 0 || n > maxJobsAtOnce:
			return nil, fault.Invalid("maxJobs", "The limit of jobs at once is 1 to %d, or 0 for none.", maxJobsAtOnce)
		case n == 0:
			u.ClearMaxJobs()
		default:
			u.SetMaxJobs(n)
		}
	}
	if in.WorkFolder != nil {
		folder, err := workFolder(*in.WorkFolder)
		if err != nil {
			return nil, err
		}
		if folder == "" {
			u.ClearWorkFolder()
		} else {
			u.SetWorkFolder(folder)
		}
	}
	if in.Visibility != nil && *in.Visibility != c.Visibility {
		if *in.Visibility == computer.VisibilityPublic && !v.GlobalAdmin() {
			return nil, fault.Denied("Only global administrators make a computer public.")
		}
		u.SetVisibility(*in.Visibility)
	}
	return u, nil
}

func (r *Resolver) createWorkerToken(ctx context.Context, in model.CreateWorkerTokenInput) (*model.CreateWorkerTokenPayload, error) {
	t, computers, secret, err := r.Auth.CreateWorkerToken(ctx, in.Project, in.Computers, value(in.Name), in.ExpiresInDays)
	if err != nil {
		return nil, err
	}
	return &model.CreateWorkerTokenPayload{Token: t, Secret: secret, SetupCommands: setupCommands(r.Auth.BaseURL, secret, computers)}, nil
}

// setupCommands are pasted into a shell on the computer. The secret goes through standard input into a file only its owner reads: a
// command's arguments can be seen by everybody there.
func setupCommands(url, secret string, computers []*ent.Computer) []string {
	const file = "~/.config/nightshift/worker.token"
	out := []string{"mkdir -p ~/.config/nightshift && (umask 077; cat > " + file + ") <<'TOKEN'\n" + secret + "\nTOKEN"}
	for _, c := range computers {
		out = append(out, fmt.Sprintf("nightshift worker --url %s --token-file %s --computer %s", quoted(url), file, quoted(c.Name)))
	}
	return out
}

// quoted is a word as a shell reads it.
func quoted(s string) string {
	special := func(c rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/:", c)
	}
	if s != "" && strings.IndexFunc(s, special) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
