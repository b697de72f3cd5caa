// Package auth proves who somebody is: passwords, one-time links, sessions, tokens.
package auth

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"nightshift/ent"
	"nightshift/ent/job"
	"nightshift/ent/membership"
	"nightshift/ent/session"
	enttoken "nightshift/ent/token"
	"nightshift/server/access"
	"nightshift/server/db"
	"nightshift/server/fault"
	"nightshift/server/pubsub"
	"nightshift/server/token"
)

const (
	sessionLasts = 30 * 24 * time.Hour
	// What was found out about a secret is believed for this long: workers and pages ask many times a second. A revocation takes effect
	// within it.
	believed = 2 * time.Second
	maxKnown = 10_000
)

// Room is the auth room.
type Room struct {
	DB  *db.DB
	Bus *pubsub.Bus
	Log *slog.Logger
	// BaseURL is the server as people reach it, without a slash at the end; BasePath is its path alone.
	BaseURL, BasePath string
	// Secure marks the cookie for https only.
	Secure bool

	mu    sync.Mutex
	known map[string]proof
	rate  limiter
}

type proof struct {
	viewer *access.Viewer
	until  time.Time
}

// Identify finds out who sent a session cookie or a bearer token. A secret that proves nothing is UNAUTHENTICATED; none at all is nobody.
func (r *Room) Identify(ctx context.Context, cookie, bearer string) (*access.Viewer, error) {
	secret := bearer
	if secret == "" {
		secret = cookie
	}
	if secret == "" {
		return &access.Viewer{}, nil
	}
	hash := token.Hash(secret)
	now := time.Now()
	r.mu.Lock()
	p, ok := r.known[hash]
	r.mu.Unlock()
	if ok && now.Before(p.until) {
		v := *p.viewer
		return &v, nil
	}
	v, err := r.identify(access.AsSystem(ctx), hash, bearer != "")
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	if r.known == nil || len(r.known) > maxKnown {
		r.known = map[string]proof{}
	}
	r.known[hash] = proof{v, now.Add(believed)}
	r.mu.Unlock()
	c := *v
	return &c, nil
}

// Forget drops what is believed: somebody's rights have changed here.
func (r *Room) Forget() {
	r.mu.Lock()
	r.known = nil
	r.mu.Unlock()
}

var errSecret = fault.New(fault.Unauthenticated, "Sign in again: the session or token has expired, was revoked, or never existed.")

func (r *Room) identify(ctx context.Context, hash string, bearer bool) (*access.Viewer, error) {
	if bearer {
		return r.byToken(ctx, hash)
	}
	now := db.Now()
	s, err := r.DB.Session.Query().Where(session.Hash(hash)).WithUser().Only(ctx)
	if ent.IsNotFound(err) || err == nil && (s.ExpiresAt.Before(now) || s.Edges.User.DisabledAt != nil) {
		return nil, errSecret
	} else if err != nil {
		return nil, err
	}
	if now.Sub(s.LastSeenAt) > time.Minute {
		if err := r.DB.Session.UpdateOneID(s.ID).SetLastSeenAt(now).Exec(ctx); err != nil {
			r.Log.Warn("noting a session's use", "error", err)
		}
	}
	v := &access.Viewer{Kind: access.Session, User: s.Edges.User, SessionID: s.ID, FromLink: s.FromLink}
	v.Roles, err = r.roles(ctx, s.UserID, 0)
	return v, err
}

func (r *Room) byToken(ctx context.Context, hash string) (*access.Viewer, error) {
	now := db.Now()
	t, err := r.DB.Token.Query().Where(enttoken.Hash(hash)).WithUser().Only(ctx)
	if ent.IsNotFound(err) || err == nil && (t.RevokedAt != nil || t.ExpiresAt != nil && t.ExpiresAt.Before(now) || t.Edges.User.DisabledAt != nil) {
		return nil, errSecret
	} else if err != nil {
		return nil, err
	}
	if t.Kind != enttoken.KindJob && (t.LastUsedAt == nil || now.Sub(*t.LastUsedAt) > time.Minute) {
		if err := r.DB.Token.UpdateOneID(t.ID).SetLastUsedAt(now).Exec(ctx); err != nil {
			r.Log.Warn("noting a token's use", "error", err)
		}
	}
	v := &access.Viewer{User: t.Edges.User, TokenID: t.ID}
	if t.ProjectID != nil {
		v.ProjectID = *t.ProjectID
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

// Renew gives a viewer's rights as they are now; an error when they are gone. Subscriptions ask before each batch they send.
func (r *Room) Renew(ctx context.Context, v *access.Viewer) (*access.Viewer, error) {
	ctx = access.AsSystem(ctx)
	hash := ""
	var err error
	switch {
	case v.Kind == access.System:
		return v, nil
	case v.SessionID != 0:
		hash, err = r.DB.Session.Query().Where(session.ID(v.SessionID)).Select(session.FieldHash).String(ctx)
	case v.TokenID != 0:
		hash, err = r.DB.Token.Query().Where(enttoken.ID(v.TokenID)).Select(enttoken.FieldHash).String(ctx)
	default:
		return v, nil
	}
	if ent.IsNotFound(err) {
		return nil, errSecret
	} else if err != nil {
		return nil, err
	}
	return r.identify(ctx, hash, v.SessionID == 0)
}

// Sweep deletes what has expired, every ten minutes, until ctx ends.
func (r *Room) Sweep(ctx context.Context) {
	ctx = access.AsSystem(ctx)
	t := time.NewTicker(10 * time.Minute)
	defer t.Stop()
	for {
		if err := r.expire(ctx); err != nil && ctx.Err() == nil {
			r.Log.Warn("deleting expired sessions", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
	}
}

func (r *Room) expire(ctx context.Context) error {
	now := db.Now()
	return r.DB.InTx(ctx, func(tx *db.Tx) error {
		for _, q := range []string{
			`DELETE FROM sessions WHERE expires_at < ?`, `DELETE FROM sign_in_links WHERE expires_at < ?`,
		} {
			if _, err := tx.Exec(ctx, q, now); err != nil {
				return err
			}
		}
		_, err := tx.Exec(ctx, `DELETE FROM tokens WHERE expires_at < ?`, now.Add(-30*24*time.Hour))
		return err
	})
}

// Allows tells whether a viewer's token has a scope; sessions have all.
func Allows(v *access.Viewer, scope string) bool {
	return v.Kind != access.APIToken || v.Scopes[scope]
}

// Scopes are all there are.
var Scopes = []string{"READ", "RUNS_WRITE", "JOBS_WRITE", "ARTIFACTS_WRITE", "REGISTRY_WRITE", "WORKER_EXECUTE", "ADMIN"}

func knownScopes(scopes []string) bool {
	for _, s := range scopes {
		if !slices.Contains(Scopes, s) {
			return false
		}
	}
	return len(scopes) > 0
}
