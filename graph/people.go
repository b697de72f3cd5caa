package graph

import (
	"context"
	"strings"
	"time"

	"entgo.io/ent/dialect/sql"

	"nightshift/ent"
	"nightshift/ent/membership"
	"nightshift/ent/project"
	"nightshift/ent/session"
	enttoken "nightshift/ent/token"
	"nightshift/ent/user"
	"nightshift/graph/model"
	"nightshift/server/access"
	"nightshift/server/auth"
	"nightshift/server/db"
	"nightshift/server/fault"
	"nightshift/server/queue"
)

const inviteLasts = 7 * 24 * time.Hour

func (r *Resolver) signIn(ctx context.Context, in model.SignInInput) (*access.Viewer, error) {
	switch {
	case in.Link != nil && in.Name == nil && in.Password == nil:
		return r.Auth.SignInWithLink(ctx, *in.Link)
	case in.Link == nil && in.Name != nil && in.Password != nil:
		return r.Auth.SignIn(ctx, *in.Name, *in.Password)
	}
	return nil, fault.Invalid("name", "Give a name and a password, or a link.")
}

func (r *Resolver) updateProfile(ctx context.Context, in model.UpdateProfileInput) (*model.UpdateProfilePayload, error) {
	v := access.From(ctx)
	u := r.DB.User.UpdateOneID(v.UserID()).SetNillableLanguage(in.Language).SetNillableTheme(in.Theme)
	if in.DisplayName != nil {
		name, err := auth.Title("displayName", *in.DisplayName)
		if err != nil {
			return nil, err
		}
		u.SetDisplayName(name)
	}
	saved, err := u.Save(ctx)
	if err != nil {
		return nil, err
	}
	r.Auth.Forget()
	fresh := *v
	fresh.User = saved
	return &model.UpdateProfilePayload{Viewer: &fresh}, nil
}

func (r *Resolver) createUser(ctx context.Context, in model.CreateUserInput) (*model.CreateUserPayload, error) {
	u, err := r.Auth.CreateUser(ctx, in.Name, value(in.DisplayName), in.IsGlobalAdmin)
	if err != nil {
		return nil, err
	}
	link, err := r.Auth.NewSignInLink(ctx, u.ID, inviteLasts)
	if err != nil {
		return nil, err
	}
	return &model.CreateUserPayload{User: u, SignInURL: r.Auth.BaseURL + "/sign-in?link=" + link}, nil
}

func (r *Resolver) updateUser(ctx context.Context, in model.UpdateUserInput) (*model.UpdateUserPayload, error) {
	u, err := r.Auth.ChangeUser(ctx, queue.ID(in.UserID), auth.UserChange{Disabled: in.Disabled, GlobalAdmin: in.IsGlobalAdmin})
	if err != nil {
		return nil, err
	}
	return &model.UpdateUserPayload{User: u}, nil
}

func (r *Resolver) users(ctx context.Context, first *int, after *string) (*model.UserConnection, error) {
	p, err := pageOf(first, after, nil, nil)
	if err != nil {
		return nil, err
	}
	us, err := r.DB.User.Query().Where(user.IDGT(p.after)).Order(user.ByID()).Limit(p.size + 1).All(ctx)
	if err != nil {
		return nil, err
	}
	out := &model.UserConnection{PageInfo: &model.PageInfo{HasNextPage: len(us) > p.size, HasPreviousPage: p.after > 0}}
	out.Nodes = us[:min(len(us), p.size)]
	if n := len(out.Nodes); n > 0 {
		start, end := cursorOf(out.Nodes[0].ID), cursorOf(out.Nodes[n-1].ID)
		out.PageInfo.StartCursor, out.PageInfo.EndCursor = &start, &end
	}
	return out, nil
}

func (r *Resolver) serverInfo(ctx context.Context) (*model.ServerInfo, error) {
	exists, err := r.DB.User.Query().Exist(ctx)
	return &model.ServerInfo{Version: r.Version, NeedsSetup: !exists, DefaultLanguage: user.LanguageEn}, err
}

// whoAsks is the viewer as they see themselves; a worker is nobody's person.
func whoAsks(ctx context.Context) *access.Viewer {
	v := *access.From(ctx)
	if v.Kind == access.Nobody {
		return nil
	}
	if v.Kind == access.Worker {
		v.User = nil
	}
	return &v
}

func viewerKind(v *access.Viewer) model.ViewerKind {
	switch v.Kind {
	case access.Worker:
		return model.ViewerKindWorker
	case access.Job:
		return model.ViewerKindJob
	case access.Session:
		return model.ViewerKindSession
	case access.APIToken:
		return model.ViewerKindPerson
	}
	return model.ViewerKindAnyone
}

