package auth

import (
	"context"
	"strings"
	"testing"
	"time"

	"nightshift/ent/computer"
	"nightshift/ent/job"
	"nightshift/ent/membership"
	enttoken "nightshift/ent/token"
	"nightshift/server/access"
	"nightshift/server/db"
	"nightshift/server/db/dbtest"
	"nightshift/server/fault"
	"nightshift/server/token"
)

func TestAPITokenHasItsScopesAndItsOwnersRolesAsTheyAreNow(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		admin, u := w.user("root", true), w.user("ada", true)
		p := w.project("vision", admin)
		w.member(p, u, membership.RoleEditor)
		ctx, _ := w.signedIn(u)
		_, secret, err := w.CreateAPIToken(ctx, " laptop ", []string{"READ", "READ", "JOBS_WRITE"}, 90)
		w.must(err)
		v := w.viewer("", secret)
		if v.Kind != access.APIToken || !Allows(v, "READ") || !Allows(v, "JOBS_WRITE") || Allows(v, "ADMIN") || v.Role(p.ID) != membership.RoleEditor {
			t.Fatalf("%+v", v)
		}
		if v.GlobalAdmin() {
			t.Fatal("a token never makes its owner a global administrator")
		}
		w.member(p, u, membership.RoleViewer)
		if v = w.viewer("", secret); v.Role(p.ID) != membership.RoleViewer {
			t.Fatalf("%+v", v)
		}
		w.must(w.RemoveMember(w.system, "vision", "ada"))
		if v = w.viewer("", secret); v.Sees(p.ID) {
			t.Fatalf("%+v", v)
		}
	})
}

func TestAPITokenIsGivenForOneTo365DaysToSomePurpose(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ctx, _ := w.signedIn(w.user("ada", false))
		for _, c := range []struct {
			name   string
			scopes []string
			days   int
			field  string
		}{
			{"", []string{"READ"}, 1, "name"}, {strings.Repeat("x", 101), []string{"READ"}, 1, "name"}, {"a\x00b", []string{"READ"}, 1, "name"},
			{"x", nil, 1, "scopes"}, {"x", []string{"EVERYTHING"}, 1, "scopes"}, {"x", []string{"READ"}, 0, "expiresInDays"}, {"x", []string{"READ"}, 366, "expiresInDays"},
		} {
			_, _, err := w.CreateAPIToken(ctx, c.name, c.scopes, c.days)
			if f, ok := err.(*fault.Error); !ok || f.Field != c.field {
				t.Errorf("%+v: %v", c, err)
			}
		}
		tk, secret, err := w.CreateAPIToken(ctx, "x", []string{"READ"}, 365)
		w.must(err)
		if !strings.HasPrefix(secret, tk.Prefix) || len(tk.Prefix) > 8 {
			t.Fatal(tk.Prefix)
		}
		w.later(365*24*time.Hour - time.Minute)
		w.viewer("", secret)
		w.later(time.Minute)
		w.refused(w.Room, "", secret)
	})
}

func TestTokenUseIsNotedOnceAMinute(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ctx, _ := w.signedIn(w.user("ada", false))
		tk, secret, err := w.CreateAPIToken(ctx, "x", []string{"READ"}, 1)
		w.must(err)
		used := func() time.Time {
			if at := w.DB.Token.GetX(w.system, tk.ID).LastUsedAt; at != nil {
				return *at
			}
			return time.Time{}
		}
		w.viewer("", secret)
		first := used()
		w.later(59 * time.Second)
		w.viewer("", secret)
		if first.IsZero() || !used().Equal(first) {
			t.Fatal(first, used())
		}
		w.later(2 * time.Second)
		w.viewer("", secret)
		if used().Equal(first) {
			t.Fatal("not noted after a minute")
		}
	})
}

