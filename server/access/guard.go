package access

import (
	"context"

	"nightshift/ent"
	"nightshift/ent/array"
	"nightshift/ent/experiment"
	"nightshift/ent/job"
	"nightshift/ent/membership"
	"nightshift/ent/project"
	"nightshift/ent/run"
	"nightshift/ent/session"
	"nightshift/ent/token"
	"nightshift/ent/worker"
)

// Guard narrows every ent query of the client, and of the transactions made from it, to what the viewer in the context may see.
// A nobody sees nothing of a project. Plain SQL goes past it: the rooms that use it check the project themselves.
func Guard(c *ent.Client) {
	c.Project.Intercept(only(func(ctx context.Context, q *ent.ProjectQuery, ids []int64) { q.Where(project.IDIn(ids...)) }))
	c.Membership.Intercept(only(func(ctx context.Context, q *ent.MembershipQuery, ids []int64) {
		q.Where(membership.ProjectIDIn(ids...))
	}))
	c.Experiment.Intercept(only(func(ctx context.Context, q *ent.ExperimentQuery, ids []int64) {
		q.Where(experiment.ProjectIDIn(ids...))
	}))
	c.Run.Intercept(only(func(ctx context.Context, q *ent.RunQuery, ids []int64) { q.Where(run.ProjectIDIn(ids...)) }))
	c.Job.Intercept(only(func(ctx context.Context, q *ent.JobQuery, ids []int64) { q.Where(job.ProjectIDIn(ids...)) }))
	c.Array.Intercept(only(func(ctx context.Context, q *ent.ArrayQuery, ids []int64) { q.Where(array.ProjectIDIn(ids...)) }))
	c.Worker.Intercept(only(func(ctx context.Context, q *ent.WorkerQuery, ids []int64) { q.Where(worker.ProjectIDIn(ids...)) }))
	c.Token.Intercept(only(func(ctx context.Context, q *ent.TokenQuery, ids []int64) { // one's own, and those of one's projects
		q.Where(token.Or(token.UserID(From(ctx).UserID()), token.ProjectIDIn(ids...)))
	}))
	c.Session.Intercept(only(func(ctx context.Context, q *ent.SessionQuery, _ []int64) { q.Where(session.UserID(From(ctx).UserID())) }))
}

// only makes an interceptor that adds a predicate unless the viewer sees every project.
func only[Q ent.Query](narrow func(ctx context.Context, q Q, projects []int64)) ent.Interceptor {
	return ent.TraverseFunc(func(ctx context.Context, q ent.Query) error {
		if ids, all := From(ctx).projects(); !all {
			if typed, ok := q.(Q); ok {
				narrow(ctx, typed, ids)
			}
		}
		return nil
	})
}
