package queue

import (
	"context"
	"slices"

	"nightshift/ent"
	"nightshift/ent/job"
	"nightshift/server/access"
	"nightshift/server/db"
	"nightshift/server/fault"
)

// MaxJobs is how many jobs one mutation acts on.
const MaxJobs = 10_000

// Outcome is what an action on several jobs did: each is acted on by itself, one refusal never fails the others.
type Outcome struct {
	Done     int
	Jobs     []*ent.Job // the first 100
	Refused  []Refusal  // the first 100
	NRefused int
}

// Refusal is one job that was not acted on, and why.
type Refusal struct {
	ID  string
	Err *fault.Error
}

// act changes one locked job, or returns a *fault.Error to refuse it.
type act func(tx *db.Tx, j *ent.Job) error

// each acts on jobs named by full ids or prefixes, in transactions of at most 100 so that none holds the writer for long.
func (r *Room) each(ctx context.Context, ids []string, do act) (Outcome, error) {
	var out Outcome
	if len(ids) > MaxJobs {
		return out, fault.Invalid("jobIds", "At most %d jobs at once; these are %d.", MaxJobs, len(ids))
	}
	seen := map[string]bool{}
	for part := range slices.Chunk(ids, 100) {
		uuids, err := r.resolve(ctx, part, seen, &out)
		if err != nil {
			return out, err
		}
		if err := r.eachOf(ctx, uuids, do, &out); err != nil {
			return out, err
		}
	}
	return out, nil
}

func (r *Room) resolve(ctx context.Context, ids []string, seen map[string]bool, out *Outcome) (uuids []string, err error) {
	known, err := r.DB.Job.Query().Where(job.UUIDIn(ids...)).Select(job.FieldUUID).Strings(ctx)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		uuid := id
		if !slices.Contains(known, id) {
			j, err := FindJob(ctx, r.DB.Client, id)
			if err != nil && fault.CodeOf(err) != fault.Conflict {
				return nil, err
			}
			if j == nil {
				f, ok := err.(*fault.Error)
				if !ok {
					f = fault.Missing("job")
				}
				out.refuse(id, f)
				continue
			}
			uuid = j.UUID
		}
		if !seen[uuid] {
			seen[uuid] = true
			uuids = append(uuids, uuid)
		}
	}
	return uuids, nil
}

func (r *Room) eachOf(ctx context.Context, uuids []string, do act, out *Outcome) error {
	if len(uuids) == 0 {
		return nil
	}
	before := *out
	return r.DB.InTx(ctx, func(tx *db.Tx) error {
		*out = before // a transaction that is tried again starts anew
		js, err := lock(ctx, tx, func(q *ent.JobQuery) { q.Where(job.UUIDIn(uuids...)) })
		if err != nil {
			return err
		}
		for _, j := range js {
			err := r.allowed(ctx, j)
			if err == nil {
				err = do(tx, j)
			}
			if f, ok := err.(*fault.Error); ok {
				out.refuse(j.UUID, f)
				continue
			} else if err != nil {
				return err
			}
			out.Done++
			if len(out.Jobs) < 100 {
				fresh, err := tx.Job.Get(ctx, j.ID)
				if err != nil {
					return err
				}
				out.Jobs = append(out.Jobs, fresh)
			}
		}
		return nil
	})
}

func (o *Outcome) refuse(id string, f *fault.Error) {
	o.NRefused++
	if len(o.Refused) < 100 {
		o.Refused = append(o.Refused, Refusal{id, f})
	}
}

// allowed is the rule of who may change a job. Those who force an end by owning the computer pass it in forceEnd.
func (r *Room) allowed(ctx context.Context, j *ent.Job) error {
	if !access.From(ctx).MayChange(j) {
		return fault.Denied("Only the creator or a project administrator can stop or rerun this job.")
	}
	return nil
}
