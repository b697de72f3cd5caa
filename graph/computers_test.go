package graph

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"nightshift/ent"
	"nightshift/ent/computer"
	"nightshift/ent/membership"
	"nightshift/graph/model"
	"nightshift/server/access"
	"nightshift/server/db"
	"nightshift/server/db/dbtest"
	"nightshift/server/fault"
)

func (k *desk) computer(name string, owner *ent.User, v computer.Visibility) *ent.Computer {
	k.t.Helper()
	return must(k.DB.Computer.Create().SetName(name).SetKind(computer.KindLocal).SetVisibility(v).SetOwnerID(owner.ID).Save(access.AsSystem(context.Background())))
}

const createComputer = `mutation($in: CreateComputerInput!) { createComputer(input: $in) { computer { id name kind visibility maxJobs workFolder owner { name } gpus { id index name memoryMib inUse } canManage usable } } }`

func TestGlobalAdministratorsRegisterComputersAndEditorsTheirOwnClusters(t *testing.T) {
	eachDesk(t, func(t *testing.T, k *desk) {
		root, ada := k.user("root", true), k.user("ada", false)
		in := func(more ...any) map[string]any {
			m := map[string]any{"name": "gpu-1"}
			for i := 0; i < len(more); i += 2 {
				m[more[i].(string)] = more[i+1]
			}
			return map[string]any{"in": m}
		}
		d := k.ask(k.session(root), createComputer, in("maxJobs", 4, "workFolder", "~/jobs", "gpus", []any{map[string]any{"index": 0}, map[string]any{"index": 62, "name": "RTX", "memoryMib": 24576}}))
		if !strings.Contains(d, `"name":"gpu-1","kind":"LOCAL","visibility":"PUBLIC","maxJobs":4,"workFolder":"~/jobs","owner":{"name":"root"},"gpus":[{"id":"0","index":0,"name":"GPU","memoryMib":null,"inUse":false},{"id":"62","index":62,"name":"RTX","memoryMib":24576,"inUse":false}],"canManage":true,"usable":true`) {
			t.Fatal(d)
		}
		k.wants("CONFLICT", k.session(root), createComputer, in())
		k.wants("FORBIDDEN", k.session(ada, membership.RoleAdmin), createComputer, in())
		k.wants("FORBIDDEN", k.session(ada, membership.RoleEditor), createComputer, in("kind", "SITE"))
		k.wants("FORBIDDEN", k.session(ada, membership.RoleViewer), createComputer, in("kind", "SITE", "visibility", "PRIVATE"))
		k.ask(k.session(ada, membership.RoleEditor), createComputer, in("kind", "SITE", "visibility", "PRIVATE")) // the name is unique per owner only
		token := access.With(context.Background(), &access.Viewer{Kind: access.APIToken, User: root, Scopes: map[string]bool{"ADMIN": true}})
		k.wants("FORBIDDEN", token, createComputer, in("name", "other"))
		gpu := func(g ...any) map[string]any { return in("name", "other", "gpus", g) }
		for _, bad := range []map[string]any{
			in("name", ""), in("name", "a b"), in("name", "a\x00"), in("name", "12"), in("name", strings.Repeat("x", 65)), in("name", "o", "maxJobs", 0), in("name", "o", "maxJobs", -1),
			in("name", "o", "workFolder", "relative"), in("name", "o", "workFolder", "/a\x00"), in("name", "o", "workFolder", "~root"),
			gpu(map[string]any{"index": 63}), gpu(map[string]any{"index": -1}), gpu(map[string]any{"index": 1}, map[string]any{"index": 1}), gpu(map[string]any{"index": 0, "name": "a\x00"}), gpu(map[string]any{"index": 0, "memoryMib": 0}),
		} {
			if c := code(k.run(k.session(root), createComputer, bad)); c != "INVALID_INPUT" {
				t.Errorf("%v: %q", bad, c)
			}
		}
		if n := k.DB.Computer.Query().Where(computer.NameIn("o", "other")).CountX(k.ctx); n != 0 {
			t.Fatal("half a computer was made")
		}
	})
}

