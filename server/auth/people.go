package auth

import (
	"context"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"nightshift/ent"
	"nightshift/ent/membership"
	"nightshift/ent/session"
	"nightshift/ent/signinlink"
	"nightshift/ent/user"
	"nightshift/server/access"
	"nightshift/server/db"
	"nightshift/server/fault"
)

var (
	nameForm = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)
	keyForm  = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)
)

// Title checks a name that people read, such as a project's: one line, and no more than its column holds.
func Title(field, name string) (string, error) {
	name = strings.TrimSpace(name)
	if name == "" || len(name) > 128 || !utf8.ValidString(name) || strings.IndexFunc(name, unicode.IsControl) >= 0 {
		return "", fault.Invalid(field, "A name is one line of 1 to 128 characters; those beyond ASCII count two to four.")
	}
	return name, nil
}

// CreateUser adds a person. They sign in with a one-time link and set a password then.
func (r *Room) CreateUser(ctx context.Context, name, display string, admin bool) (*ent.User, error) {
	name = strings.ToLower(strings.TrimSpace(name))
	if !nameForm.MatchString(name) {
		return nil, fault.Invalid("name", "A user's name has 1 to 64 of the characters a-z, 0-9, . _ and -, and starts with a letter or digit.")
	}
	if strings.TrimSpace(display) == "" {
		display = name
	} else {
		var err error
		if display, err = Title("displayName", display); err != nil {
			return nil, err
		}
	}
	u, err := r.DB.User.Create().SetName(name).SetDisplayName(display).SetIsGlobalAdmin(admin).Save(ctx)
	if db.IsUnique(err) {
		return nil, fault.New(fault.Conflict, "There is a user named %q already.", name)
	}
	return u, err
}

// UserChange is what an administrator changes of a person; nil leaves it.
type UserChange struct{ Disabled, GlobalAdmin *bool }

// ChangeUser disables or enables a person, or changes whether they are a global administrator. Whoever is disabled can do nothing more
// from now on: sessions and links are gone, tokens sleep. One administrator always remains.
func (r *Room) ChangeUser(ctx context.Context, id int64, c UserChange) (*ent.User, error) {
	off := c.Disabled != nil && *c.Disabled
	demoted := c.GlobalAdmin != nil && !*c.GlobalAdmin
	if v := access.From(ctx); (off || demoted) && v.UserID() == id {
		return nil, fault.New(fault.Conflict, "You cannot disable yourself or take your own administration away: ask another administrator.")
	}
	var u *ent.User
	err := r.DB.InTx(ctx, func(tx *db.Tx) (err error) {
		if tx.Postgres() { // two administrators cannot take each other's administration away at once
			if _, err := tx.Exec(ctx, `SELECT id FROM users WHERE is_global_admin ORDER BY id FOR UPDATE`); err != nil {
				return err
			}
		}
		if u, err = tx.User.Get(ctx, id); ent.IsNotFound(err) {
			return fault.Missing("user")
		} else if err != nil {
			return err
		}
		if u.IsGlobalAdmin && u.DisabledAt == nil && (off || demoted) {
			if err := anotherAdministrator(ctx, tx, id); err != nil {
				return err
			}
		}
		q := tx.User.UpdateOneID(id).SetNillableIsGlobalAdmin(c.GlobalAdmin)
		if off && u.DisabledAt == nil {
			q.SetDisabledAt(r.now())
		} else if c.Disabled != nil && !off {
			q.ClearDisabledAt()
		}
		if u, err = q.Save(ctx); err != nil || !off {
			return err
		}
		if _, err := tx.SignInLink.Delete().Where(signinlink.UserID(id)).Exec(ctx); err != nil {
			return err
		}
		_, err = tx.Session.Delete().Where(session.UserID(id)).Exec(ctx)
		return err
	})
	r.Forget()
	if err != nil {
		return nil, err
	}
	return u.Unwrap(), nil
}

