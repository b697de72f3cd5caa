package queue

import (
	"context"
	"fmt"
	"regexp"

	"nightshift/ent"
	"nightshift/ent/job"
	"nightshift/server/access"
	"nightshift/server/db"
	"nightshift/server/fault"
	"nightshift/server/timeline"
)

// maxChain is how far retries of one job go, by people too.
const maxChain = 100

var retryName = regexp.MustCompile(` \(retry \d+\)$`)

// Rerun runs an ended job again from the start, as a new Run and Job. A job is retried at most once: a second call opens the same one.
func (r *Room) Rerun(ctx context.Context, id string) (Launched, error) {
	found, err := FindJob(ctx, r.DB.Client, id)
	if err != nil {
		return Launched{}, err
	}
	if found == nil {
		return Launched{}, fault.Missing("job")
	}
	var out Launched
	err = r.DB.InTx(ctx, func(tx *db.Tx) error {
		out = Launched{}
		j, err := lockOne(ctx, tx, found.UUID)
		if err != nil {
			return err
		}
		if err := r.allowed(ctx, j); err != nil {
			return err
		}
		if next, err := tx.Job.Query().Where(job.RetryOfID(j.ID)).Only(ctx); err == nil {
			out = Launched{next, true}
			return nil
		} else if !ent.IsNotFound(err) {
			return err
		}
		if !Final(j.Status) {
			return fault.New(fault.Conflict, "The job has not ended yet: stop it first, or wait.")
		}
		if j.Attempt >= maxChain {
			return fault.New(fault.RetryLimit, "This is attempt %d of the same job, the last one there can be. Launch a new job instead.", j.Attempt)
		}
		out.Job, err = r.again(ctx, tx, j)
		return err
	})
	return out, err
}

func (r *Room) again(ctx context.Context, tx *db.Tx, j *ent.Job) (*ent.Job, error) {
	run, err := tx.Job.QueryRun(j).Only(ctx)
	if err != nil {
		return nil, err
	}
	attempt := j.Attempt + 1
	n := newJob{
		Launch: Launch{
			ExperimentID: fmt.Sprint(run.ExperimentID), Name: fmt.Sprintf("%s (retry %d)", retryName.ReplaceAllString(j.RunName, ""), attempt),
			Kind: j.Kind, Command: j.Command, Parameters: run.Parameters, Tags: run.Tags, Environment: j.Environment,
			Computer: fmt.Sprint(j.ComputerID), MaxAttempts: j.MaxAttempts, Priority: j.Priority,
		},
		projectID: j.ProjectID, creator: access.From(ctx).UserID(), timeLimit: j.TimeLimitSeconds, attempt: attempt, retryOf: j, sealed: j.Secrets,
	}
	if j.WorkingDirectory != nil {
		n.WorkingDirectory = *j.WorkingDirectory
	}
	chosen, count := parseNeed(j.Need)
	n.GPUCount = count
	for _, g := range numbers(chosen) {
		n.GPUIDs = append(n.GPUIDs, fmt.Sprint(g))
	}
	made, err := r.create(ctx, tx, n)
	if err != nil {
		return nil, err
	}
	if len(j.Secrets) > 0 { // they go with the attempt that may still need them
		if err := tx.Job.UpdateOne(j).ClearSecrets().Exec(ctx); err != nil {
			return nil, err
		}
	}
	return made, r.note(ctx, tx, j, timeline.Event{Type: "job.rerun", Args: map[string]any{"jobId": made.UUID}})
}