func TestOneOwnersComputersCreatedAtOnceHaveDifferentNames(t *testing.T) {
	eachDesk(t, func(t *testing.T, k *desk) {
		ctx := k.session(k.user("root", true))
		var wg sync.WaitGroup
		codes := make([]fault.Code, 8)
		for i := range codes {
			wg.Go(func() {
				_, err := k.createComputer(ctx, model.CreateComputerInput{Name: "box", Kind: computer.KindLocal, Visibility: computer.VisibilityPublic})
				codes[i] = fault.CodeOf(err)
			})
		}
		wg.Wait()
		ok := 0
		for _, c := range codes {
			if c == "" {
				ok++
			} else if c != fault.Conflict {
				t.Error(c)
			}
		}
		if ok != 1 {
			t.Fatal(codes)
		}
	})
}

func TestComputerIsChangedByItsOwnerOrAGlobalAdministrator(t *testing.T) {
	eachDesk(t, func(t *testing.T, k *desk) {
		root, ada, eve := k.user("root", true), k.user("ada", false), k.user("eve", false)
		mine := k.computer("mine", ada, computer.VisibilityPrivate)
		open := k.computer("open", root, computer.VisibilityPublic)
		k.computer("taken", ada, computer.VisibilityPrivate)
		const q = `mutation($in: UpdateComputerInput!) { updateComputer(input: $in) { computer { name enabled maxJobs workFolder visibility } } }`
		in := func(c *ent.Computer, more ...any) map[string]any {
			m := map[string]any{"computerId": c.ID}
			for i := 0; i < len(more); i += 2 {
				m[more[i].(string)] = more[i+1]
			}
			return map[string]any{"in": m}
		}
		owner, admin, stranger := k.session(ada, membership.RoleViewer), k.session(root), k.session(eve, membership.RoleAdmin)
		if d := k.ask(owner, q, in(mine, "name", "renamed", "enabled", false, "maxJobs", 3, "workFolder", "/data")); d != `{"updateComputer":{"computer":{"name":"renamed","enabled":false,"maxJobs":3,"workFolder":"/data","visibility":"PRIVATE"}}}` {
			t.Fatal(d)
		}
		if d := k.ask(owner, q, in(mine)); !strings.Contains(d, `"maxJobs":3,"workFolder":"/data"`) {
			t.Fatal("null changed something", d)
		}
		if d := k.ask(owner, q, in(mine, "maxJobs", 0, "workFolder", "")); !strings.Contains(d, `"maxJobs":null,"workFolder":null`) {
			t.Fatal(d)
		}
		k.wants("CONFLICT", owner, q, in(mine, "name", "taken"))
		k.wants("INVALID_INPUT", owner, q, in(mine, "maxJobs", -1))
		k.wants("INVALID_INPUT", owner, q, in(mine, "workFolder", "x"))
		k.wants("FORBIDDEN", owner, q, in(mine, "visibility", "PUBLIC"))
		k.wants("FORBIDDEN", owner, q, in(open, "enabled", false))
		k.wants("NOT_FOUND", stranger, q, in(mine, "enabled", true))
		if d := k.ask(admin, q, in(mine, "visibility", "PUBLIC", "enabled", true)); !strings.Contains(d, `"PUBLIC"`) {
			t.Fatal(d)
		}
		k.DB.Computer.UpdateOne(mine).SetDeletedAt(db.Now()).ExecX(admin)
		k.wants("NOT_FOUND", owner, q, in(mine, "enabled", true))
	})
}