func anotherAdministrator(ctx context.Context, tx *db.Tx, but int64) error {
	others, err := tx.User.Query().Where(user.IsGlobalAdmin(true), user.DisabledAtIsNil(), user.IDNEQ(but)).Exist(ctx)
	if err == nil && !others {
		err = fault.New(fault.Conflict, "Nobody would be left to administer the server: make somebody else a global administrator first.")
	}
	return err
}

// CreateProject makes a project with an admin and a default experiment.
func (r *Room) CreateProject(ctx context.Context, key, name string, admin int64) (p *ent.Project, err error) {
	if !keyForm.MatchString(key) {
		return nil, fault.Invalid("key", "A project's key has 1 to 40 of the characters a-z, 0-9 and -.")
	}
	if name, err = Title("name", name); err != nil {
		return nil, err
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

// SetMember adds a person to a project or changes their role.
func (r *Room) SetMember(ctx context.Context, key, name string, role membership.Role) (*ent.User, error) {
	return r.changeMember(ctx, key, name, func(tx *db.Tx, p *ent.Project, u *ent.User, old *ent.Membership) error {
		switch {
		case old == nil:
			return tx.Membership.Create().SetUserID(u.ID).SetProjectID(p.ID).SetRole(role).Exec(ctx)
		case old.Role == role:
			return nil
		case old.Role == membership.RoleAdmin:
			if err := anotherAdmin(ctx, tx, p.ID, u.ID); err != nil {
				return err
			}
		}
		return tx.Membership.UpdateOneID(old.ID).SetRole(role).Exec(ctx)
	})
}

// RemoveMember takes a person out of a project.
func (r *Room) RemoveMember(ctx context.Context, key, name string) error {
	_, err := r.changeMember(ctx, key, name, func(tx *db.Tx, p *ent.Project, u *ent.User, old *ent.Membership) error {
		if old == nil {
			return fault.Missing("member")
		}
		if old.Role == membership.RoleAdmin {
			if err := anotherAdmin(ctx, tx, p.ID, u.ID); err != nil {
				return err
			}
		}
		return tx.Membership.DeleteOneID(old.ID).Exec(ctx)
	})
	return err
}

func (r *Room) changeMember(ctx context.Context, key, name string, change func(*db.Tx, *ent.Project, *ent.User, *ent.Membership) error) (*ent.User, error) {
	p, err := r.projectByKey(ctx, key)
	if err != nil {
		return nil, err
	}
	if err := access.Require(ctx, access.Members, p.ID); err != nil {
		return nil, err
	}
	name = strings.ToLower(strings.TrimSpace(name))
	if !nameForm.MatchString(name) {
		return nil, noUser(name)
	}
	u, err := r.DB.User.Query().Where(user.Name(name)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, noUser(name)
	} else if err != nil {
		return nil, err
	}
	err = r.DB.InTx(ctx, func(tx *db.Tx) error {
		if tx.Postgres() { // one change of a project's members at a time, so that two admins cannot leave at once
			if _, err := tx.Exec(ctx, `SELECT id FROM projects WHERE id = ? FOR UPDATE`, p.ID); err != nil {
				return err
			}
		}
		old, err := tx.Membership.Query().Where(membership.UserID(u.ID), membership.ProjectID(p.ID)).Only(ctx)
		if err != nil && !ent.IsNotFound(err) {
			return err
		}
		return change(tx, p, u, old)
	})
	r.Forget()
	return u, err
}

func noUser(name string) error {
	return fault.Invalid("userName", "There is no user named %q. A global administrator can create one.", name)
}

// anotherAdmin makes sure that a project is not left without one.
func anotherAdmin(ctx context.Context, tx *db.Tx, project, but int64) error {
	others, err := tx.Membership.Query().Where(membership.ProjectID(project), membership.RoleEQ(membership.RoleAdmin), membership.UserIDNEQ(but)).Exist(ctx)
	if err == nil && !others {
		err = fault.New(fault.Conflict, "The project would be left without an administrator: make somebody else one first.")
	}
	return err
}