// tokensOf are the API tokens that still work, newest first.
func (r *Resolver) tokensOf(ctx context.Context, v *access.Viewer) ([]*ent.Token, error) {
	return r.DB.Token.Query().Where(enttoken.UserID(v.UserID()), enttoken.KindEQ(enttoken.KindApi), enttoken.RevokedAtIsNil(),
		enttoken.Or(enttoken.ExpiresAtIsNil(), enttoken.ExpiresAtGT(db.Now()))).Order(enttoken.ByID(sql.OrderDesc())).Limit(500).All(ctx)
}

// sessionsOf are a person's open sessions, newest first. The viewer of the context is the one who asks: also at the moment of signing in.
func (r *Resolver) sessionsOf(ctx context.Context, v *access.Viewer) ([]*ent.Session, error) {
	return r.DB.Session.Query().Where(session.UserID(v.UserID()), session.ExpiresAtGT(db.Now())).Order(session.ByID(sql.OrderDesc())).Limit(100).All(ctx)
}

func (r *Resolver) createToken(ctx context.Context, in model.CreateAPITokenInput) (*model.CreateAPITokenPayload, error) {
	scopes := make([]string, len(in.Scopes))
	for i, s := range in.Scopes {
		scopes[i] = string(s)
	}
	t, secret, err := r.Auth.CreateAPIToken(ctx, in.Name, scopes, in.ExpiresInDays)
	if err != nil {
		return nil, err
	}
	return &model.CreateAPITokenPayload{Token: t, Secret: secret}, nil
}

func (r *Resolver) setMember(ctx context.Context, in model.SetMemberInput) (*model.SetMemberPayload, error) {
	u, err := r.Auth.SetMember(ctx, in.Project, in.UserName, in.Role)
	if err != nil {
		return nil, err
	}
	return &model.SetMemberPayload{Member: &model.Member{User: actor(u), Role: in.Role}}, nil
}

func (r *Resolver) removeMember(ctx context.Context, in model.RemoveMemberInput) (*model.RemoveMemberPayload, error) {
	if err := r.Auth.RemoveMember(ctx, in.Project, in.UserName); err != nil {
		return nil, err
	}
	return &model.RemoveMemberPayload{Ok: true}, nil
}

// findProject is the project with that key, null where there is none the viewer may see.
func (r *Resolver) findProject(ctx context.Context, key string) (*ent.Project, error) {
	if strings.ContainsRune(key, 0) { // PostgreSQL refuses to look for it
		return nil, nil
	}
	p, err := r.DB.Project.Query().Where(project.Key(key)).Only(ctx)
	return p, ent.MaskNotFound(err)
}

func (r *Resolver) members(ctx context.Context, p *ent.Project) ([]*model.Member, error) {
	ms, err := r.DB.Membership.Query().Where(membership.ProjectID(p.ID)).WithUser().Order(membership.ByID()).Limit(1000).All(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]*model.Member, len(ms))
	for i, m := range ms {
		out[i] = &model.Member{User: actor(m.Edges.User), Role: m.Role}
	}
	return out, nil
}

// people are those who launched jobs here: the index is jumped through from person to person.
func (r *Resolver) people(ctx context.Context, p *ent.Project) ([]*model.Actor, error) {
	var ids []int64
	for last := int64(0); len(ids) < 200; {
		rows, err := r.DB.Query(ctx, `SELECT created_by_id FROM jobs WHERE project_id = ? AND created_by_id > ? ORDER BY created_by_id LIMIT 1`, p.ID, last)
		if err != nil {
			return nil, err
		}
		found := rows.Next()
		if found {
			err = rows.Scan(&last)
		}
		rows.Close()
		if err != nil {
			return nil, err
		}
		if !found {
			break
		}
		ids = append(ids, last)
	}
	us, err := r.DB.User.Query().Where(user.IDIn(ids...)).Order(user.ByName()).All(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]*model.Actor, len(us))
	for i, u := range us {
		out[i] = actor(u)
	}
	return out, nil
}

func (r *Resolver) blocked(ctx context.Context, p *ent.Project) ([]*model.BlockedQueue, error) {
	bs, err := r.Queue.Blocked(ctx, p.ID)
	out := []*model.BlockedQueue{}
	for _, b := range bs {
		out = append(out, &model.BlockedQueue{Computer: b.Computer, Queued: b.Queued, WorkerState: model.WorkerState(b.State), LastSeenAt: b.LastSeen})
	}
	return out, err
}

func (r *Resolver) createProject(ctx context.Context, in model.CreateProjectInput) (*model.CreateProjectPayload, error) {
	p, err := r.Auth.CreateProject(ctx, in.Key, in.Name, access.From(ctx).UserID())
	if err != nil {
		return nil, err
	}
	// The viewer of this request does not know the new project yet.
	v := *access.From(ctx)
	roles := map[int64]membership.Role{p.ID: membership.RoleAdmin}
	for k, role := range v.Roles {
		roles[k] = role
	}
	access.From(ctx).Roles = roles
	return &model.CreateProjectPayload{Project: p}, nil
}