func TestPrivateComputersAreSeenByTheirOwnersAndDeletedOnesStayResolvable(t *testing.T) {
	eachDesk(t, func(t *testing.T, k *desk) {
		root, ada, bob := k.user("root", true), k.user("ada", false), k.user("bob", false)
		adas, bobs := k.computer("box", ada, computer.VisibilityPrivate), k.computer("box", bob, computer.VisibilityPrivate)
		find := func(ctx context.Context, id any) string {
			return k.ask(ctx, `query($id: ID!) { computer(id: $id) { id } }`, map[string]any{"id": id})
		}
		is := func(c *ent.Computer) string { return fmt.Sprintf(`{"computer":{"id":"%d"}}`, c.ID) }
		const none = `{"computer":null}`
		a, b := k.session(ada, membership.RoleEditor), k.session(bob, membership.RoleEditor)
		worker := access.With(context.Background(), &access.Viewer{Kind: access.Worker, User: ada, ProjectID: k.project.ID, ComputerIDs: []int64{bobs.ID}})
		for i, c := range []struct{ got, want string }{
			{find(a, "box"), is(adas)}, {find(b, "box"), is(bobs)}, {find(a, bobs.ID), none}, {find(b, bobs.ID), is(bobs)}, {find(k.session(root), bobs.ID), is(bobs)},
			{find(worker, "box"), is(bobs)}, {find(worker, adas.ID), none}, {find(a, "b\x00x"), none}, {find(a, ""), none},
		} {
			if c.got != c.want {
				t.Error(i, c)
			}
		}
		if d := k.ask(a, `{ computers { nodes { id } totalCount } }`, nil); strings.Contains(d, fmt.Sprintf(`"%d"`, bobs.ID)) || !strings.Contains(d, fmt.Sprintf(`"%d"`, adas.ID)) {
			t.Fatal(d)
		}
		fresh := k.computer("box2", ada, computer.VisibilityPrivate)
		k.DB.Computer.UpdateOne(adas).SetDeletedAt(db.Now()).ExecX(a)
		k.DB.Computer.UpdateOne(fresh).SetName("box").ExecX(a)
		if find(a, "box") != is(fresh) || find(a, adas.ID) != is(adas) {
			t.Error("a deleted computer hides a new one, or cannot be found by its id")
		}
		used := k.DB.Computer.GetX(a, k.job.ComputerID)
		k.DB.Computer.UpdateOne(used).SetDeletedAt(db.Now()).ExecX(a)
		if d := k.ask(a, `query($id: ID!) { job(id: $id) { computer { name deletedAt } } }`, map[string]any{"id": k.job.UUID}); !strings.Contains(d, used.Name) || strings.Contains(d, `"deletedAt":null`) {
			t.Fatal(d)
		}
	})
}

func TestComputersAreListedByNameInPages(t *testing.T) {
	eachDesk(t, func(t *testing.T, k *desk) {
		ada, bob := k.user("ada", false), k.user("bob", false)
		for i, name := range []string{"m", "c", "x", "a", "c"} {
			owner := ada
			if i == 4 {
				owner = bob
			}
			k.computer(name, owner, computer.VisibilityPublic)
		}
		ctx := k.session(ada, membership.RoleViewer)
		k.DB.Computer.Delete().Where(computer.OwnerIDIsNil(), computer.IDNEQ(k.job.ComputerID)).ExecX(ctx)
		k.DB.Computer.UpdateOneID(k.job.ComputerID).SetName("zz").ExecX(ctx)
		const q = `query($after: String) { computers(first: 2, after: $after) { nodes { name } pageInfo { hasNextPage endCursor } } }`
		var names []string
		after := any(nil)
		for range 10 {
			var d struct {
				Computers struct {
					Nodes    []struct{ Name string }
					PageInfo struct {
						HasNextPage bool
						EndCursor   string
					}
				}
			}
			json.Unmarshal([]byte(k.ask(ctx, q, map[string]any{"after": after})), &d)
			for _, c := range d.Computers.Nodes {
				names = append(names, c.Name)
			}
			if after = d.Computers.PageInfo.EndCursor; !d.Computers.PageInfo.HasNextPage {
				break
			}
		}
		if got := strings.Join(names, " "); got != "a c c m x zz" {
			t.Fatal(got)
		}
		for _, c := range []string{"nonsense", cursorOf(999_999)} {
			k.wants("INVALID_INPUT", ctx, q, map[string]any{"after": c})
		}
		if d := k.ask(ctx, `{ computers(first: 1) { totalCount edges { node { name } } pageInfo { hasNextPage } } }`, nil); d != `{"computers":{"totalCount":6,"edges":[{"node":{"name":"a"}}],"pageInfo":{"hasNextPage":true}}}` {
			t.Fatal(d)
		}
	})
}

