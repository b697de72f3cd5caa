// Package access says who asks and what they may see and do: the viewer, the one table of rights, and the guard that narrows every query.
package access

import (
	"context"

	"nightshift/ent"
	"nightshift/ent/membership"
	"nightshift/server/fault"
)

// Kind is how somebody proved who they are.
type Kind int

// The kinds of viewer. System is no outsider but a named place in the server itself.
const (
	Nobody Kind = iota
	Session
	APIToken
	Worker
	Job
	System
)

// Viewer is the one who asks, for one request.
type Viewer struct {
	Kind Kind
	// User is the person; for a job token the run's creator, for a worker token who made it.
	User *ent.User
	// Roles of the person, by project. For a job token only the job's project.
	Roles map[int64]membership.Role
	// Scopes of an API token.
	Scopes map[string]bool

	SessionID   int64
	FromLink    bool // the session was opened with a one-time link
	TokenID     int64
	ProjectID   int64   // of a worker or job token
	ComputerIDs []int64 // of a worker token
	JobID       int64   // of a job token
	// Retired is a worker whose token has ended: it may report on what it runs, and take nothing more.
	Retired bool
}

type key struct{}

// With puts the viewer into the context.
func With(ctx context.Context, v *Viewer) context.Context { return context.WithValue(ctx, key{}, v) }

// From is the viewer; nobody when none was put there.
func From(ctx context.Context) *Viewer {
	if v, ok := ctx.Value(key{}).(*Viewer); ok {
		return v
	}
	return &Viewer{}
}

// AsSystem is for the few places that act for no outsider: sweeps, signing in, the first start. A test counts its callers.
func AsSystem(ctx context.Context) context.Context { return With(ctx, &Viewer{Kind: System}) }

// Person tells whether a person asks, by browser or by API token.
func (v *Viewer) Person() bool { return v.Kind == Session || v.Kind == APIToken }

// GlobalAdmin tells whether the viewer acts as a global administrator: with a browser only, never with a token.
func (v *Viewer) GlobalAdmin() bool {
	return v.Kind == System || v.Kind == Session && v.User != nil && v.User.IsGlobalAdmin
}

// UserID is the person's id, 0 when there is none.
func (v *Viewer) UserID() int64 {
	if v.User == nil {
		return 0
	}
	return v.User.ID
}

// Role is the viewer's role in a project, empty when they have none.
func (v *Viewer) Role(project int64) membership.Role {
	if v.GlobalAdmin() {
		return membership.RoleAdmin
	}
	return v.Roles[project]
}

// Sees tells whether the viewer may see what belongs to a project.
func (v *Viewer) Sees(project int64) bool {
	switch v.Kind {
	case System:
		return true
	case Worker:
		return v.ProjectID == project
	case Job:
		return v.ProjectID == project && v.Roles[project] != ""
	}
	return v.Role(project) != ""
}

// projects lists what the viewer may see; all is true for those who see everything.
func (v *Viewer) projects() (ids []int64, all bool) {
	if v.GlobalAdmin() {
		return nil, true
	}
	if v.Kind == Worker {
		return []int64{v.ProjectID}, false
	}
	for id := range v.Roles {
		ids = append(ids, id)
	}
	return ids, false
}

// Person returns the viewer's user, or UNAUTHENTICATED.
func Person(ctx context.Context) (*ent.User, error) {
	v := From(ctx)
	if !v.Person() || v.User == nil {
		return nil, fault.New(fault.Unauthenticated, "Sign in first.")
	}
	return v.User, nil
}
