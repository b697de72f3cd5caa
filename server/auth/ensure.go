package auth

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"nightshift/ent"
	"nightshift/ent/computer"
	"nightshift/ent/membership"
	"nightshift/ent/project"
	enttoken "nightshift/ent/token"
	"nightshift/ent/user"
	"nightshift/server/db"
	"nightshift/server/fault"
	"nightshift/server/token"
)

// What the first start and `nightshift admin` make. They run on the server's own host, with a context that acts as the system.

var (
	nameForm = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)
	keyForm  = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)
)

// EnsureAdministrator is the first global administrator, made when there is none.
func (r *Room) EnsureAdministrator(ctx context.Context, name string) (u *ent.User, fresh bool, err error) {
	u, err = r.DB.User.Query().Where(user.IsGlobalAdmin(true), user.DisabledAtIsNil()).Order(user.ByID()).First(ctx)
	if !ent.IsNotFound(err) {
		return u, false, err
	}
	u, err = r.CreateUser(ctx, name, "", true)
	return u, true, err
}

// CreateUser adds a person. They sign in with a one-time link and set a password then.
func (r *Room) CreateUser(ctx context.Context, name, display string, admin bool) (*ent.User, error) {
	name = strings.ToLower(strings.TrimSpace(name))
	if !nameForm.MatchString(name) {
		return nil, fault.Invalid("name", "A user's name has 1 to 64 of the characters a-z, 0-9, . _ and -, and starts with a letter or digit.")
	}
	if display = strings.TrimSpace(display); display == "" {
		display = name
	}
	u, err := r.DB.User.Create().SetName(name).SetDisplayName(display[:min(len(display), 120)]).SetIsGlobalAdmin(admin).Save(ctx)
	if db.IsUnique(err) {
		return nil, fault.New(fault.Conflict, "There is a user named %q already.", name)
	}
	return u, err
}

// EnsureProject is a project with the user as its admin.
func (r *Room) EnsureProject(ctx context.Context, key, name string, admin int64) (*ent.Project, error) {
	p, err := r.DB.Project.Query().Where(project.Key(key)).Only(ctx)
	if !ent.IsNotFound(err) {
		return p, err
	}
	return r.CreateProject(ctx, key, name, admin)
}

// CreateProject makes a project with an admin and a default experiment.
func (r *Room) CreateProject(ctx context.Context, key, name string, admin int64) (p *ent.Project, err error) {
	if !keyForm.MatchString(key) {
		return nil, fault.Invalid("key", "A project's key has 1 to 40 of the characters a-z, 0-9 and -.")
	}
	if name = strings.TrimSpace(name); name == "" || len(name) > 128 {
		return nil, fault.Invalid("name", "Give the project a name of at most 128 characters.")
	}
	err = r.DB.InTx(ctx, func(tx *db.Tx) error {
		if p, err = tx.Project.Create().SetKey(key).SetName(name).Save(ctx); err != nil {
			return err
		}
		if err := tx.Membership.Create().SetProjectID(p.ID).SetUserID(admin).SetRole(membership.RoleAdmin).Exec(ctx); err != nil {
			return err
		}
		return tx.Experiment.Create().SetProjectID(p.ID).SetName("default").SetIsDefault(true).Exec(ctx)
	})
	if db.IsUnique(err) {
		return nil, fault.New(fault.Conflict, "There is a project with the key %q already.", key)
	}
	if err != nil {
		return nil, err
	}
	r.Forget()
	return p.Unwrap(), nil
}

// EnsureComputer is this host's own computer.
func (r *Room) EnsureComputer(ctx context.Context, name string, owner int64, maxJobs int) (*ent.Computer, error) {
	c, err := r.DB.Computer.Query().Where(computer.Name(name), computer.DeletedAtIsNil()).First(ctx)
	if !ent.IsNotFound(err) {
		return c, err
	}
	return r.DB.Computer.Create().SetName(name).SetKind(computer.KindLocal).SetVisibility(computer.VisibilityPublic).SetOwnerID(owner).
		SetMaxJobs(maxJobs).SetRuntimes([]string{"shell"}).Save(ctx)
}

// EnsureWorkerToken keeps a secret that still works, or makes a new one.
func (r *Room) EnsureWorkerToken(ctx context.Context, secret string, userID, projectID, computerID int64) (string, error) {
	if secret != "" {
		t, err := r.DB.Token.Query().Where(enttoken.Hash(token.Hash(secret)), enttoken.KindEQ(enttoken.KindWorker), enttoken.RevokedAtIsNil()).Only(ctx)
		if err == nil && slices.Contains(t.ComputerIds, computerID) && t.ExpiresAt == nil {
			return secret, nil
		} else if err != nil && !ent.IsNotFound(err) {
			return "", err
		}
	}
	_, secret, err := r.mintWorker(ctx, userID, projectID, []int64{computerID}, "up", nil)
	return secret, err
}

// ReplaceAPIToken makes a token that takes the place of the last one of that name.
func (r *Room) ReplaceAPIToken(ctx context.Context, userID int64, name string) (string, error) {
	if _, err := r.DB.Token.Delete().Where(enttoken.UserID(userID), enttoken.KindEQ(enttoken.KindApi), enttoken.Name(name)).Exec(ctx); err != nil {
		return "", err
	}
	_, secret, err := r.mint(ctx, userID, name, Scopes, 90*24*time.Hour)
	return secret, err
}