func (k *desk) worker(c *ent.Computer, name string, seen time.Time) {
	k.t.Helper()
	k.DB.Worker.Create().SetComputerID(c.ID).SetProjectID(k.project.ID).SetTokenID(1).SetName(name).SetHostname("h").SetHostID("h").SetBootID("b").SetInstanceID("i").SetVersion("1").
		SetLastSeenAt(seen).ExecX(access.AsSystem(context.Background()))
}

func TestWorkerIsOfflineAfter120sWithoutAnAnswer(t *testing.T) {
	eachDesk(t, func(t *testing.T, k *desk) {
		ada := k.user("ada", false)
		ctx := k.session(ada, membership.RoleViewer)
		now := db.Now()
		never, off, on, site := k.computer("a-never", ada, "PUBLIC"), k.computer("b-off", ada, "PUBLIC"), k.computer("c-on", ada, "PUBLIC"), k.computer("d-site", ada, "PUBLIC")
		k.DB.Computer.UpdateOne(site).SetKind(computer.KindSite).ExecX(ctx)
		k.worker(off, "w", now.Add(-121*time.Second))
		k.worker(on, "w1", now.Add(-time.Hour))
		k.worker(on, "w2", now.Add(-100*time.Second))
		_ = never
		q := `query($p: String!) { project(key: $p) { computers { nodes { name workerState(project: $p) lastSeenAt(project: $p) workers(project: $p) { name state } activeJobs } } } }`
		d := k.ask(ctx, q, map[string]any{"p": k.project.Key})
		for _, want := range []string{
			`{"name":"a-never","workerState":"NONE","lastSeenAt":null,"workers":[],"activeJobs":0}`, `{"name":"b-off","workerState":"OFFLINE","lastSeenAt":"`,
			`"workers":[{"name":"w1","state":"OFFLINE"},{"name":"w2","state":"ONLINE"}]`, `{"name":"c-on","workerState":"ONLINE"`, `{"name":"d-site","workerState":"NOT_NEEDED","lastSeenAt":null`,
		} {
			if !strings.Contains(d, want) {
				t.Errorf("no %s in %s", want, d)
			}
		}
		stranger := k.session(k.user("eve", false))
		k.wants("NOT_FOUND", stranger, `query($p: String!) { computers { nodes { workerState(project: $p) } } }`, map[string]any{"p": k.project.Key})
		k.wants("INVALID_INPUT", stranger, `{ computers { nodes { workerState } } }`, nil)
		if d := k.ask(k.session(k.user("root", true)), `{ computer(id: "c-on") { workerState workers { name project { key } } } }`, nil); !strings.Contains(d, `"ONLINE"`) || strings.Count(d, k.project.Key) != 2 {
			t.Fatal(d)
		}
	})
}

func TestJobThatHoldsAGPUIsShownToThoseWhoMaySeeIt(t *testing.T) {
	eachDesk(t, func(t *testing.T, k *desk) {
		ada := k.user("ada", false)
		ctx := k.session(ada, membership.RoleViewer)
		k.DB.Gpu.Create().SetComputerID(k.job.ComputerID).SetNumber(0).SetJobID(k.job.ID).ExecX(ctx)
		k.DB.Gpu.Create().SetComputerID(k.job.ComputerID).SetNumber(1).ExecX(ctx)
		k.DB.Slot.Create().SetComputerID(k.job.ComputerID).SetNumber(0).SetJobID(k.job.ID).ExecX(ctx)
		q := `{ computers { nodes { activeJobs gpus { id inUse job { id run { name } } } } } }`
		if d := k.ask(ctx, q, nil); d != `{"computers":{"nodes":[{"activeJobs":1,"gpus":[{"id":"0","inUse":true,"job":{"id":"`+k.job.UUID+`","run":{"name":"train resnet"}}},{"id":"1","inUse":false,"job":null}]}]}}` {
			t.Fatal(d)
		}
		if d := k.ask(k.session(k.user("eve", false)), q, nil); d != `{"computers":{"nodes":[{"activeJobs":1,"gpus":[{"id":"0","inUse":true,"job":null},{"id":"1","inUse":false,"job":null}]}]}}` {
			t.Fatal(d)
		}
	})
}