func TestRevokedTokenStopsHereAtOnceAndOnOtherServersWithin10s(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		u := w.user("ada", false)
		ctx, _ := w.signedIn(u)
		tk, secret, err := w.CreateAPIToken(ctx, "x", []string{"READ"}, 1)
		w.must(err)
		other := w.beside()
		v, err := other.Identify(context.Background(), "", secret)
		w.must(err)
		w.viewer("", secret)
		_, err = w.Revoke(ctx, tk.ID)
		w.must(err)
		w.refused(w.Room, "", secret)
		w.later(10 * time.Second)
		w.refused(other, "", secret)
		_, err = other.Renew(context.Background(), v)
		w.wants(err, fault.Unauthenticated)
		_, err = w.Revoke(ctx, tk.ID) // again: harmless
		w.must(err)
	})
}

func TestOnlyOnesOwnTokensAreRevoked(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		root, ada, bob := w.user("root", true), w.user("ada", false), w.user("bob", false)
		p := w.project("vision", ada)
		w.member(p, bob, membership.RoleEditor)
		box := w.computer("box", bob, computer.VisibilityPrivate)
		adas, _ := w.signedIn(ada)
		bobs, _ := w.signedIn(bob)
		roots, _ := w.signedIn(root)
		api, secret, err := w.CreateAPIToken(adas, "x", []string{"READ"}, 1)
		w.must(err)
		for name, ctx := range map[string]context.Context{"another person": bobs, "a global administrator": roots, "a stranger": context.Background()} {
			if _, err := w.Revoke(ctx, api.ID); !fault.Is(err, fault.NotFound) {
				t.Errorf("%s: %v", name, err)
			}
		}
		w.viewer("", secret)
		mint := func() int64 {
			tk, _, _, err := w.CreateWorkerToken(bobs, "vision", []string{"box"}, "", nil)
			w.must(err)
			return tk.ID
		}
		eve, _ := w.signedIn(w.user("eve", false))
		id := mint()
		_, err = w.Revoke(eve, id)
		w.wants(err, fault.NotFound)
		for name, ctx := range map[string]context.Context{"who made it": bobs, "the project's admin": adas, "a global administrator": roots} {
			if _, err := w.Revoke(ctx, mint()); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		// made by a global administrator, for a computer whose owner has left the project
		tk, _, _, err := w.CreateWorkerToken(roots, "vision", []string{"box"}, "", nil)
		w.must(err)
		w.must(w.RemoveMember(w.system, "vision", "bob"))
		bobs, _ = w.signedIn(bob)
		if _, err := w.Revoke(bobs, tk.ID); err != nil {
			t.Error("the computer's owner:", err)
		}
		_ = box
	})
}

func TestDisabledUserStopsEverywhereAtOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		root, ada := w.user("root", true), w.user("ada", false)
		w.project("vision", ada)
		w.computer("box", ada, computer.VisibilityPrivate)
		ctx, cookie := w.signedIn(ada)
		_, api, err := w.CreateAPIToken(ctx, "x", []string{"READ"}, 1)
		w.must(err)
		_, _, worker, err := w.CreateWorkerToken(access.With(ctx, w.viewer(cookie, "")), "vision", []string{"box"}, "", nil)
		w.must(err)
		link, err := w.NewSignInLink(w.system, ada.ID, time.Hour)
		w.must(err)
		w.viewer("", api)
		w.viewer("", worker)
		roots, _ := w.signedIn(root)
		yes, no := true, false
		_, err = w.ChangeUser(roots, ada.ID, UserChange{Disabled: &yes})
		w.must(err)
		w.refused(w.Room, cookie, "")
		w.refused(w.Room, "", api)
		w.refused(w.Room, "", worker)
		_, err = w.SignInWithLink(w.from("10.0.0.1").ctx, link)
		w.wants(err, fault.Unauthenticated)
		_, err = w.ChangeUser(roots, ada.ID, UserChange{Disabled: &no})
		w.must(err)
		w.viewer("", api)
		w.refused(w.Room, cookie, "") // sessions do not come back
	})
}

