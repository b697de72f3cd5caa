package auth

import (
	"context"
	"strconv"
	"strings"
	"time"
	"unicode"

	"nightshift/ent"
	"nightshift/ent/computer"
	"nightshift/ent/project"
	enttoken "nightshift/ent/token"
	"nightshift/server/access"
	"nightshift/server/db"
	"nightshift/server/fault"

	"nightshift/server/token"
)

func tokenName(name string) (string, error) {
	name = strings.TrimSpace(name)
	if name == "" || len(name) > 100 || strings.IndexFunc(name, unicode.IsControl) >= 0 {
		return "", fault.Invalid("name", "Give the token a name of at most 100 characters, such as the machine it is for.")
	}
	return name, nil
}

// CreateAPIToken makes a token of the viewer's own. The secret is returned once, never again.
func (r *Room) CreateAPIToken(ctx context.Context, name string, scopes []string, days int) (*ent.Token, string, error) {
	u, err := access.Person(ctx)
	if err != nil {
		return nil, "", err
	}
	if name, err = tokenName(name); err != nil {
		return nil, "", err
	}
	if !knownScopes(scopes) {
		return nil, "", fault.Invalid("scopes", "Choose at least one scope.")
	}
	if days < 1 || days > 365 {
		return nil, "", fault.Invalid("expiresInDays", "A token lasts 1 to 365 days.")
	}
	return r.mint(ctx, u.ID, name, scopes, time.Duration(days)*24*time.Hour)
}

func (r *Room) mint(ctx context.Context, userID int64, name string, scopes []string, lasts time.Duration) (*ent.Token, string, error) {
	secret := token.Mint(token.API)
	t, err := r.DB.Token.Create().SetKind(enttoken.KindApi).SetHash(token.Hash(secret)).SetPrefix(token.Hint(secret)).SetName(name).
		SetUserID(userID).SetScopes(scopes).SetExpiresAt(db.Now().Add(lasts)).Save(ctx)
	return t, secret, err
}

// CreateWorkerToken makes a token for the workers of one project on named computers, each the viewer's to manage.
func (r *Room) CreateWorkerToken(ctx context.Context, projectKey string, computers []string, name string, days *int) (*ent.Token, string, error) {
	u, err := access.Person(ctx)
	if err != nil {
		return nil, "", err
	}
	p, err := r.DB.Project.Query().Where(project.Key(projectKey)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, "", fault.Missing("project")
	} else if err != nil {
		return nil, "", err
	}
	if len(computers) == 0 {
		return nil, "", fault.Invalid("computers", "Name the computers the worker may claim for.")
	}
	var ids []int64
	for _, n := range computers {
		c, err := r.DB.Computer.Query().Where(computer.Or(computer.Name(n), computer.ID(keyOf(n))), computer.DeletedAtIsNil()).First(ctx)
		if ent.IsNotFound(err) || err == nil && !access.From(ctx).MayManage(c) {
			return nil, "", fault.Denied("Only the owner of %q or a global administrator can make worker tokens for it.", n)
		} else if err != nil {
			return nil, "", err
		}
		ids = append(ids, c.ID)
	}
	if name == "" {
		name = "worker"
	}
	if name, err = tokenName(name); err != nil {
		return nil, "", err
	}
	var expires *time.Time
	if days != nil {
		if *days < 1 || *days > 3650 {
			return nil, "", fault.Invalid("expiresInDays", "A worker token lasts 1 to 3650 days, or for ever when left out.")
		}
		e := db.Now().Add(time.Duration(*days) * 24 * time.Hour)
		expires = &e
	}
	return r.mintWorker(ctx, u.ID, p.ID, ids, name, expires)
}

func (r *Room) mintWorker(ctx context.Context, userID, projectID int64, computers []int64, name string, expires *time.Time) (*ent.Token, string, error) {
	secret := token.Mint(token.Worker)
	t, err := r.DB.Token.Create().SetKind(enttoken.KindWorker).SetHash(token.Hash(secret)).SetPrefix(token.Hint(secret)).SetName(name).
		SetUserID(userID).SetProjectID(projectID).SetComputerIds(computers).SetNillableExpiresAt(expires).Save(ctx)
	return t, secret, err
}

// Revoke ends a token: one's own API token, or a worker token one made, whose computers one manages, or whose project one administers.
func (r *Room) Revoke(ctx context.Context, id int64) (*ent.Token, error) {
	v := access.From(ctx)
	t, err := r.DB.Token.Query().Where(enttoken.ID(id), enttoken.KindNEQ(enttoken.KindJob)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.Missing("token")
	} else if err != nil {
		return nil, err
	}
	mine := t.UserID == v.UserID()
	if !mine && (t.Kind != enttoken.KindWorker || t.ProjectID == nil || !v.Can(access.Members, *t.ProjectID)) {
		return nil, fault.Missing("token")
	}
	if t.RevokedAt == nil {
		if t, err = r.DB.Token.UpdateOne(t).SetRevokedAt(db.Now()).Save(ctx); err != nil {
			return nil, err
		}
	}
	r.Forget()
	return t, nil
}

// keyOf reads a decimal key; what is not one can belong to nothing.
func keyOf(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return -1
	}
	return n
}
