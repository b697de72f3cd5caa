package auth

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"nightshift/ent"
	"nightshift/ent/computer"
	"nightshift/ent/membership"
	"nightshift/ent/user"
	"nightshift/server/access"
	"nightshift/server/fault"
)

func idOf(id int64) string { return strconv.FormatInt(id, 10) }

func (w *world) as(u *ent.User) context.Context {
	w.t.Helper()
	_, cookie := w.signedIn(u)
	return access.With(context.Background(), w.viewer(cookie, ""))
}

func TestUserNamesAreUniqueAndPlain(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		if u := w.user(" Ada.Lovelace-1_x ", false); u.Name != "ada.lovelace-1_x" || u.DisplayName != u.Name {
			t.Fatalf("%+v", u)
		}
		_, err := w.CreateUser(w.system, "ADA.lovelace-1_x", "", false)
		w.wants(err, fault.Conflict)
		for _, name := range []string{"", "-x", "a b", "あだ", "a\x00", strings.Repeat("a", 65)} {
			_, err := w.CreateUser(w.system, name, "", false)
			w.wants(err, fault.InvalidInput)
		}
		u, err := w.CreateUser(w.system, "mika", "三日月 ミカ", false)
		w.must(err)
		if u.DisplayName != "三日月 ミカ" {
			t.Fatal(u.DisplayName)
		}
		for _, display := range []string{"a\x00b", "a\nb", strings.Repeat("三", 43)} {
			_, err := w.CreateUser(w.system, "other", display, false)
			w.wants(err, fault.InvalidInput)
		}
	})
}

func TestOneAdministratorAlwaysRemains(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		root, second := w.user("root", true), w.user("second", true)
		yes, no := true, false
		_, err := w.ChangeUser(w.as(root), root.ID, UserChange{Disabled: &yes})
		w.wants(err, fault.Conflict)
		_, err = w.ChangeUser(w.as(root), root.ID, UserChange{GlobalAdmin: &no})
		w.wants(err, fault.Conflict)
		_, err = w.ChangeUser(w.as(root), 999_999, UserChange{GlobalAdmin: &no})
		w.wants(err, fault.NotFound)
		_, err = w.ChangeUser(w.as(root), second.ID, UserChange{GlobalAdmin: &no})
		w.must(err)
		_, err = w.ChangeUser(w.system, root.ID, UserChange{Disabled: &yes}) // also from the command line
		w.wants(err, fault.Conflict)
		_, err = w.ChangeUser(w.system, second.ID, UserChange{GlobalAdmin: &yes})
		w.must(err)
		_, err = w.ChangeUser(w.system, root.ID, UserChange{Disabled: &yes})
		w.must(err)
	})
}

func TestAdministratorsWhoDemoteEachOtherAtOnceLeaveOne(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		no := false
		for range 5 {
			w.must(w.DB.User.Update().SetIsGlobalAdmin(false).Exec(w.system))
			var us []*ent.User
			for i := range 4 {
				us = append(us, w.user("admin"+idOf(int64(w.DB.User.Query().CountX(w.system)))+"-"+idOf(int64(i)), true))
			}
			atSameTime(len(us), func(i int) error {
				other := us[(i+1)%len(us)]
				_, err := w.ChangeUser(access.With(context.Background(), &access.Viewer{Kind: access.Session, User: us[i]}), other.ID, UserChange{GlobalAdmin: &no})
				return err
			})
			if n := w.DB.User.Query().Where(user.IsGlobalAdmin(true)).CountX(w.system); n != 1 {
				t.Fatalf("%d administrators remain", n)
			}
		}
	})
}

func TestMembersAreChangedByAdminsOfTheProjectOnly(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada, bob, eve := w.user("ada", false), w.user("bob", false), w.user("eve", false)
		p := w.project("vision", ada)
		w.project("other", eve)
		_, err := w.SetMember(w.as(ada), "vision", " Bob ", membership.RoleEditor)
		w.must(err)
		for name, c := range map[string]struct {
			ctx  context.Context
			code fault.Code
		}{"an editor": {w.as(bob), fault.Forbidden}, "the admin of another project": {w.as(eve), fault.NotFound}, "nobody": {context.Background(), fault.NotFound}} {
			if _, err := w.SetMember(c.ctx, "vision", "eve", membership.RoleAdmin); !fault.Is(err, c.code) {
				t.Errorf("%s: %v", name, err)
			}
			if err := w.RemoveMember(c.ctx, "vision", "ada"); !fault.Is(err, c.code) {
				t.Errorf("%s: %v", name, err)
			}
		}
		for _, name := range []string{"nobody", "", "x\x00", strings.Repeat("x", 1000)} {
			_, err := w.SetMember(w.as(ada), "vision", name, membership.RoleEditor)
			w.wants(err, fault.InvalidInput)
		}
		w.wants(w.RemoveMember(w.as(ada), "vision", "eve"), fault.NotFound)
		w.wants(w.RemoveMember(w.as(ada), "vision", "ada"), fault.Conflict)
		_, err = w.SetMember(w.as(ada), "vision", "ada", membership.RoleViewer)
		w.wants(err, fault.Conflict)
		_, err = w.SetMember(w.as(ada), "vision", "ada", membership.RoleAdmin) // nothing changes
		w.must(err)
		w.member(p, bob, membership.RoleAdmin)
		w.must(w.RemoveMember(w.as(ada), "vision", "ada"))
		w.wants(w.RemoveMember(w.as(ada), "vision", "bob"), fault.NotFound)
	})
}

