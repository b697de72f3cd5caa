package queue

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"nightshift/ent"
	"nightshift/ent/computer"
	"nightshift/ent/experiment"
	"nightshift/ent/job"
	"nightshift/ent/project"
	"nightshift/server/access"
	"nightshift/server/db"
	"nightshift/server/fault"
	"nightshift/server/timeline"
)

// Launch is what a person asks to be run.
type Launch struct {
	Project          string
	RequestID        string
	ExperimentID     string
	Name             string
	Kind             job.Kind
	Command          string
	WorkingDirectory string
	Parameters       map[string]any
	Tags             map[string]any
	Environment      map[string]string
	Secrets          map[string]string
	Computer         string
	GPUIDs           []string
	GPUCount         int
	TimeLimit        string
	MaxAttempts      int
	Priority         int
	Held             bool
	After, AfterAny  []string
}

// Launched is a job and whether an earlier request had made it.
type Launched struct {
	Job      *ent.Job
	Existing bool
}

// Launch creates the Run and the Job together, or neither. The same request id within 24 h returns the first result.
func (r *Room) Launch(ctx context.Context, in Launch) (Launched, error) {
	v := access.From(ctx)
	if v.Kind == access.Job {
		return Launched{}, fault.Denied("This job was not allowed to create child jobs.")
	}
	p, err := r.DB.Project.Query().Where(project.Key(in.Project)).Only(ctx)
	if ent.IsNotFound(err) {
		return Launched{}, fault.Missing("project")
	} else if err != nil {
		return Launched{}, err
	}
	if err := access.Require(ctx, access.Launch, p.ID); err != nil {
		return Launched{}, err
	}
	if err := in.check(); err != nil {
		return Launched{}, err
	}
	if in.Priority > 0 && !v.Can(access.Priority, p.ID) {
		return Launched{}, fault.Denied("Only project administrators may launch with a priority above 0.")
	}
	limit, err := ParseTimeLimit(in.TimeLimit)
	if err != nil {
		return Launched{}, err
	}
	n := newJob{Launch: in, projectID: p.ID, creator: v.UserID(), timeLimit: limit, attempt: 1}
	if in.RequestID != "" {
		n.requestHash = in.hash()
	}
	var out Launched
	err = r.DB.InTx(ctx, func(tx *db.Tx) error {
		out = Launched{}
		if old, err := r.sameRequest(ctx, tx, n); old != nil || err != nil {
			out = Launched{old, true}
			return err
		}
		j, err := r.create(ctx, tx, n)
		out.Job = j
		return err
	})
	if err != nil && in.RequestID != "" && db.IsUnique(err) { // the same request at the same moment: it is there now
		err = r.DB.InTx(ctx, func(tx *db.Tx) error {
			old, err := r.sameRequest(ctx, tx, n)
			if err == nil && old == nil {
				err = fault.New(fault.Busy, "The same request is being handled; try again.")
			}
			out = Launched{old, true}
			return err
		})
	}
	if err != nil {
		return Launched{}, err
	}
	return out, nil
}

func (r *Room) sameRequest(ctx context.Context, tx *db.Tx, n newJob) (*ent.Job, error) {
	if n.RequestID == "" {
		return nil, nil
	}
	old, err := tx.Job.Query().Where(job.CreatedByID(n.creator), job.ProjectID(n.projectID), job.RequestID(n.RequestID)).Only(ctx)
	switch {
	case ent.IsNotFound(err):
		return nil, nil
	case err != nil:
		return nil, err
	case old.CreatedAt.Before(r.now().Add(-24 * time.Hour)):
		return nil, tx.Job.UpdateOne(old).ClearRequestID().Exec(ctx)
	case old.RequestHash == nil || *old.RequestHash != n.requestHash:
		return nil, fault.New(fault.Conflict, "This requestId was used for another launch: use a new one for each launch.")
	}
	return old, nil
}

