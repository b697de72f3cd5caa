package queue

import (
	"context"
	"fmt"
	"math/bits"
	"time"

	"nightshift/ent"
	"nightshift/ent/dependency"
	"nightshift/ent/job"
	"nightshift/ent/worker"
)

// Waiting is why a queued job has not started, from the conditions the claim itself uses.
type Waiting struct {
	Code    string
	Message string
	Args    map[string]any
	Reasons []Reason
	Ahead   *int
}

// Reason is one possible cause while a worker answers but has not taken the job.
type Reason struct {
	Code string
	Args map[string]any
}

// Waiting explains a job; nil once it is no longer queued.
func (r *Room) Waiting(ctx context.Context, j *ent.Job) (*Waiting, error) {
	if j.Status != job.StatusQueued {
		return nil, nil
	}
	c, err := r.DB.Computer.Get(ctx, j.ComputerID)
	if err != nil {
		return nil, err
	}
	w := &Waiting{Args: map[string]any{"computer": c.Name}}
	say := func(code, format string, args ...any) *Waiting {
		w.Code, w.Message = code, fmt.Sprintf(format, args...)
		return w
	}
	if j.Held {
		return say("HOLDING", "It is on hold until somebody releases it."), nil
	}
	if j.WaitingOn > 0 {
		return r.waitingForJobs(ctx, j, w)
	}
	k, err := loadCapacity(ctx, r.DB.Client, r.DB.Reader(), r.DB.Bind, c)
	if err != nil {
		return nil, err
	}
	if w.Ahead, err = r.ahead(ctx, j); err != nil {
		return nil, err
	}
	if _, _, possible := k.fits(j.Need); !possible {
		w.Args["gpusAsked"], w.Args["gpusTotal"] = j.GpuCount, bits.OnesCount64(k.all)
		return say("NEVER", "It can never start: it asks for %d GPUs that the computer %q does not have.", j.GpuCount, c.Name), nil
	}
	state, last, draining, err := r.Workers(ctx, c, j.ProjectID)
	if err != nil {
		return nil, err
	}
	switch state {
	case "NONE":
		return say("NO_WORKER", "No worker is assigned to “%s”.", c.Name), nil
	case "OFFLINE":
		w.Args["lastSeenAt"] = last.UTC().Format(time.RFC3339)
		return say("WORKER_OFFLINE", "No worker for “%s” is responding (last response: %s).", c.Name, last.UTC().Format("2006-01-02 15:04:05 UTC")), nil
	}
	w.Reasons = r.reasons(ctx, j, k, w.Ahead, draining)
	return say("WORKER_BUSY", "A worker for this computer is responding but has not taken this job yet."), nil
}

func (r *Room) waitingForJobs(ctx context.Context, j *ent.Job, w *Waiting) (*Waiting, error) {
	deps, err := r.DB.Dependency.Query().Where(dependency.JobID(j.ID), dependency.Done(false)).Limit(20).All(ctx)
	if err != nil {
		return nil, err
	}
	ids := make([]int64, len(deps))
	for i, d := range deps {
		ids[i] = d.AfterID
	}
	before, err := r.DB.Job.Query().Where(job.IDIn(ids...)).Order(job.ByID()).All(ctx)
	if err != nil {
		return nil, err
	}
	names := make([]map[string]any, len(before))
	for i, b := range before {
		names[i] = map[string]any{"jobId": b.UUID, "runName": b.RunName, "status": string(b.Status)}
	}
	w.Args["jobs"], w.Args["count"] = names, j.WaitingOn
	w.Code, w.Message = "WAITING_FOR_JOB", "It waits for another job to end."
	if len(before) > 0 {
		w.Args["jobId"], w.Args["runName"] = before[0].UUID, before[0].RunName
		w.Message = fmt.Sprintf("It waits for job %s (%s) to end.", before[0].UUID[:8], before[0].RunName)
	}
	return w, nil
}

// reasons lists what the claim would find, in the order in which it looks.
func (r *Room) reasons(ctx context.Context, j *ent.Job, k *capacity, ahead *int, draining bool) (out []Reason) {
	if code := k.closed(r.LocalExecutor); code != "" {
		out = append(out, Reason{Code: code})
	}
	if draining {
		out = append(out, Reason{Code: "WORKER_DRAINING"})
	}
	if k.full() {
		out = append(out, Reason{"CONCURRENCY_LIMIT", map[string]any{"limit": *k.computer.MaxJobs, "active": len(k.places)}})
	}
	if _, now, _ := k.fits(j.Need); !now {
		chosen, count := parseNeed(j.Need)
		args := map[string]any{"asked": count, "free": bits.OnesCount64(k.all &^ k.held), "total": bits.OnesCount64(k.all)}
		var holders []int64
		var gpus []int
		for _, n := range numbers(k.held) {
			if chosen == 0 || chosen&(1<<n) != 0 {
				gpus = append(gpus, n)
				holders = append(holders, k.holders[int64(n)])
			}
		}
		args["gpuIds"] = gpus
		if js, err := r.DB.Job.Query().Where(job.IDIn(holders...)).Select(job.FieldUUID).Strings(ctx); err == nil {
			args["jobIds"] = js
		}
		out = append(out, Reason{"GPU_IN_USE", args})
	}
	if ahead == nil || *ahead > 0 {
		args := map[string]any{}
		if ahead != nil {
			args["jobsAhead"] = *ahead
		}
		out = append(out, Reason{"BEHIND_OTHERS", args})
	}
	return out
}

