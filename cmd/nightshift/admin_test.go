package main

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nightshift/server/access"
	"nightshift/server/auth"
	"nightshift/server/db"
	"nightshift/server/db/dbtest"
)

// office is a database with `nightshift admin` on it.
type office struct {
	t              testing.TB
	data, database string
}

func eachOffice(t *testing.T, f func(t *testing.T, o *office)) {
	t.Setenv("NIGHTSHIFT_LANG", "en")
	t.Run("sqlite", func(t *testing.T) { f(t, &office{t, t.TempDir(), ""}) })
	t.Run("postgres", func(t *testing.T) { f(t, &office{t, t.TempDir(), dbtest.PostgresURL(t)}) })
}

// try runs one command.
func (o *office) try(args ...string) (string, error) {
	o.t.Helper()
	root := newRoot()
	var out bytes.Buffer
	root.SetOut(&out)
	root.SetErr(&out)
	root.SetArgs(append(append([]string{"admin"}, args...), "--data", o.data, "--database", o.database, "--server-url", "https://night.example/x/"))
	err := root.ExecuteContext(context.Background())
	return out.String(), err
}

func (o *office) do(args ...string) string {
	o.t.Helper()
	out, err := o.try(args...)
	if err != nil {
		o.t.Fatalf("admin %s: %v", strings.Join(args, " "), err)
	}
	return out
}

func (o *office) fails(code int, args ...string) string {
	o.t.Helper()
	out, err := o.try(args...)
	if err == nil || exitOf(err) != code {
		o.t.Fatalf("admin %s: %v (exit %d), %s", strings.Join(args, " "), err, exitOf(err), out)
	}
	return err.Error()
}

func (o *office) json(args ...string) (out []map[string]any) {
	o.t.Helper()
	text := o.do(append(args, "-o", "json")...)
	if !strings.HasPrefix(text, "[") {
		text = "[" + text + "]"
	}
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		o.t.Fatal(err, text)
	}
	return out
}

// room is the server's own view of the same database.
func (o *office) room() *auth.Room {
	o.t.Helper()
	d, err := db.Open(context.Background(), db.Options{Folder: o.data, URL: o.database})
	if err != nil {
		o.t.Fatal(err)
	}
	o.t.Cleanup(func() { d.Close() })
	access.Guard(d.Client)
	return &auth.Room{DB: d, Log: slog.New(slog.DiscardHandler)}
}

func TestAdminMakesTheFirstAdministratorWhoSignsInWithALink(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		out := o.do("user", "create", "Ada", "--admin", "--display-name", "エイダ")
		_, link, ok := strings.Cut(out, "https://night.example/x/sign-in?link=")
		if !ok || !strings.HasPrefix(out, "ada signs in once") {
			t.Fatal(out)
		}
		v, err := o.room().SignInWithLink(context.Background(), strings.TrimSpace(link))
		if err != nil || !v.GlobalAdmin() || v.User.DisplayName != "エイダ" {
			t.Fatal(v, err)
		}
		o.fails(1, "user", "create", "ada")
		o.fails(1, "user", "create", "not a name")
		if url := o.json("user", "link", "ADA")[0]["signInUrl"]; !strings.HasPrefix(url.(string), "https://night.example/x/sign-in?link=nsl_") {
			t.Fatal(url)
		}
		o.fails(1, "user", "link", "nobody")
		o.fails(2, "user", "list", "-o", "yaml")
		o.fails(2, "user", "list", "--nonsense")
	})
}

func TestAdminChangesUsersAndKeepsOneAdministrator(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.do("user", "create", "ada", "--admin")
		o.do("user", "create", "bob")
		if s := o.fails(1, "user", "disable", "ada"); !strings.Contains(s, "Nobody would be left") {
			t.Fatal(s)
		}
		o.do("user", "promote", "bob")
		if u := o.json("user", "demote", "ada")[0]; u["isGlobalAdmin"] != false {
			t.Fatal(u)
		}
		o.do("user", "disable", "ada")
		us := o.json("user", "list")
		if len(us) != 2 || us[0]["name"] != "ada" || us[0]["disabledAt"] == nil || us[1]["isGlobalAdmin"] != true {
			t.Fatal(us)
		}
		o.do("user", "enable", "ada")
		if s := o.do("user", "list"); !strings.HasPrefix(s, "NAME") || strings.Count(s, "\n") != 3 {
			t.Fatal(s)
		}
	})
}

