package auth

import (
	"context"
	"math"
	"strings"
	"time"

	"nightshift/ent"
	"nightshift/ent/session"
	"nightshift/ent/signinlink"
	"nightshift/ent/user"
	"nightshift/server/access"
	"nightshift/server/db"
	"nightshift/server/fault"
	"nightshift/server/token"
)

// SignIn opens a session for a name and password and sets its cookie.
func (r *Room) SignIn(ctx context.Context, name, password string) (*access.Viewer, error) {
	name = strings.ToLower(strings.TrimSpace(name))
	if wait, ok := r.rate.allow("name:"+name, "from:"+addressOf(ctx)); !ok {
		return nil, fault.New(fault.RateLimited, "Too many attempts. Try again in a moment.").With("retryAfterSeconds", int(math.Ceil(wait.Seconds())))
	}
	sys := access.AsSystem(ctx)
	u, err := r.DB.User.Query().Where(user.Name(name)).Only(sys)
	if err != nil && !ent.IsNotFound(err) {
		return nil, err
	}
	stored := ""
	if u != nil {
		stored = u.PasswordHash
	}
	ok, err := checkPassword(ctx, password, stored)
	if err != nil {
		return nil, err
	}
	if !ok || u == nil || u.DisabledAt != nil {
		return nil, fault.New(fault.Unauthenticated, "The name or the password is wrong.")
	}
	r.rate.clear("name:" + name)
	return r.openSession(ctx, u, false)
}

// SignInWithLink opens a session for a one-time link, which works once.
func (r *Room) SignInWithLink(ctx context.Context, secret string) (*access.Viewer, error) {
	if wait, ok := r.rate.allow("from:" + addressOf(ctx)); !ok {
		return nil, fault.New(fault.RateLimited, "Too many attempts. Try again in a moment.").With("retryAfterSeconds", int(math.Ceil(wait.Seconds())))
	}
	sys := access.AsSystem(ctx)
	var u *ent.User
	err := r.DB.InTx(sys, func(tx *db.Tx) error {
		l, err := tx.SignInLink.Query().Where(signinlink.Hash(token.Hash(secret)), signinlink.ExpiresAtGT(db.Now())).WithUser().Only(sys)
		if ent.IsNotFound(err) {
			return fault.New(fault.Unauthenticated, "This sign-in link has expired or was used already. Ask for a new one.")
		} else if err != nil {
			return err
		}
		// Whoever deletes the row has used the link: of two at once only one does.
		n, err := tx.SignInLink.Delete().Where(signinlink.ID(l.ID)).Exec(sys)
		if err != nil {
			return err
		}
		if n == 0 || l.Edges.User.DisabledAt != nil {
			return fault.New(fault.Unauthenticated, "This sign-in link has expired or was used already. Ask for a new one.")
		}
		u = l.Edges.User
		return nil
	})
	if err != nil {
		return nil, err
	}
	return r.openSession(ctx, u, true)
}

func (r *Room) openSession(ctx context.Context, u *ent.User, fromLink bool) (*access.Viewer, error) {
	secret := token.Mint(token.Session)
	now := db.Now()
	sys := access.AsSystem(ctx)
	_, err := r.DB.Session.Create().SetHash(token.Hash(secret)).SetUserID(u.ID).SetFromLink(fromLink).SetUserAgent(agentOf(ctx)).
		SetLastSeenAt(now).SetExpiresAt(now.Add(sessionLasts)).Save(sys)
	if err != nil {
		return nil, err
	}
	r.setCookie(ctx, secret, sessionLasts)
	return r.Identify(ctx, secret, "")
}

// SignOut ends this session, or all of the person's.
func (r *Room) SignOut(ctx context.Context, everywhere bool) error {
	v := access.From(ctx)
	q := r.DB.Session.Delete().Where(session.ID(v.SessionID))
	if everywhere {
		q = r.DB.Session.Delete().Where(session.UserID(v.UserID()))
	}
	if _, err := q.Exec(ctx); err != nil {
		return err
	}
	r.Forget()
	r.setCookie(ctx, "", -time.Hour)
	return nil
}

// SetPassword sets the viewer's own. The present one is asked for unless none was set or a one-time link opened the session. Every other
// session ends.
func (r *Room) SetPassword(ctx context.Context, current *string, next string) error {
	v := access.From(ctx)
	if err := goodPassword(next); err != nil {
		return err
	}
	u, err := r.DB.User.Get(ctx, v.UserID())
	if err != nil {
		return err
	}
	if u.PasswordHash != "" && !v.FromLink {
		if _, ok := r.rate.allow("name:" + u.Name); !ok {
			return fault.New(fault.RateLimited, "Too many attempts. Try again in a moment.")
		}
		given := ""
		if current != nil {
			given = *current
		}
		ok, err := checkPassword(ctx, given, u.PasswordHash)
		if err != nil {
			return err
		}
		if !ok {
			return fault.Invalid("currentPassword", "This is not your present password.")
		}
	}
	hash, err := hashPassword(ctx, next)
	if err != nil {
		return err
	}
	err = r.DB.InTx(ctx, func(tx *db.Tx) error {
		if err := tx.User.UpdateOneID(u.ID).SetPasswordHash(hash).Exec(ctx); err != nil {
			return err
		}
		if err := tx.Session.UpdateOneID(v.SessionID).SetFromLink(false).Exec(ctx); err != nil {
			return err
		}
		_, err := tx.Session.Delete().Where(session.UserID(u.ID), session.IDNEQ(v.SessionID)).Exec(ctx)
		return err
	})
	r.Forget()
	return err
}

// NewSignInLink makes a secret that signs a person in once.
func (r *Room) NewSignInLink(ctx context.Context, userID int64, lasts time.Duration) (string, error) {
	secret := token.Mint(token.Link)
	err := r.DB.SignInLink.Create().SetHash(token.Hash(secret)).SetUserID(userID).SetExpiresAt(db.Now().Add(lasts)).Exec(access.AsSystem(ctx))
	return secret, err
}