func TestAdminsWhoLeaveAtOnceLeaveOneBehind(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		us := []*ent.User{w.user("a0", false), w.user("a1", false), w.user("a2", false), w.user("a3", false)}
		p := w.project("vision", us[0])
		for _, u := range us[1:] {
			w.member(p, u, membership.RoleAdmin)
		}
		ctxs := make([]context.Context, len(us))
		for i, u := range us {
			ctxs[i] = w.as(u)
		}
		ok, others := atSameTime(len(us), func(i int) error { return w.RemoveMember(ctxs[i], "vision", us[i].Name) })
		if ok != 3 || others[fault.Conflict] != 1 {
			t.Fatal(ok, others)
		}
	})
}

func TestAddingOneMemberManyTimesAtOnceAddsThemOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada := w.user("ada", false)
		w.project("vision", ada)
		w.user("bob", false)
		ctx := w.as(ada)
		ok, others := atSameTime(8, func(int) error {
			_, err := w.SetMember(ctx, "vision", "bob", membership.RoleEditor)
			return err
		})
		if ok != 8 || w.DB.Membership.Query().CountX(w.system) != 2 {
			t.Fatal(ok, others)
		}
	})
}

func TestProjectsHaveAKeyAnAdminAndADefaultExperiment(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada := w.user("ada", false)
		p := w.project("vision-2", ada)
		if es := p.QueryExperiments().AllX(w.system); len(es) != 1 || !es[0].IsDefault {
			t.Fatalf("%+v", es)
		}
		_, err := w.CreateProject(w.system, "vision-2", "x", ada.ID)
		w.wants(err, fault.Conflict)
		for _, key := range []string{"", "-a", "Vision", "a b", "a\x00", strings.Repeat("a", 41)} {
			_, err := w.CreateProject(w.system, key, "x", ada.ID)
			w.wants(err, fault.InvalidInput)
		}
		_, err = w.CreateProject(w.system, "ok", "  ", ada.ID)
		w.wants(err, fault.InvalidInput)
	})
}

func TestFirstStartMakesWhatIsMissingAndFindsItAgain(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		start := func() (*ent.User, *ent.Computer, string) {
			u, _, err := w.EnsureAdministrator(w.system, "mika")
			w.must(err)
			p, err := w.EnsureProject(w.system, "first", "First", u.ID)
			w.must(err)
			c, err := w.EnsureComputer(w.system, "here", u.ID, 2)
			w.must(err)
			secret, err := w.EnsureWorkerToken(w.system, "", u.ID, p.ID, c.ID)
			w.must(err)
			same, err := w.EnsureWorkerToken(w.system, secret, u.ID, p.ID, c.ID)
			w.must(err)
			if same != secret {
				t.Fatal("a token that works was replaced")
			}
			if other, err := w.EnsureWorkerToken(w.system, secret, u.ID, p.ID, c.ID+1); err != nil || other == secret {
				t.Fatal("a token for another computer was kept", err)
			}
			return u, c, secret
		}
		u, c, secret := start()
		if again, c2, _ := start(); again.ID != u.ID || c2.ID != c.ID || !again.IsGlobalAdmin {
			t.Fatalf("%+v", again)
		}
		if v := w.viewer("", secret); v.Kind != access.Worker {
			t.Fatalf("%+v", v)
		}
		first, err := w.ReplaceAPIToken(w.system, u.ID, "up")
		w.must(err)
		w.viewer("", first)
		second, err := w.ReplaceAPIToken(w.system, u.ID, "up")
		w.must(err)
		w.refused(w.Room, "", first)
		w.viewer("", second)
		// somebody took all administration away: the host's owner gets in again
		w.must(w.DB.User.Update().SetIsGlobalAdmin(false).Exec(w.system))
		again, fresh, err := w.EnsureAdministrator(w.system, "mika")
		w.must(err)
		if fresh || again.ID != u.ID || !again.IsGlobalAdmin {
			t.Fatalf("%+v", again)
		}
	})
}

func TestAnotherPersonsPrivateClusterIsNotTakenForThisHost(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		bob, root := w.user("bob", false), w.user("root", true)
		theirs, err := w.DB.Computer.Create().SetName("here").SetKind(computer.KindSite).SetVisibility(computer.VisibilityPrivate).SetOwnerID(bob.ID).Save(w.system)
		w.must(err)
		mine, err := w.EnsureComputer(w.system, "here", root.ID, 2)
		w.must(err)
		if mine.ID == theirs.ID {
			t.Fatal("taken")
		}
	})
}
