package access

import (
	"context"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"

	"nightshift/ent"
	"nightshift/ent/array"
	"nightshift/ent/experiment"
	"nightshift/ent/job"
	"nightshift/ent/membership"
	"nightshift/ent/predicate"
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
	c.Run.Intercept(only(func(ctx context.Context, q *ent.RunQuery, ids []int64) {
		q.Where(within[predicate.Run](run.FieldProjectID, ids))
	}))
	c.Job.Intercept(only(func(ctx context.Context, q *ent.JobQuery, ids []int64) {
		q.Where(within[predicate.Job](job.FieldProjectID, ids))
	}))
	c.Array.Intercept(only(func(ctx context.Context, q *ent.ArrayQuery, ids []int64) { q.Where(array.ProjectIDIn(ids...)) }))
	c.Worker.Intercept(only(func(ctx context.Context, q *ent.WorkerQuery, ids []int64) { q.Where(worker.ProjectIDIn(ids...)) }))
	c.Token.Intercept(only(func(ctx context.Context, q *ent.TokenQuery, ids []int64) { // one's own, and those of one's projects
		q.Where(token.Or(token.UserID(From(ctx).UserID()), token.ProjectIDIn(ids...)))
	}))
	c.Session.Intercept(only(func(ctx context.Context, q *ent.SessionQuery, _ []int64) { q.Where(session.UserID(From(ctx).UserID())) }))
}

// within narrows large tables without choosing the plan. SQLite knows no statistics and takes the index of a whole project where a query
// asks for a few keys: reading one page of a million jobs took half a second. The unary plus keeps a term from being looked up in an index;
// a query that wants its project's index names the project itself.
func within[P ~func(*sql.Selector)](column string, ids []int64) P {
	return func(s *sql.Selector) {
		if s.Dialect() != dialect.SQLite {
			s.Where(sql.In(s.C(column), anys(ids)...))
			return
		}
		s.Where(sql.P(func(b *sql.Builder) {
			b.WriteString("+").WriteString(s.C(column)).WriteString(" IN ")
			b.Wrap(func(b *sql.Builder) {
				if len(ids) == 0 {
					b.WriteString("NULL") // nobody's
					return
				}
				b.Args(anys(ids)...)
			})
		}))
	}
}

func anys(ids []int64) []any {
	out := make([]any, len(ids))
	for i, id := range ids {
		out[i] = id
	}
	return out
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