func TestAdminMakesProjectsAndMembers(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.do("user", "create", "ada")
		o.do("user", "create", "bob")
		if s := o.do("project", "create", "vision", "ada", "--name", "Vision"); s != "vision\n" {
			t.Fatal(s)
		}
		o.fails(1, "project", "create", "vision", "ada")
		o.fails(1, "project", "create", "other", "nobody")
		o.do("project", "member", "vision", "bob", "editor")
		o.do("project", "member", "vision", "bob", "Admin")
		o.do("project", "member", "vision", "ada", "none")
		if s := o.fails(1, "project", "member", "vision", "bob", "viewer"); !strings.Contains(s, "without an administrator") {
			t.Fatal(s)
		}
		o.fails(1, "project", "member", "vision", "ada", "none")
		o.fails(2, "project", "member", "vision", "ada", "boss")
		o.fails(1, "project", "member", "nothing", "ada", "viewer")
		if ps := o.json("project", "list"); len(ps) != 1 || ps[0]["name"] != "Vision" {
			t.Fatal(ps)
		}
		if s := o.do("project", "list"); !strings.Contains(s, "vision") {
			t.Fatal(s)
		}
	})
}

func TestAdminMakesListsAndRevokesTokens(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.do("user", "create", "ada")
		secret := strings.TrimSpace(o.do("token", "create", "ada", "--name", "laptop", "--scopes", "read,jobs:write", "--days", "3"))
		r := o.room()
		v, err := r.Identify(context.Background(), "", secret)
		if err != nil || v.User.Name != "ada" || !v.Scopes["READ"] || !v.Scopes["JOBS_WRITE"] || v.Scopes["ADMIN"] {
			t.Fatal(v, err)
		}
		ts := o.json("token", "list")
		if len(ts) != 1 || ts[0]["name"] != "laptop" || ts[0]["user"] != "ada" || ts[0]["revokedAt"] != nil {
			t.Fatal(ts)
		}
		if s := o.do("token", "list"); strings.Contains(s, secret) || !strings.Contains(s, secret[:6]) {
			t.Fatal(s)
		}
		o.do("token", "revoke", idOf(ts[0]["id"]))
		r.Forget()
		if _, err := r.Identify(context.Background(), "", secret); err == nil {
			t.Fatal("it still works")
		}
		o.fails(1, "token", "revoke", "999999")
		o.fails(2, "token", "revoke", "laptop")
		o.fails(1, "token", "create", "ada", "--days", "1000")
		o.fails(1, "token", "create", "ada", "--scopes", "everything")
	})
}

func idOf(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

func TestAdminBackupIsAWholeDatabaseThatOnlyItsOwnerReads(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.do("user", "create", "ada")
		r := o.room() // a server uses it meanwhile
		place := strings.TrimSpace(o.do("migrate"))
		folder := filepath.Join(t.TempDir(), "copy")
		os.Mkdir(folder, 0o700)
		file := filepath.Join(folder, "nightshift.db")
		if o.database != "" {
			if s := o.fails(1, "backup", file); !strings.Contains(s, "pg_dump") || strings.Contains(place, "postgres@") {
				t.Fatal(s, place)
			}
			return
		}
		o.do("backup", file)
		st, err := os.Stat(file)
		if err != nil || st.Mode().Perm() != 0o600 || st.Size() == 0 {
			t.Fatal(st, err)
		}
		o.fails(1, "backup", file)
		o.fails(1, "backup", filepath.Join(folder, "none", "x.db"))
		copied := &office{t, folder, ""}
		if us := copied.json("user", "list"); len(us) != 1 || us[0]["name"] != "ada" {
			t.Fatal(us)
		}
		if _, err := r.CreateUser(access.AsSystem(context.Background()), "bob", "", false); err != nil {
			t.Fatal(err)
		}
	})
}

func TestAdminMovesAComputerToAnotherHost(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		r, ctx := o.room(), access.AsSystem(context.Background())
		u, err := r.CreateUser(ctx, "ada", "", true)
		if err != nil {
			t.Fatal(err)
		}
		c, err := r.EnsureComputer(ctx, "gpu-1", u.ID, 2)
		if err != nil {
			t.Fatal(err)
		}
		r.DB.Computer.UpdateOne(c).SetHostID("old").ExecX(ctx)
		o.do("computer", "rebind", "gpu-1")
		if now := r.DB.Computer.GetX(ctx, c.ID); now.HostID != nil {
			t.Fatal(*now.HostID)
		}
		o.fails(1, "computer", "rebind", "gpu-2")
	})
}

func TestAdminSpeaksJapanese(t *testing.T) {
	for env, want := range map[string]string{"NIGHTSHIFT_LANG": "ja", "LC_ALL": "ja_JP.UTF-8", "LANG": "ja_JP.UTF-8"} {
		t.Run(env, func(t *testing.T) {
			for _, e := range []string{"NIGHTSHIFT_LANG", "LC_ALL", "LC_MESSAGES", "LANG"} {
				t.Setenv(e, "")
			}
			t.Setenv(env, want)
			o := &office{t, t.TempDir(), ""}
			if s := o.do("user", "create", "ada"); !strings.Contains(s, "7日以内に1回") {
				t.Fatal(s)
			}
			if s := o.fails(1, "user", "link", "bob"); s != `ユーザー "bob" はいません` {
				t.Fatal(s)
			}
		})
	}
}