func TestWorkerTokenIsForOneProjectAndComputersOnesOwn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		root, ada, bob := w.user("root", true), w.user("ada", false), w.user("bob", false)
		p := w.project("vision", ada)
		w.project("secret", root)
		w.member(p, bob, membership.RoleViewer)
		adas, bobs := w.computer("box", ada, computer.VisibilityPrivate), w.computer("box", bob, computer.VisibilityPrivate)
		w.computer("cluster", root, computer.VisibilityPublic)
		ctx, _ := w.signedIn(ada)
		tk, cs, secret, err := w.CreateWorkerToken(ctx, "vision", []string{"box", "box"}, "", nil)
		w.must(err)
		if len(cs) != 1 || cs[0].ID != adas.ID || tk.ExpiresAt != nil {
			t.Fatalf("%+v %+v", cs, tk)
		}
		v := w.viewer("", secret)
		if v.Kind != access.Worker || v.ProjectID != p.ID || len(v.ComputerIDs) != 1 || v.ComputerIDs[0] != adas.ID || v.Person() || !v.Sees(p.ID) || v.Can(access.Launch, p.ID) {
			t.Fatalf("%+v", v)
		}
		for _, c := range []struct {
			project, computer string
			code              fault.Code
		}{
			{"vision", "cluster", fault.Forbidden}, {"vision", "nothing", fault.NotFound}, {"secret", "box", fault.NotFound}, {"no\x00ne", "box", fault.NotFound}, {"vision", "b\x00x", fault.NotFound},
		} {
			if _, _, _, err := w.CreateWorkerToken(ctx, c.project, []string{c.computer}, "", nil); !fault.Is(err, c.code) {
				t.Errorf("%+v: %v", c, err)
			}
		}
		_, _, _, err = w.CreateWorkerToken(ctx, "vision", nil, "", nil)
		w.wants(err, fault.InvalidInput)
		roots, _ := w.signedIn(root)
		_, _, _, err = w.CreateWorkerToken(roots, "vision", []string{"box"}, "", nil)
		w.wants(err, fault.InvalidInput) // which of the two?
		_, cs, _, err = w.CreateWorkerToken(roots, "vision", []string{idOf(bobs.ID), "cluster"}, "", nil)
		w.must(err)
		if len(cs) != 2 || cs[0].ID != bobs.ID {
			t.Fatalf("%+v", cs)
		}
		// a global administrator's token is not one
		_, api, err := w.CreateAPIToken(roots, "x", Scopes(), 1)
		w.must(err)
		_, _, _, err = w.CreateWorkerToken(access.With(context.Background(), w.viewer("", api)), "vision", []string{idOf(bobs.ID)}, "", nil)
		w.wants(err, fault.NotFound)
	})
}

func TestRevokedWorkerTokenMayOnlyReportOnWhatItRuns(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		j, _ := dbtest.Job(t, w.DB, "train")
		owner := w.user("ada", true)
		ctx, _ := w.signedIn(owner)
		key := w.DB.Project.GetX(w.system, j.ProjectID).Key
		tk, _, secret, err := w.CreateWorkerToken(ctx, key, []string{idOf(j.ComputerID)}, "", nil)
		w.must(err)
		wk, err := w.DB.Worker.Create().SetComputerID(j.ComputerID).SetProjectID(j.ProjectID).SetTokenID(tk.ID).SetName("w").SetHostname("h").SetHostID("h").SetBootID("b").SetInstanceID("i").SetVersion("1").Save(w.system)
		w.must(err)
		w.must(w.DB.Job.UpdateOne(j).SetWorkerID(wk.ID).Exec(w.system))
		_, err = w.Revoke(ctx, tk.ID)
		w.must(err)
		if v := w.viewer("", secret); !v.Retired || v.Kind != access.Worker {
			t.Fatalf("%+v", v)
		}
		w.later(24 * time.Hour)
		if v := w.viewer("", secret); !v.Retired {
			t.Fatalf("%+v", v)
		}
		w.must(w.DB.Job.UpdateOne(j).ClearWorkerID().SetStatus(job.StatusCompleted).Exec(w.system))
		w.later(10 * time.Second)
		w.refused(w.Room, "", secret)
	})
}

