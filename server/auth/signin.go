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

var (
	errPassword = fault.New(fault.Unauthenticated, "The name or the password is wrong.")
	errLink     = fault.New(fault.Unauthenticated, "This sign-in link has expired or was used already. Ask for a new one.")
)

// attempt takes an attempt from each limit, or is RATE_LIMITED.
func (r *Room) attempt(limits ...limit) error {
	wait := r.rate.take(r.now(), limits...)
	if wait == 0 {
		return nil
	}
	seconds := int(math.Ceil(wait.Seconds()))
	return fault.New(fault.RateLimited, "Too many attempts. Try again in %d seconds.", seconds).With("retryAfterSeconds", seconds)
}

// SignIn opens a session for a name and password and sets its cookie.
func (r *Room) SignIn(ctx context.Context, name, password string) (*access.Viewer, error) {
	name = strings.ToLower(strings.TrimSpace(name))
	here := fromAddress(addressOf(ctx))
	if err := r.attempt(here, byName(name)); err != nil {
		return nil, err
	}
	ctx2 := access.AsSystem(ctx)
	var u *ent.User
	var err error
	stored := ""
	if nameForm.MatchString(name) {
		if u, err = r.DB.User.Query().Where(user.Name(name)).Only(ctx2); err != nil && !ent.IsNotFound(err) {
			return nil, err
		}
	}
	if u != nil {
		stored = u.PasswordHash
	}
	ok, err := r.hasher.check(ctx, password, stored)
	if err != nil {
		return nil, err
	}
	if !ok || u.DisabledAt != nil {
		return nil, errPassword
	}
	secret := ""
	err = r.DB.InTx(ctx2, func(tx *db.Tx) (err error) {
		secret, err = r.openSession(ctx2, tx, u.ID, false)
		return err
	})
	if err != nil {
		return nil, err
	}
	r.rate.forget(byName(name))
	return r.begin(ctx, secret, here)
}

// SignInWithLink opens a session for a one-time link, which works once.
func (r *Room) SignInWithLink(ctx context.Context, secret string) (*access.Viewer, error) {
	here := fromAddress(addressOf(ctx))
	if err := r.attempt(here); err != nil {
		return nil, err
	}
	if !plausible(secret, token.Link) {
		return nil, errLink
	}
	ctx2 := access.AsSystem(ctx)
	cookie := ""
	err := r.DB.InTx(ctx2, func(tx *db.Tx) error {
		l, err := tx.SignInLink.Query().Where(signinlink.Hash(token.Hash(secret)), signinlink.ExpiresAtGT(r.now())).WithUser().Only(ctx2)
		if ent.IsNotFound(err) || err == nil && l.Edges.User.DisabledAt != nil {
			return errLink
		} else if err != nil {
			return err
		}
		// Whoever deletes the row has used the link: of two at once only one does.
		n, err := tx.SignInLink.Delete().Where(signinlink.ID(l.ID)).Exec(ctx2)
		if err != nil {
			return err
		}
		if n == 0 {
			return errLink
		}
		cookie, err = r.openSession(ctx2, tx, l.UserID, true)
		return err
	})
	if err != nil {
		return nil, err
	}
	return r.begin(ctx, cookie, here)
}

func (r *Room) openSession(ctx context.Context, tx *db.Tx, userID int64, fromLink bool) (string, error) {
	secret, now := token.Mint(token.Session), r.now()
	err := tx.Session.Create().SetHash(token.Hash(secret)).SetUserID(userID).SetFromLink(fromLink).SetUserAgent(agentOf(ctx)).
		SetLastSeenAt(now).SetExpiresAt(now.Add(sessionLasts)).Exec(ctx)
	return secret, err
}

// begin hands out the cookie of a session that was opened.
func (r *Room) begin(ctx context.Context, secret string, here limit) (*access.Viewer, error) {
	r.rate.giveBack(r.now(), here)
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
		if err := r.present(ctx, u, current); err != nil {
			return err
		}
	}
	hash, err := r.hasher.hash(ctx, next)
	if err != nil {
		return err
	}
	err = r.DB.InTx(ctx, func(tx *db.Tx) error {
		if err := tx.User.UpdateOneID(u.ID).SetPasswordHash(hash).Exec(ctx); err != nil {
			return err
		}
		if err := tx.Session.Update().Where(session.ID(v.SessionID)).SetFromLink(false).Exec(ctx); err != nil {
			return err
		}
		_, err := tx.Session.Delete().Where(session.UserID(u.ID), session.IDNEQ(v.SessionID)).Exec(ctx)
		return err
	})
	r.Forget()
	return err
}

// present checks a person's present password. Guessing it in an open session is as slow as at the door, and locks nobody out there.
func (r *Room) present(ctx context.Context, u *ent.User, given *string) error {
	mine := byName(u.Name)
	mine.key = "changing " + mine.key
	if err := r.attempt(mine); err != nil {
		return err
	}
	password := ""
	if given != nil {
		password = *given
	}
	ok, err := r.hasher.check(ctx, password, u.PasswordHash)
	if err != nil {
		return err
	}
	if !ok {
		return fault.Invalid("currentPassword", "This is not your present password.")
	}
	r.rate.forget(mine)
	return nil
}

// NewSignInLink makes a secret that signs a person in once.
func (r *Room) NewSignInLink(ctx context.Context, userID int64, lasts time.Duration) (string, error) {
	secret := token.Mint(token.Link)
	err := r.DB.SignInLink.Create().SetHash(token.Hash(secret)).SetUserID(userID).SetExpiresAt(r.now().Add(lasts)).Exec(access.AsSystem(ctx))
	return secret, err
}