func (in Launch) hash() string {
	b, _ := json.Marshal(in) // maps are written in the order of their keys
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

// newJob is a launch whose rights and form have been checked.
type newJob struct {
	Launch
	projectID   int64
	creator     int64
	timeLimit   *int
	attempt     int
	requestHash string
	retryOf     *ent.Job
	sealed      []byte // of the job it retries
}

func (r *Room) create(ctx context.Context, tx *db.Tx, n newJob) (*ent.Job, error) {
	exp, err := r.experiment(ctx, tx, n)
	if err != nil {
		return nil, err
	}
	c, err := Computer(ctx, tx.Client(), n.Computer)
	if err != nil {
		return nil, err
	}
	if !c.Enabled {
		return nil, fault.New(fault.ComputerNotAvailable, "The computer %q is disabled. Choose another, or ask its owner to enable it.", c.Name)
	}
	mask, err := chosenGPUs(ctx, tx, c, n.GPUIDs)
	if err != nil {
		return nil, err
	}
	count := n.GPUCount
	if mask != 0 {
		count = bits.OnesCount64(uint64(mask))
	}
	before, waiting, broken, err := r.predecessors(ctx, tx, n)
	if err != nil {
		return nil, err
	}
	sealed := n.sealed
	if len(n.Secrets) > 0 {
		if r.Vault == nil {
			return nil, fault.Invalid("secretEnvironment", "This server keeps no secrets: it was started without a key file.")
		}
		if sealed, err = r.Vault.seal(n.Secrets); err != nil {
			return nil, err
		}
	}
	rn, err := tx.Run.Create().SetUUID(uuid.NewString()).SetProjectID(n.projectID).SetExperimentID(exp).SetName(n.Name).SetKind(runKind(n.Kind)).
		SetParameters(orEmpty(n.Parameters)).SetTags(orEmpty(n.Tags)).SetCreatedByID(n.creator).SetCreatedAt(r.now()).Save(ctx)
	if err != nil {
		return nil, err
	}
	ready := !n.Held && waiting == 0
	k := tx.Job.Create().SetUUID(uuid.NewString()).SetProjectID(n.projectID).SetRunID(rn.ID).SetRunName(n.Name).SetKind(n.Kind).
		SetComputerID(c.ID).SetCreatedByID(n.creator).SetCommand(n.Command).SetEnvironment(n.Environment).SetPriority(n.Priority).
		SetHeld(n.Held).SetWaitingOn(waiting).SetReady(ready).SetGpuMask(mask).SetGpuCount(count).SetNeed(need(mask, n.GPUCount)).
		SetMaxAttempts(n.MaxAttempts).SetAttempt(n.attempt).SetNillableTimeLimitSeconds(n.timeLimit).SetCreatedAt(r.now())
	if n.Environment == nil {
		k.SetEnvironment(map[string]string{})
	}
	if n.WorkingDirectory != "" {
		k.SetWorkingDirectory(n.WorkingDirectory)
	}
	if sealed != nil {
		k.SetSecrets(sealed).SetSecretNames(secretNames(n))
	}
	switch {
	case ready:
		k.SetReadyAt(r.now())
		r.nudge(tx, c.ID)
	case n.Held:
		k.SetPhase(job.PhaseHolding)
	default:
		k.SetPhase(job.PhaseWaitingForJob)
	}
	if n.RequestID != "" {
		k.SetRequestID(n.RequestID).SetRequestHash(n.requestHash)
	}
	if n.retryOf != nil {
		k.SetRetryOfID(n.retryOf.ID).SetNillableParentID(n.retryOf.ParentID).SetNillableArrayID(n.retryOf.ArrayID).SetNillableArrayIndex(n.retryOf.ArrayIndex)
	}
	j, err := k.Save(ctx)
	if err != nil {
		return nil, err
	}
	for _, b := range before {
		b.SetJobID(j.ID)
	}
	if len(before) > 0 {
		if err := tx.Dependency.CreateBulk(before...).Exec(ctx); err != nil {
			return nil, err
		}
	}
	if err := r.note(ctx, tx, j, timeline.Event{Type: "job.created", Args: map[string]any{"runName": n.Name, "computer": c.Name}}); err != nil {
		return nil, err
	}
	if broken != nil {
		if err := r.end(ctx, tx, j, dependencyFailed(broken)); err != nil {
			return nil, err
		}
		return tx.Job.Get(ctx, j.ID)
	}
	return j, nil
}

func secretNames(n newJob) []string {
	if n.retryOf != nil {
		return n.retryOf.SecretNames
	}
	names := make([]string, 0, len(n.Secrets))
	for k := range n.Secrets {
		names = append(names, k)
	}
	slices.Sort(names)
	return names
}

func (r *Room) experiment(ctx context.Context, tx *db.Tx, n newJob) (int64, error) {
	q := tx.Experiment.Query().Where(experiment.ProjectID(n.projectID))
	if n.ExperimentID != "" {
		id, err := q.Where(experiment.ID(ID(n.ExperimentID))).OnlyID(ctx)
		if ent.IsNotFound(err) {
			return 0, fault.Invalid("experimentId", "There is no such experiment in this project.")
		}
		return id, err
	}
	id, err := q.Where(experiment.IsDefault(true)).FirstID(ctx)
	if ent.IsNotFound(err) {
		e, err := tx.Experiment.Create().SetProjectID(n.projectID).SetName("default").SetIsDefault(true).Save(ctx)
		if err != nil {
			return 0, err
		}
		return e.ID, nil
	}
	return id, err
}

// Computer finds a computer the viewer may launch on, by name or id. A name that several owners use means the viewer's own, else the
// public one.
func Computer(ctx context.Context, c *ent.Client, name string) (*ent.Computer, error) {
	if name == "" {
		return nil, fault.Invalid("computer", "Name the computer the job is to run on.")
	}
	all, err := c.Computer.Query().Where(computer.Or(computer.Name(name), computer.ID(ID(name))), computer.DeletedAtIsNil()).Order(computer.ByID()).All(ctx)
	if err != nil {
		return nil, err
	}
	v := access.From(ctx)
	var best *ent.Computer
	for _, x := range all {
		if v.MayUse(x) && (best == nil || x.OwnerID != nil && *x.OwnerID == v.UserID()) {
			best = x
		}
	}
	if best == nil {
		return nil, fault.New(fault.ComputerNotAvailable, "There is no computer %q that you may use.", name)
	}
	return best, nil
}

func chosenGPUs(ctx context.Context, tx *db.Tx, c *ent.Computer, ids []string) (int64, error) {
	if len(ids) == 0 {
		return 0, nil
	}
	gpus, err := tx.Computer.QueryGpus(c).All(ctx)
	if err != nil {
		return 0, err
	}
	var mask int64
	for _, id := range ids {
		i := slices.IndexFunc(gpus, func(g *ent.Gpu) bool { return fmt.Sprint(g.Number) == id || g.UUID != "" && g.UUID == id })
		if i < 0 {
			return 0, fault.Invalid("gpuIds", "The computer %q has no GPU %q.", c.Name, id)
		}
		mask |= 1 << gpus[i].Number
	}
	return mask, nil
}

// need is the class of need that the claim's index is ordered by.
func need(mask int64, count int) string {
	switch {
	case mask != 0:
		return fmt.Sprintf("m%d", mask)
	case count > 0:
		return fmt.Sprintf("n%d", count)
	}
	return ""
}

// predecessors locks the jobs to wait for, so that none can end unseen meanwhile. broken is one that has ended without success.
func (r *Room) predecessors(ctx context.Context, tx *db.Tx, n newJob) (rows []*ent.DependencyCreate, waiting int, broken *ent.Job, err error) {
	add := func(ids []string, any bool, field string) error {
		for _, id := range ids {
			found, err := FindJob(ctx, tx.Client(), id)
			if err != nil {
				return err
			}
			if found == nil || found.ProjectID != n.projectID {
				return fault.Invalid(field, "There is no job %q in this project to wait for.", id)
			}
			j, err := lockOne(ctx, tx, found.UUID)
			if err != nil {
				return err
			}
			if slices.ContainsFunc(rows, func(c *ent.DependencyCreate) bool { id, _ := c.Mutation().AfterID(); return id == j.ID }) {
				continue
			}
			done := Final(j.Status)
			if !done {
				waiting++
			} else if !any && j.Status != job.StatusCompleted && broken == nil {
				broken = j
			}
			rows = append(rows, tx.Dependency.Create().SetAfterID(j.ID).SetAny(any).SetDone(done))
		}
		return nil
	}
	if err := add(n.After, false, "after"); err != nil {
		return nil, 0, nil, err
	}
	return rows, waiting, broken, add(n.AfterAny, true, "afterAny")
}

// FindJob finds a job by its full id or an unambiguous prefix of 4 or more characters; nil when there is none the viewer may see.
func FindJob(ctx context.Context, c *ent.Client, id string) (*ent.Job, error) {
	id = strings.ToLower(strings.TrimSpace(id))
	if len(id) == 36 {
		j, err := c.Job.Query().Where(job.UUID(id)).Only(ctx)
		if ent.IsNotFound(err) {
			return nil, nil
		}
		return j, err
	}
	if len(id) < 4 || len(id) > 36 || strings.Trim(id, "0123456789abcdef-") != "" {
		return nil, nil
	}
	js, err := c.Job.Query().Where(job.UUIDGTE(id), job.UUIDLT(id+"g")).Order(job.ByUUID()).Limit(6).All(ctx)
	if err != nil || len(js) == 0 {
		return nil, err
	}
	if len(js) > 1 {
		names := make([]string, 0, 5)
		for _, j := range js[:min(len(js), 5)] {
			names = append(names, j.UUID)
		}
		return nil, fault.New(fault.Conflict, "Several jobs start with %q: %s. Use more characters.", id, strings.Join(names, ", ")).With("ids", names)
	}
	return js[0], nil
}

func orEmpty(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}