func TestJobTokenHasItsCreatorsPresentRoleAndDiesWithTheJob(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		j, viewer := dbtest.Job(t, w.DB, "train")
		u := access.From(viewer).User
		w.must(w.DB.User.UpdateOne(u).SetIsGlobalAdmin(true).Exec(w.system))
		w.project("elsewhere", u)
		secret := token.Mint(token.Job)
		w.must(w.DB.Token.Create().SetKind(enttoken.KindJob).SetHash(token.Hash(secret)).SetUserID(u.ID).SetProjectID(j.ProjectID).SetJobID(j.ID).Exec(w.system))
		v := w.viewer("", secret)
		if v.Kind != access.Job || v.JobID != j.ID || v.UserID() != u.ID || v.Role(j.ProjectID) != membership.RoleEditor || len(v.Roles) != 1 || v.GlobalAdmin() || v.Person() {
			t.Fatalf("%+v", v)
		}
		key := w.DB.Project.GetX(w.system, j.ProjectID).Key
		w.member2(key, u.Name, membership.RoleViewer)
		if v = w.viewer("", secret); v.Role(j.ProjectID) != membership.RoleViewer {
			t.Fatalf("%+v", v)
		}
		w.must(w.RemoveMember(w.system, key, u.Name))
		w.refused(w.Room, "", secret)
		w.member2(key, u.Name, membership.RoleEditor)
		v = w.viewer("", secret)
		for _, s := range []job.Status{job.StatusCompleted, job.StatusFailed, job.StatusCanceled, job.StatusQueued} {
			w.must(w.DB.Job.UpdateOneID(j.ID).SetStatus(s).Exec(w.system))
			w.later(believed)
			w.refused(w.Room, "", secret)
			_, err := w.Renew(context.Background(), v)
			w.wants(err, fault.Unauthenticated)
		}
	})
}

func (w *world) member2(key, name string, role membership.Role) {
	w.t.Helper()
	_, err := w.SetMember(w.system, key, name, role)
	w.must(err)
}

func TestSweepDeletesWhatHasEndedAndNothingElse(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		j, viewer := dbtest.Job(t, w.DB, "train")
		done := dbtest.Sibling(t, w.DB, j, "done")
		w.must(w.DB.Job.UpdateOne(done).SetStatus(job.StatusCompleted).Exec(w.system))
		u := access.From(viewer).User
		ctx, cookie := w.signedIn(u)
		jobToken := func(id int64) string {
			s := token.Mint(token.Job)
			w.must(w.DB.Token.Create().SetKind(enttoken.KindJob).SetHash(token.Hash(s)).SetUserID(u.ID).SetProjectID(j.ProjectID).SetJobID(id).Exec(w.system))
			return s
		}
		alive := jobToken(j.ID)
		for range 3 {
			jobToken(done.ID)
		}
		_, _, err := w.CreateAPIToken(ctx, "short", []string{"READ"}, 1)
		w.must(err)
		_, long, err := w.CreateAPIToken(ctx, "long", []string{"READ"}, 365)
		w.must(err)
		_, err = w.NewSignInLink(w.system, u.ID, time.Minute)
		w.must(err)
		w.later(29 * 24 * time.Hour)
		w.must(w.expire(w.system))
		if n := w.DB.Token.Query().CountX(w.system); n != 3 || w.DB.SignInLink.Query().CountX(w.system) != 0 {
			t.Fatal(n)
		}
		w.viewer(cookie, "")
		w.viewer("", alive)
		w.later(3 * 24 * time.Hour)
		w.must(w.expire(w.system))
		if n := w.DB.Token.Query().CountX(w.system); n != 2 || w.DB.Session.Query().CountX(w.system) != 0 {
			t.Fatal(n)
		}
		w.viewer("", long)
	})
}

func TestEndedJobTokensAreDeletedInSlices(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	j, viewer := dbtest.Job(t, w.DB, "done")
	w.must(w.DB.Job.UpdateOne(j).SetStatus(job.StatusFailed).Exec(w.system))
	u := access.From(viewer).User
	w.must(w.DB.InTx(w.system, func(tx *db.Tx) error {
		for range 2*sweepSlice + 5 {
			if err := tx.Token.Create().SetKind(enttoken.KindJob).SetHash(token.Mint("")).SetUserID(u.ID).SetJobID(j.ID).Exec(w.system); err != nil {
				return err
			}
		}
		return nil
	}))
	w.must(w.expire(w.system))
	if n := w.DB.Token.Query().CountX(w.system); n != 0 {
		t.Fatal(n)
	}
}
