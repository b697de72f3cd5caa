package auth

import (
	"context"
	"time"

	"nightshift/ent"
	"nightshift/ent/job"
	"nightshift/ent/membership"
	"nightshift/ent/predicate"
	"nightshift/ent/session"
	enttoken "nightshift/ent/token"
	"nightshift/server/access"
)

const (
	// When somebody was last seen is written at most this often, and nobody waits long for it.
	noteEvery    = time.Minute
	notePatience = time.Second
	// The worker of a revoked token may report for so long even without a running job: the answer to its last report may have been lost.
	retireGrace = 5 * time.Minute
)

func (r *Room) bySession(ctx context.Context, which predicate.Session) (*access.Viewer, error) {
	now := r.now()
	s, err := r.DB.Session.Query().Where(which).WithUser().Only(ctx)
	if ent.IsNotFound(err) || err == nil && (!s.ExpiresAt.After(now) || s.Edges.User.DisabledAt != nil) {
		return nil, errSecret
	} else if err != nil {
		return nil, err
	}
	if now.Sub(s.LastSeenAt) > noteEvery {
		r.noteUse(ctx, "session", func(ctx context.Context) error {
			return r.DB.Session.Update().Where(session.ID(s.ID), session.LastSeenAtLT(now.Add(-noteEvery))).SetLastSeenAt(now).Exec(ctx)
		})
	}
	v := &access.Viewer{Kind: access.Session, User: s.Edges.User, SessionID: s.ID, FromLink: s.FromLink}
	v.Roles, err = r.roles(ctx, s.UserID, 0)
	return v, err
}

func (r *Room) byToken(ctx context.Context, which predicate.Token) (*access.Viewer, error) {
	now := r.now()
	t, err := r.DB.Token.Query().Where(which).WithUser().Only(ctx)
	if ent.IsNotFound(err) || err == nil && t.Edges.User.DisabledAt != nil {
		return nil, errSecret
	} else if err != nil {
		return nil, err
	}
	v := &access.Viewer{User: t.Edges.User, TokenID: t.ID}
	if t.ProjectID != nil {
		v.ProjectID = *t.ProjectID
	}
	if ended := endOf(t, now); ended != nil {
		if v.Retired, err = r.mayReport(ctx, t, *ended, now); err != nil {
			return nil, err
		} else if !v.Retired {
			return nil, errSecret
		}
	}
	if t.Kind != enttoken.KindJob && (t.LastUsedAt == nil || now.Sub(*t.LastUsedAt) > noteEvery) {
		r.noteUse(ctx, "token", func(ctx context.Context) error {
			unused := enttoken.Or(enttoken.LastUsedAtIsNil(), enttoken.LastUsedAtLT(now.Add(-noteEvery)))
			return r.DB.Token.Update().Where(enttoken.ID(t.ID), unused).SetLastUsedAt(now).Exec(ctx)
		})
	}
	switch t.Kind {
	case enttoken.KindWorker:
		v.Kind, v.ComputerIDs = access.Worker, t.ComputerIds
		return v, nil
	case enttoken.KindJob:
		return r.ofJob(ctx, v, t)
	}
	v.Kind, v.Scopes = access.APIToken, map[string]bool{}
	for _, s := range t.Scopes {
		v.Scopes[s] = true
	}
	v.Roles, err = r.roles(ctx, t.UserID, 0)
	return v, err
}

// endOf is when a token ended; nil while it works.
func endOf(t *ent.Token, now time.Time) *time.Time {
	if t.RevokedAt != nil {
		return t.RevokedAt
	}
	if t.ExpiresAt != nil && !t.ExpiresAt.After(now) {
		return t.ExpiresAt
	}
	return nil
}

// mayReport: a worker's token that has ended claims nothing more, but what it runs already may still be reported (decisions.md).
func (r *Room) mayReport(ctx context.Context, t *ent.Token, ended, now time.Time) (bool, error) {
	if t.Kind != enttoken.KindWorker {
		return false, nil
	}
	if now.Sub(ended) < retireGrace {
		return true, nil
	}
	rows, err := r.DB.Query(ctx, `SELECT 1 FROM workers JOIN jobs ON jobs.worker_id = workers.id WHERE workers.project_id = ? AND workers.token_id = ? LIMIT 1`, t.ProjectID, t.ID)
	if err != nil {
		return false, err
	}
	defer rows.Close()
	return rows.Next(), rows.Err()
}

// ofJob: a job's token has its creator's present role in its own project, and dies with the job.
func (r *Room) ofJob(ctx context.Context, v *access.Viewer, t *ent.Token) (*access.Viewer, error) {
	if t.JobID == nil {
		return nil, errSecret
	}
	alive, err := r.DB.Job.Query().Where(job.ID(*t.JobID), job.StatusIn(job.StatusAssigned, job.StatusRunning)).Exist(ctx)
	if err != nil {
		return nil, err
	}
	if !alive {
		return nil, errSecret
	}
	v.Kind, v.JobID = access.Job, *t.JobID
	v.Roles, err = r.roles(ctx, t.UserID, v.ProjectID)
	if err == nil && len(v.Roles) == 0 {
		return nil, errSecret
	}
	return v, err
}

// roles are a person's in all projects, or in one.
func (r *Room) roles(ctx context.Context, user, project int64) (map[int64]membership.Role, error) {
	q := r.DB.Membership.Query().Where(membership.UserID(user))
	if project != 0 {
		q.Where(membership.ProjectID(project))
	}
	ms, err := q.All(ctx)
	if err != nil {
		return nil, err
	}
	out := make(map[int64]membership.Role, len(ms))
	for _, m := range ms {
		out[m.ProjectID] = m.Role
	}
	return out, nil
}

// noteUse writes when a secret was used. A database that is busy or full keeps nobody out: the note is only late.
func (r *Room) noteUse(ctx context.Context, what string, write func(context.Context) error) {
	soon, cancel := context.WithTimeout(ctx, notePatience)
	defer cancel()
	if err := write(soon); err != nil && soon.Err() == nil {
		r.Log.Warn("noting the use of a "+what, "error", err)
	}
}
