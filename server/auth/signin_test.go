package auth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"nightshift/ent/user"
	"nightshift/server/access"
	"nightshift/server/db"
	"nightshift/server/fault"
)

func TestSignInWithPasswordSetsACookieThatScriptsCannotRead(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		u := w.userWithPassword("ada")
		for _, secure := range []bool{false, true} {
			w.Secure = secure
			b := w.from("10.0.0.1")
			v, err := w.SignIn(b.ctx, " Ada ", password)
			w.must(err)
			if v.Kind != access.Session || v.UserID() != u.ID || v.FromLink {
				t.Fatalf("%+v", v)
			}
			c := b.cookie()
			if c == nil || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Secure != secure || c.Path != "/x/" || c.MaxAge != 30*24*3600 {
				t.Fatalf("%+v", c)
			}
			if got := w.viewer(c.Value, ""); got.SessionID != v.SessionID {
				t.Fatalf("%+v", got)
			}
			if s := w.DB.Session.GetX(w.system, v.SessionID); s.UserAgent != "Firefox" {
				t.Fatalf("%+v", s)
			}
		}
	})
}

func TestWrongPasswordOpensNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.userWithPassword("ada")
		b := w.from("10.0.0.1")
		_, err := w.SignIn(b.ctx, "ada", password+"x")
		w.wants(err, fault.Unauthenticated)
		if b.cookie() != nil || w.DB.Session.Query().CountX(w.system) != 0 {
			t.Fatal("a session was opened")
		}
	})
}

func TestGuessingIsLimitedPerName(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.user("ada", false) // without a password nothing slow is compared, but counted all the same
		var err error
		for i := range 10 {
			_, err = w.SignIn(w.from(fmt.Sprintf("10.0.%d.1", i)).ctx, "ada", "x")
			w.wants(err, fault.Unauthenticated)
		}
		_, err = w.SignIn(w.from("10.0.200.1").ctx, "ADA", "x")
		w.wants(err, fault.RateLimited)
		var f *fault.Error
		if !errors.As(err, &f) || f.Args["retryAfterSeconds"] != 6 {
			t.Fatalf("%+v", f)
		}
		_, err = w.SignIn(w.from("10.0.201.1").ctx, "bob", "x")
		w.wants(err, fault.Unauthenticated)
		w.later(6 * time.Second)
		_, err = w.SignIn(w.from("10.0.202.1").ctx, "ada", "x")
		w.wants(err, fault.Unauthenticated)
	})
}

func TestGuessingIsLimitedPerAddressAndLocksNobodyElseOut(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		u := w.userWithPassword("ada")
		var err error
		for i := range 40 {
			_, err = w.SignIn(w.from("10.0.0.66").ctx, fmt.Sprint("user", i), "x\x00")
		}
		w.wants(err, fault.RateLimited)
		_, err = w.SignIn(w.from("10.0.0.66").ctx, "ada", password)
		w.wants(err, fault.RateLimited)
		_, err = w.SignInWithLink(w.from("10.0.0.66").ctx, "nsl_x")
		w.wants(err, fault.RateLimited)
		_, err = w.SignIn(w.from("10.0.0.67").ctx, "ada", password)
		w.must(err)
		for range 100 { // good attempts are never too many
			_, cookie := w.signedIn(u)
			w.viewer(cookie, "")
		}
	})
}

func TestSignInLinkWorksOnceWithinItsTime(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		u := w.user("ada", false)
		link, err := w.NewSignInLink(w.system, u.ID, 10*time.Minute)
		w.must(err)
		b := w.from("10.0.0.1")
		v, err := w.SignInWithLink(b.ctx, link)
		w.must(err)
		if !v.FromLink || b.cookie() == nil {
			t.Fatalf("%+v", v)
		}
		_, err = w.SignInWithLink(w.from("10.0.0.1").ctx, link)
		w.wants(err, fault.Unauthenticated)

		late, err := w.NewSignInLink(w.system, u.ID, 10*time.Minute)
		w.must(err)
		w.later(10 * time.Minute)
		_, err = w.SignInWithLink(w.from("10.0.0.1").ctx, late)
		w.wants(err, fault.Unauthenticated)
	})
}

