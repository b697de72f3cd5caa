package auth

import (
	"context"
	"slices"
	"time"

	"nightshift/ent"
	"nightshift/ent/computer"
	"nightshift/ent/project"
	enttoken "nightshift/ent/token"
	"nightshift/ent/user"
	"nightshift/server/db"
	"nightshift/server/token"
)

// What the first start makes, and every later one finds. It runs on the server's own host, with a context that acts as the system.

// EnsureAdministrator is the first global administrator, made when there is none: nobody could sign in otherwise.
func (r *Room) EnsureAdministrator(ctx context.Context, name string) (u *ent.User, fresh bool, err error) {
	first := func() (*ent.User, error) {
		return r.DB.User.Query().Where(user.IsGlobalAdmin(true), user.DisabledAtIsNil()).Order(user.ByID()).First(ctx)
	}
	if u, err = first(); !ent.IsNotFound(err) {
		return u, false, err
	}
	if nameForm.MatchString(name) {
		n, err := r.DB.User.Update().Where(user.Name(name)).SetIsGlobalAdmin(true).ClearDisabledAt().Save(ctx)
		if err != nil {
			return nil, false, err
		}
		if n > 0 {
			u, err = first()
			return u, false, err
		}
	} else {
		name = "admin"
	}
	u, err = r.CreateUser(ctx, name, "", true)
	return u, err == nil, err
}

// EnsureProject is a project with the user as its admin.
func (r *Room) EnsureProject(ctx context.Context, key, name string, admin int64) (*ent.Project, error) {
	p, err := r.DB.Project.Query().Where(project.Key(key)).Only(ctx)
	if !ent.IsNotFound(err) {
		return p, err
	}
	return r.CreateProject(ctx, key, name, admin)
}

// EnsureComputer is this host's own computer.
func (r *Room) EnsureComputer(ctx context.Context, name string, owner int64, maxJobs int) (*ent.Computer, error) {
	c, err := r.DB.Computer.Query().Where(computer.Name(name), computer.KindEQ(computer.KindLocal), computer.DeletedAtIsNil()).Order(computer.ByID()).First(ctx)
	if !ent.IsNotFound(err) {
		return c, err
	}
	return r.DB.Computer.Create().SetName(name).SetKind(computer.KindLocal).SetVisibility(computer.VisibilityPublic).SetOwnerID(owner).
		SetMaxJobs(maxJobs).SetRuntimes([]string{"shell"}).Save(ctx)
}

// EnsureWorkerToken keeps a secret that still works, or makes a new one.
func (r *Room) EnsureWorkerToken(ctx context.Context, secret string, userID, projectID, computerID int64) (string, error) {
	if plausible(secret, token.Worker) {
		t, err := r.DB.Token.Query().Where(enttoken.Hash(token.Hash(secret)), enttoken.KindEQ(enttoken.KindWorker), enttoken.ProjectID(projectID),
			enttoken.RevokedAtIsNil(), enttoken.ExpiresAtIsNil()).WithUser().Only(ctx)
		if err == nil && slices.Contains(t.ComputerIds, computerID) && t.Edges.User.DisabledAt == nil {
			return secret, nil
		} else if err != nil && !ent.IsNotFound(err) {
			return "", err
		}
	}
	_, secret, err := r.mintWorker(ctx, userID, projectID, []int64{computerID}, "up", nil)
	return secret, err
}

// ReplaceAPIToken makes a token with every scope that takes the place of the last one of that name.
func (r *Room) ReplaceAPIToken(ctx context.Context, userID int64, name string) (secret string, err error) {
	err = r.DB.InTx(ctx, func(tx *db.Tx) error {
		if _, err := tx.Token.Delete().Where(enttoken.UserID(userID), enttoken.KindEQ(enttoken.KindApi), enttoken.Name(name)).Exec(ctx); err != nil {
			return err
		}
		_, secret, err = r.mint(ctx, tx.Client(), userID, name, Scopes(), 90*24*time.Hour)
		return err
	})
	r.Forget()
	return secret, err
}
