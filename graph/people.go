package graph

import (
	"context"
	"strings"
	"time"

	"nightshift/ent"
	"nightshift/ent/membership"
	"nightshift/ent/project"
	"nightshift/ent/session"
	enttoken "nightshift/ent/token"
	"nightshift/ent/user"
	"nightshift/graph/model"
	"nightshift/server/access"
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
		name := strings.TrimSpace(*in.DisplayName)
		if name == "" || len(name) > 120 || strings.ContainsRune(name, 0) {
			return nil, fault.Invalid("displayName", "A name to show has 1 to 120 bytes.")
		}
		u.SetDisplayName(name)
	}
	saved, err := u.Save(ctx)
	if err != nil {
		return nil, err
	}
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
	id := queue.ID(in.UserID)
	if id == access.From(ctx).UserID() && (in.Disabled != nil && *in.Disabled || in.IsGlobalAdmin != nil && !*in.IsGlobalAdmin) {
		return nil, fault.New(fault.Conflict, "You cannot disable yourself or take your own administration away: ask another administrator.")
	}
	u := r.DB.User.UpdateOneID(id).SetNillableIsGlobalAdmin(in.IsGlobalAdmin)
	if in.Disabled != nil && *in.Disabled {
		u.SetDisabledAt(db.Now())
	} else if in.Disabled != nil {
		u.ClearDisabledAt()
	}
	saved, err := u.Save(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.Missing("user")
	} else if err != nil {
		return nil, err
	}
	if saved.DisabledAt != nil {
		if _, err := r.DB.Session.Delete().Where(session.UserID(id)).Exec(ctx); err != nil {
			return nil, err
		}
	}
	r.Auth.Forget()
	return &model.UpdateUserPayload{User: saved}, nil
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
		end := cursorOf(out.Nodes[n-1].ID)
		out.PageInfo.EndCursor = &end
	}
	return out, nil
}

func (r *Resolver) serverInfo(ctx context.Context) (*model.ServerInfo, error) {
	exists, err := r.DB.User.Query().Exist(ctx)
	return &model.ServerInfo{Version: r.Version, NeedsSetup: !exists, DefaultLanguage: user.LanguageEn}, err
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

// tokensOf are the API tokens that still work.
func (r *Resolver) tokensOf(ctx context.Context, v *access.Viewer) ([]*ent.Token, error) {
	return r.DB.Token.Query().Where(enttoken.UserID(v.UserID()), enttoken.KindEQ(enttoken.KindApi), enttoken.RevokedAtIsNil(),
		enttoken.Or(enttoken.ExpiresAtIsNil(), enttoken.ExpiresAtGT(db.Now()))).Order(enttoken.ByID()).Limit(500).All(ctx)
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

// adminOf is a project that the viewer administers.
func (r *Resolver) adminOf(ctx context.Context, key string) (*ent.Project, error) {
	p, err := r.DB.Project.Query().Where(project.Key(key)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.Missing("project")
	} else if err != nil {
		return nil, err
	}
	return p, access.Require(ctx, access.Members, p.ID)
}

func (r *Resolver) setMember(ctx context.Context, in model.SetMemberInput) (*model.SetMemberPayload, error) {
	p, err := r.adminOf(ctx, in.Project)
	if err != nil {
		return nil, err
	}
	u, err := r.DB.User.Query().Where(user.Name(strings.ToLower(strings.TrimSpace(in.UserName)))).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.Invalid("userName", "There is no user named %q. A global administrator can create one.", in.UserName)
	} else if err != nil {
		return nil, err
	}
	err = r.DB.InTx(ctx, func(tx *db.Tx) error {
		old, err := tx.Membership.Query().Where(membership.UserID(u.ID), membership.ProjectID(p.ID)).Only(ctx)
		if ent.IsNotFound(err) {
			return tx.Membership.Create().SetUserID(u.ID).SetProjectID(p.ID).SetRole(in.Role).Exec(ctx)
		} else if err != nil {
			return err
		}
		if old.Role == membership.RoleAdmin && in.Role != membership.RoleAdmin {
			if err := anotherAdmin(ctx, tx, p.ID, u.ID); err != nil {
				return err
			}
		}
		return tx.Membership.UpdateOne(old).SetRole(in.Role).Exec(ctx)
	})
	if err != nil {
		return nil, err
	}
	r.Auth.Forget()
	return &model.SetMemberPayload{Member: &model.Member{User: actor(u), Role: in.Role}}, nil
}

func (r *Resolver) removeMember(ctx context.Context, in model.RemoveMemberInput) (*model.RemoveMemberPayload, error) {
	p, err := r.adminOf(ctx, in.Project)
	if err != nil {
		return nil, err
	}
	err = r.DB.InTx(ctx, func(tx *db.Tx) error {
		m, err := tx.Membership.Query().Where(membership.ProjectID(p.ID), membership.HasUserWith(user.Name(in.UserName))).Only(ctx)
		if ent.IsNotFound(err) {
			return fault.Missing("member")
		} else if err != nil {
			return err
		}
		if m.Role == membership.RoleAdmin {
			if err := anotherAdmin(ctx, tx, p.ID, m.UserID); err != nil {
				return err
			}
		}
		return tx.Membership.DeleteOne(m).Exec(ctx)
	})
	if err != nil {
		return nil, err
	}
	r.Auth.Forget()
	return &model.RemoveMemberPayload{Ok: true}, nil
}

// anotherAdmin makes sure that a project is not left without one. The project's row is locked, so that two cannot leave at once.
func anotherAdmin(ctx context.Context, tx *db.Tx, project, but int64) error {
	if tx.Postgres() {
		if _, err := tx.Exec(ctx, `SELECT id FROM projects WHERE id = ? FOR UPDATE`, project); err != nil {
			return err
		}
	}
	n, err := tx.Membership.Query().Where(membership.ProjectID(project), membership.RoleEQ(membership.RoleAdmin), membership.UserIDNEQ(but)).Count(ctx)
	if err == nil && n == 0 {
		err = fault.New(fault.Conflict, "The project would be left without an administrator: make somebody else one first.")
	}
	return err
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