func TestOfTwentyThatUseOneLinkAtOnceOneGetsIn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		u := w.user("ada", false)
		link, err := w.NewSignInLink(w.system, u.ID, time.Minute)
		w.must(err)
		ok, others := atSameTime(20, func(i int) error {
			_, err := w.SignInWithLink(w.from(fmt.Sprintf("10.0.0.%d", i)).ctx, link)
			return err
		})
		if ok != 1 || others[fault.Unauthenticated] != 19 || w.DB.Session.Query().CountX(w.system) != 1 {
			t.Fatal(ok, others)
		}
	})
}

func TestLinkIsNotUsedUpWhenTheSessionCouldNotBeOpened(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		u := w.user("ada", false)
		link, err := w.NewSignInLink(w.system, u.ID, time.Minute)
		w.must(err)
		w.must(w.DB.User.UpdateOne(u).SetDisabledAt(db.Now()).Exec(w.system))
		_, err = w.SignInWithLink(w.from("10.0.0.1").ctx, link)
		w.wants(err, fault.Unauthenticated)
		w.must(w.DB.User.Update().Where(user.ID(u.ID)).ClearDisabledAt().Exec(w.system))
		_, err = w.SignInWithLink(w.from("10.0.0.1").ctx, link)
		w.must(err)
	})
}

func TestSignOutEndsOneSessionAndEverywhereAll(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		u, other := w.user("ada", false), w.user("bob", false)
		ctx1, c1 := w.signedIn(u)
		ctx2, c2 := w.signedIn(u)
		_, c3 := w.signedIn(u)
		_, theirs := w.signedIn(other)
		for _, c := range []string{c1, c2, c3, theirs} {
			w.viewer(c, "")
		}
		w.must(w.SignOut(ctx1, false))
		w.refused(w.Room, c1, "")
		w.viewer(c2, "")
		w.must(w.SignOut(ctx2, true))
		w.refused(w.Room, c2, "")
		w.refused(w.Room, c3, "")
		w.viewer(theirs, "")
	})
}

func TestSettingAPasswordNeedsThePresentOneAndEndsOtherSessions(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		u := w.userWithPassword("ada")
		b := w.from("10.0.0.1")
		v, err := w.SignIn(b.ctx, "ada", password)
		w.must(err)
		ctx, mine := access.With(b.ctx, v), b.cookie().Value
		_, elsewhere := w.signedIn(u)
		w.viewer(elsewhere, "")
		const next = "another password 2"
		w.wants(w.SetPassword(ctx, nil, next), fault.InvalidInput)
		wrong, right := "wrong password", password
		w.wants(w.SetPassword(ctx, &wrong, next), fault.InvalidInput)
		w.wants(w.SetPassword(ctx, &right, "short"), fault.InvalidInput)
		w.must(w.SetPassword(ctx, &right, next))
		w.viewer(mine, "")
		w.refused(w.Room, elsewhere, "")
		_, err = w.SignIn(w.from("10.0.0.2").ctx, "ada", password)
		w.wants(err, fault.Unauthenticated)
		_, err = w.SignIn(w.from("10.0.0.2").ctx, "ada", next)
		w.must(err)
	})
}

func TestSessionFromALinkSetsAPasswordOnceWithoutTheOldOne(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		u := w.userWithPassword("ada")
		ctx, cookie := w.signedIn(u)
		w.must(w.SetPassword(ctx, nil, "a fresh password"))
		again := access.With(ctx, w.viewer(cookie, ""))
		w.wants(w.SetPassword(again, nil, "a second password"), fault.InvalidInput)
	})
}

func TestGuessingThePresentPasswordIsLimitedToo(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		u := w.userWithPassword("ada")
		v := access.Viewer{Kind: access.Session, User: u}
		ctx := access.With(context.Background(), &v)
		wrong := "wrong password"
		var err error
		for range 11 {
			err = w.SetPassword(ctx, &wrong, "another password 2")
		}
		w.wants(err, fault.RateLimited)
		_, err = w.SignIn(w.from("10.0.0.1").ctx, "ada", password)
		w.must(err)
	})
}