// queries counts what goes to the database through ent.
func (k *desk) queries(ctx context.Context, query string, variables map[string]any) int {
	k.t.Helper()
	plain := k.DB.Client
	var buf bytes.Buffer
	log.SetOutput(&buf)
	k.DB.Client = plain.Debug()
	defer func() { k.DB.Client = plain; log.SetOutput(os.Stderr) }()
	k.ask(ctx, query, variables)
	return strings.Count(buf.String(), "driver.Query")
}

func TestPageOfComputersCostsTheSameHoweverLongItIs(t *testing.T) {
	eachDesk(t, func(t *testing.T, k *desk) {
		ada := k.user("ada", false)
		ctx := k.session(ada, membership.RoleEditor)
		add := func(n int, prefix string) {
			for i := range n {
				c := k.computer(fmt.Sprintf("%s%d", prefix, i), ada, computer.VisibilityPublic)
				k.worker(c, "w", db.Now())
				j := dbtest.Sibling(t, k.DB, k.job, "j")
				k.DB.Gpu.Create().SetComputerID(c.ID).SetNumber(0).SetJobID(j.ID).ExecX(ctx)
			}
		}
		add(2, "few")
		q := `query($p: String!) { project(key: $p) { computers(first: 200) { totalCount nodes { name owner { name } activeJobs canManage usable workerState(project: $p) lastSeenAt(project: $p)
			gpus { inUse job { id run { name } createdBy { name } } } workers(project: $p) { name state project { key } } } } } }`
		v := map[string]any{"p": k.project.Key}
		few := k.queries(ctx, q, v)
		add(40, "many")
		many := k.queries(ctx, q, v)
		if few == 0 || many != few || many > 16 {
			t.Fatalf("%d queries for 3 computers, %d for 43", few, many)
		}
	})
}

func TestSetUpCommandsStoreTheSecretWhereOnlyItsOwnerReadsIt(t *testing.T) {
	eachDesk(t, func(t *testing.T, k *desk) {
		root := k.user("root", true)
		k.computer("it's-here", root, computer.VisibilityPublic)
		k.computer("gpu-2", root, computer.VisibilityPublic)
		d := must(k.createWorkerToken(k.session(root), model.CreateWorkerTokenInput{Project: k.project.Key, Computers: []string{"it's-here", "gpu-2"}}))
		if len(d.SetupCommands) != 3 || len(d.Token.ComputerIds) != 2 {
			t.Fatalf("%+v", d)
		}
		home := t.TempDir()
		bin := filepath.Join(home, "bin")
		os.Mkdir(bin, 0o755)
		os.WriteFile(filepath.Join(bin, "nightshift"), []byte("#!/bin/sh\nprintf '%s\\n' \"$@\" >>"+home+"/called\n"), 0o755)
		for _, c := range d.SetupCommands {
			cmd := exec.Command("sh", "-c", c)
			cmd.Env = []string{"HOME=" + home, "PATH=" + bin + ":/usr/bin:/bin"}
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v %s", c, err, out)
			}
		}
		file := filepath.Join(home, ".config/nightshift/worker.token")
		st := must(os.Stat(file))
		if b := must(os.ReadFile(file)); strings.TrimSpace(string(b)) != d.Secret || st.Mode().Perm() != 0o600 {
			t.Fatalf("%s %v", b, st.Mode())
		}
		called := string(must(os.ReadFile(home + "/called")))
		want := "worker\n--url\nhttps://night.example/x\n--token-file\n" + file + "\n--computer\n"
		if called != want+"it's-here\n"+want+"gpu-2\n" {
			t.Fatal(called)
		}
		for _, c := range d.SetupCommands[1:] {
			if strings.Contains(c, d.Secret) {
				t.Fatal("the secret is an argument")
			}
		}
		if v := must(k.Auth.Identify(context.Background(), "", d.Secret)); v.Kind != access.Worker || v.ProjectID != k.project.ID {
			t.Fatalf("%+v", v)
		}
	})
}
