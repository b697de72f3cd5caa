package graph

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"nightshift/ent"
	"nightshift/ent/dependency"
	"nightshift/ent/job"
	"nightshift/ent/project"
	"nightshift/ent/run"
	"nightshift/graph/model"
	"nightshift/server/access"
	"nightshift/server/fault"
	"nightshift/server/queue"
)

// asks tells whether the request selects one of the fields.
func asks(ctx context.Context, names ...string) bool {
	return slices.ContainsFunc(graphql.CollectAllFields(ctx), func(f string) bool { return slices.Contains(names, f) })
}

// edge is what a row points to: as loaded with the row, else read now.
func edge[T any](ctx context.Context, loaded *T, id int64, get func(context.Context, int64) (*T, error)) (*T, error) {
	if loaded != nil {
		return loaded, nil
	}
	return get(ctx, id)
}

func actor(u *ent.User) *model.Actor {
	if u == nil {
		return nil
	}
	return &model.Actor{ID: fmt.Sprint(u.ID), Name: u.Name, DisplayName: u.DisplayName}
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// launchOf takes a launch as it came; the room checks its form.
func launchOf(in model.LaunchJobInput) (queue.Launch, error) {
	l := queue.Launch{
		Project: in.Project, RequestID: value(in.RequestID), ExperimentID: value(in.ExperimentID), Name: value(in.Name), Kind: in.Kind,
		Command: in.Command, WorkingDirectory: value(in.WorkingDirectory), Computer: in.Computer, GPUIDs: in.GpuIds,
		TimeLimit: value(in.TimeLimit), MaxAttempts: in.MaxAttempts, Priority: in.Priority, Held: in.Held, After: in.After, AfterAny: in.AfterAny,
	}
	if in.GpuCount != nil {
		l.GPUCount = *in.GpuCount
	}
	var err error
	if l.Parameters, err = object("parameters", in.Parameters); err != nil {
		return l, err
	}
	if l.Tags, err = object("tags", in.Tags); err != nil {
		return l, err
	}
	if l.Environment, err = stringsOf("environment", in.Environment); err != nil {
		return l, err
	}
	l.Secrets, err = stringsOf("secretEnvironment", in.SecretEnvironment)
	return l, err
}

func object(field string, v any) (map[string]any, error) {
	if v == nil {
		return nil, nil
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, fault.Invalid(field, "It must be a JSON object, such as {\"lr\": 0.1}.")
	}
	return m, nil
}

// stringsOf reads an object of strings; numbers and booleans are taken as they are written.
func stringsOf(field string, v any) (map[string]string, error) {
	m, err := object(field, v)
	if m == nil || err != nil {
		return nil, err
	}
	out := make(map[string]string, len(m))
	for k, v := range m {
		switch v.(type) {
		case map[string]any, []any, nil:
			return nil, fault.Invalid(field, "The value of %s must be a string.", k)
		}
		out[k] = fmt.Sprint(v)
	}
	return out, nil
}

// jobIDs are the jobs an input names: by their ids, or all that match a filter, if they are as many as was said.
func (r *Resolver) jobIDs(ctx context.Context, in model.JobsInput) ([]string, error) {
	if (len(in.JobIds) > 0) == (in.Project != nil) {
		return nil, fault.Invalid("jobIds", "Give either jobIds or project with filter.")
	}
	if in.Project == nil {
		return in.JobIds, nil
	}
	p, err := r.DB.Project.Query().Where(project.Key(*in.Project)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.Missing("project")
	} else if err != nil {
		return nil, err
	}
	ps, err := r.jobPredicates(ctx, p.ID, in.Filter)
	if err != nil {
		return nil, err
	}
	ids, err := r.DB.Job.Query().Where(ps...).Limit(queue.MaxJobs + 1).Select(job.FieldUUID).Strings(ctx)
	if err != nil {
		return nil, err
	}
	if in.ExpectedCount == nil || *in.ExpectedCount != len(ids) {
		return nil, fault.New(fault.Conflict, "%d jobs match now: look again, and say so in expectedCount.", len(ids)).With("count", len(ids))
	}
	return ids, nil
}

func actions(o queue.Outcome, err error) (*model.JobActionsPayload, error) {
	if err != nil {
		return nil, err
	}
	out := &model.JobActionsPayload{Done: o.Done, Jobs: o.Jobs, RefusedCount: o.NRefused, Refused: []*model.JobRefusal{}}
	if out.Jobs == nil {
		out.Jobs = []*ent.Job{}
	}
	for _, f := range o.Refused {
		out.Refused = append(out.Refused, &model.JobRefusal{JobID: f.ID, Code: string(f.Err.Code), Message: f.Err.Text})
	}
	return out, nil
}

func (r *Resolver) launched(ctx context.Context, l queue.Launched, err error) (*model.LaunchJobPayload, error) {
	if err != nil {
		return nil, err
	}
	run, err := r.DB.Run.Get(ctx, l.Job.RunID)
	if err != nil {
		return nil, err
	}
	return &model.LaunchJobPayload{Job: l.Job, Run: run, Existing: l.Existing}, nil
}

func gpuIDs(j *ent.Job) []string {
	out := []string{}
	for i := range 63 {
		if uint64(j.GpuMask)&(1<<i) != 0 {
			out = append(out, fmt.Sprint(i))
		}
	}
	return out
}

// seconds from start to end, or to now, by the server's clock.
func seconds(j *ent.Job) *int {
	if j.StartedAt == nil {
		return nil
	}
	end := time.Now()
	if j.EndedAt != nil {
		end = *j.EndedAt
	}
	n := max(0, int(end.Sub(*j.StartedAt).Seconds()))
	return &n
}

// cost is duration × price per hour; nil where the computer has no price or the job has not started.
func cost(j *ent.Job, c *ent.Computer) *model.Money {
	s := seconds(j)
	if s == nil || c.PriceAmount == nil || c.PriceCurrency == nil {
		return nil
	}
	price, ok := new(big.Rat).SetString(*c.PriceAmount)
	if !ok {
		return nil
	}
	price.Mul(price, big.NewRat(int64(*s), 3600))
	return &model.Money{Amount: price.FloatString(2), Currency: *c.PriceCurrency}
}

func progressOf(m map[string]any) *model.Progress {
	percent, ok := m["percent"].(float64)
	if !ok {
		return nil
	}
	p := &model.Progress{Percent: percent}
	whole := func(k string) *int64 {
		if f, ok := m[k].(float64); ok {
			n := int64(f)
			return &n
		}
		return nil
	}
	p.Current, p.Total, p.EtaSeconds = whole("current"), whole("total"), whole("etaSeconds")
	if s, ok := m["label"].(string); ok && s != "" {
		p.Label = &s
	}
	return p
}

// allowed lists what the viewer may do to a job now.
func (r *Resolver) allowed(ctx context.Context, j *ent.Job, c *ent.Computer) []model.JobAction {
	v := access.From(ctx)
	out := []model.JobAction{}
	if v.MayChange(j) {
		switch {
		case queue.Final(j.Status):
			out = append(out, model.JobActionRerun)
		case j.Status == job.StatusQueued:
			out = append(out, model.JobActionStop, model.JobActionSetPriority, model.JobActionMove)
			if j.Held {
				out = append(out, model.JobActionUnhold)
			} else {
				out = append(out, model.JobActionHold)
			}
		default:
			if j.StopRequestedAt == nil {
				out = append(out, model.JobActionStop)
			}
			if !j.KillRequested {
				out = append(out, model.JobActionKill)
			}
		}
	}
	if j.NoResponse && (v.Can(access.AnyJob, j.ProjectID) || v.MayManage(c)) {
		out = append(out, model.JobActionForceEnd)
	}
	return out
}

func denied(ctx context.Context, j *ent.Job) *string {
	v := access.From(ctx)
	if v.MayChange(j) {
		return nil
	}
	code := "NOT_CREATOR"
	if !v.Can(access.OwnJob, j.ProjectID) {
		code = "VIEWER_ONLY"
	}
	return &code
}

func (r *Resolver) waiting(ctx context.Context, j *ent.Job) (*model.Waiting, error) {
	w, err := r.Queue.Waiting(ctx, j)
	if w == nil || err != nil {
		return nil, err
	}
	out := &model.Waiting{Code: model.WaitingCode(w.Code), Message: w.Message, Args: w.Args, JobsAhead: w.Ahead, PossibleReasons: []*model.WaitingReason{}}
	for _, x := range w.Reasons {
		code := model.WaitingReasonCode(x.Code)
		if !code.IsValid() {
			continue
		}
		args := x.Args
		if args == nil {
			args = map[string]any{}
		}
		out.PossibleReasons = append(out.PossibleReasons, &model.WaitingReason{Code: code, Args: args})
	}
	return out, nil
}

func (r *Resolver) predecessorsOf(ctx context.Context, j *ent.Job) ([]*ent.Job, error) {
	deps, err := r.DB.Dependency.Query().Where(dependency.JobID(j.ID)).Limit(1000).All(ctx)
	if err != nil || len(deps) == 0 {
		return []*ent.Job{}, err
	}
	ids := make([]int64, len(deps))
	for i, d := range deps {
		ids[i] = d.AfterID
	}
	return r.withJobEdges(r.DB.Job.Query().Where(job.IDIn(ids...)).Order(job.ByID())).All(ctx)
}

// findRun finds a run by its full id or an unambiguous prefix.
func (r *Resolver) findRun(ctx context.Context, id string) (*ent.Run, error) {
	id = strings.ToLower(strings.TrimSpace(id))
	if len(id) < 4 || len(id) > 36 || strings.Trim(id, "0123456789abcdef-") != "" {
		return nil, nil
	}
	rs, err := r.DB.Run.Query().Where(run.UUIDGTE(id), run.UUIDLT(id+"g")).Order(run.ByUUID()).Limit(2).All(ctx)
	switch {
	case err != nil || len(rs) == 0:
		return nil, err
	case len(rs) > 1:
		return nil, fault.New(fault.Conflict, "Several runs start with %q. Use more characters.", id)
	}
	return rs[0], nil
}