// ahead is the job's place in the computer's queue, exact to 1,000, else nil.
func (r *Room) ahead(ctx context.Context, j *ent.Job) (*int, error) {
	rows, err := r.DB.Query(ctx, `SELECT count(*) FROM (SELECT 1 AS one FROM jobs WHERE ready AND computer_id = ? AND
		(priority > ? OR priority = ? AND id < ?) LIMIT 1001) AS ahead`, j.ComputerID, j.Priority, j.Priority, j.ID)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	n := 0
	if rows.Next() {
		if err := rows.Scan(&n); err != nil {
			return nil, err
		}
	}
	if n > 1000 {
		return nil, rows.Err()
	}
	return &n, rows.Err()
}

// Workers is the state of a project's workers for a computer: ONLINE, OFFLINE, NONE or NOT_NEEDED, when one last answered, and whether
// all that answer are draining. Project 0 counts every project's.
func (r *Room) Workers(ctx context.Context, c *ent.Computer, project int64) (state string, last time.Time, draining bool, err error) {
	if c.Kind == "SITE" {
		return "NOT_NEEDED", time.Time{}, false, nil
	}
	q := r.DB.Worker.Query().Where(worker.ComputerID(c.ID))
	if project != 0 {
		q.Where(worker.ProjectID(project))
	}
	ws, err := q.All(ctx)
	if err != nil {
		return "NONE", time.Time{}, false, err
	}
	state, last, draining = r.StateOf(c, ws)
	return state, last, draining, nil
}

// StateOf is Workers for those who have read the workers already.
func (r *Room) StateOf(c *ent.Computer, ws []*ent.Worker) (state string, last time.Time, draining bool) {
	if c.Kind == "SITE" {
		return "NOT_NEEDED", time.Time{}, false
	}
	if len(ws) == 0 {
		return "NONE", time.Time{}, false
	}
	limit := r.now().Add(-OfflineAfter)
	state, draining = "OFFLINE", true
	for _, w := range ws {
		if w.LastSeenAt.After(last) {
			last = w.LastSeenAt
		}
		if w.LastSeenAt.After(limit) {
			state = "ONLINE"
			draining = draining && w.Draining
		}
	}
	return state, last, draining && state == "ONLINE"
}

// Blocked is a computer with queued jobs that no worker of the project takes.
type Blocked struct {
	Computer *ent.Computer
	Queued   int
	State    string
	LastSeen *time.Time
}

// Blocked lists, per computer, the queued jobs of a project that cannot start because its workers are missing or do not answer.
func (r *Room) Blocked(ctx context.Context, project int64) ([]Blocked, error) {
	ids, err := r.busyComputers(ctx, project)
	if err != nil {
		return nil, err
	}
	var out []Blocked
	for _, id := range ids {
		c, err := r.DB.Computer.Get(ctx, id)
		if err != nil {
			return nil, err
		}
		state, last, _, err := r.Workers(ctx, c, project)
		if err != nil {
			return nil, err
		}
		if state != "NONE" && state != "OFFLINE" {
			continue
		}
		b := Blocked{Computer: c, State: state}
		if !last.IsZero() {
			b.LastSeen = &last
		}
		rows, err := r.DB.Query(ctx, `SELECT count(*) FROM (SELECT 1 AS one FROM jobs WHERE ready AND computer_id = ? AND project_id = ? LIMIT 10000) AS q`, id, project)
		if err != nil {
			return nil, err
		}
		if rows.Next() {
			err = rows.Scan(&b.Queued)
		}
		rows.Close()
		if err != nil {
			return nil, err
		}
		out = append(out, b)
	}
	return out, nil
}

// busyComputers jumps through the index of ready jobs from computer to computer.
func (r *Room) busyComputers(ctx context.Context, project int64) ([]int64, error) {
	var out []int64
	last := int64(0)
	for len(out) < 200 {
		rows, err := r.DB.Query(ctx, `SELECT computer_id FROM jobs WHERE ready AND computer_id > ? ORDER BY computer_id LIMIT 1`, last)
		if err != nil {
			return nil, err
		}
		found := rows.Next()
		if found {
			err = rows.Scan(&last)
		}
		rows.Close()
		if err != nil || !found {
			return out, err
		}
		mine, err := r.anyReady(ctx, &ent.Worker{ComputerID: last, ProjectID: project})
		if err != nil {
			return nil, err
		}
		if mine {
			out = append(out, last)
		}
	}
	return out, nil
}
