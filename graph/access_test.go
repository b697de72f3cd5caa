package graph

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/vektah/gqlparser/v2/ast"

	"nightshift/ent"
	"nightshift/ent/membership"
	"nightshift/server/access"
	"nightshift/server/auth"
	"nightshift/server/db"
	"nightshift/server/db/dbtest"
	"nightshift/server/fault"
)

// desk is the API with all rooms, and people who ask.
type desk struct {
	*live
	project  *ent.Project
	log      *bytes.Buffer
	executor *executor.Executor
}

func newDesk(t testing.TB, d *db.DB) *desk {
	l := newLive(t, d)
	k := &desk{live: l, log: new(bytes.Buffer)}
	l.Resolver.Log = slog.New(slog.NewTextHandler(k.log, nil))
	l.Resolver.Auth = &auth.Room{DB: d, Bus: l.Bus, Log: l.Resolver.Log, BaseURL: "https://night.example/x", BasePath: "/x"}
	l.Resolver.Renew = nil
	k.project = d.Project.GetX(l.ctx, l.job.ProjectID)
	k.executor = executor.New(NewExecutableSchema(Config{Resolvers: l.Resolver, Directives: DirectiveRoot{Access: l.Access}}))
	k.executor.SetErrorPresenter(l.PresentError)
	k.executor.SetRecoverFunc(l.Recover)
	k.executor.AroundResponses(withLoads)
	return k
}

func eachDesk(t *testing.T, f func(t *testing.T, k *desk)) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) { f(t, newDesk(t, d)) })
}

// run runs one operation and gives the first response.
func (k *desk) run(ctx context.Context, query string, variables map[string]any) *graphql.Response {
	k.t.Helper()
	ctx, stop := context.WithTimeout(graphql.StartOperationTrace(ctx), 20*time.Second)
	defer stop()
	op, errs := k.executor.CreateOperationContext(ctx, &graphql.RawParams{Query: query, Variables: variables})
	if errs != nil {
		return k.executor.DispatchError(graphql.WithOperationContext(ctx, op), errs)
	}
	next, ctx := k.executor.DispatchOperation(ctx, op)
	return next(ctx)
}

func (k *desk) ask(ctx context.Context, query string, variables map[string]any) string {
	k.t.Helper()
	r := k.run(ctx, query, variables)
	if len(r.Errors) > 0 {
		k.t.Fatalf("%s: %v", query, r.Errors)
	}
	return string(r.Data)
}

// code is the first error's, empty without one.
func code(r *graphql.Response) string {
	if len(r.Errors) == 0 {
		return ""
	}
	return fmt.Sprint(r.Errors[0].Extensions["code"])
}

func (k *desk) wants(want string, ctx context.Context, query string, variables map[string]any) *graphql.Response {
	k.t.Helper()
	r := k.run(ctx, query, variables)
	if got := code(r); got != want {
		k.t.Fatalf("%s: wanted %q, got %q: %v %s", query, want, got, r.Errors, r.Data)
	}
	return r
}

func (k *desk) user(name string, admin bool) *ent.User {
	k.t.Helper()
	return must(k.Auth.CreateUser(access.AsSystem(context.Background()), name, "", admin))
}

func (k *desk) session(u *ent.User, roles ...membership.Role) context.Context {
	v := &access.Viewer{Kind: access.Session, User: u, Roles: map[int64]membership.Role{}}
	for _, r := range roles {
		v.Roles[k.project.ID] = r
	}
	return access.With(context.Background(), v)
}

func rootFields() (out []*ast.FieldDefinition, kind map[string]string) {
	s := NewExecutableSchema(Config{}).Schema()
	kind = map[string]string{}
	for word, def := range map[string]*ast.Definition{"query": s.Query, "mutation": s.Mutation, "subscription": s.Subscription} {
		for _, f := range def.Fields {
			if !strings.HasPrefix(f.Name, "__") {
				out = append(out, f)
				kind[f.Name] = word
			}
		}
	}
	return out, kind
}

func TestEveryRootFieldSaysWhoMayUseIt(t *testing.T) {
	fields, kind := rootFields()
	if len(fields) < 40 {
		t.Fatalf("only %d root fields were found", len(fields))
	}
	for _, f := range fields {
		d := f.Directives.ForName("access")
		if d == nil || len(d.Arguments.ForName("who").Value.Children) == 0 {
			t.Errorf("%s %s carries no @access", kind[f.Name], f.Name)
			continue
		}
		persons, _ := whoOf(f)
		if _, scope := whoOf(f); persons["PERSON"] && scope == "" {
			t.Errorf("%s %s lets API tokens in without a scope", kind[f.Name], f.Name)
		}
	}
}

func whoOf(f *ast.FieldDefinition) (who map[string]bool, scope string) {
	d := f.Directives.ForName("access")
	who = map[string]bool{}
	for _, c := range d.Arguments.ForName("who").Value.Children {
		who[c.Value.Raw] = true
	}
	if a := d.Arguments.ForName("scope"); a != nil {
		scope = a.Value.Raw
	}
	return who, scope
}

// literal is the smallest value of a type.
func literal(s *ast.Schema, t *ast.Type) string {
	if t.Elem != nil {
		return "[" + literal(s, t.Elem) + "]"
	}
	def := s.Types[t.NamedType]
	switch {
	case def.Kind == ast.Enum:
		return def.EnumValues[0].Name
	case def.Kind == ast.InputObject:
		var fields []string
		for _, f := range def.Fields {
			if f.Type.NonNull && f.DefaultValue == nil {
				fields = append(fields, f.Name+": "+literal(s, f.Type))
			}
		}
		return "{" + strings.Join(fields, ", ") + "}"
	}
	switch t.NamedType {
	case "Int", "Long", "Float":
		return "1"
	case "Boolean":
		return "true"
	case "JSON":
		return "{}"
	case "Time":
		return `"2026-01-02T03:04:05Z"`
	}
	return `"zz"`
}

func operation(kind string, f *ast.FieldDefinition) string {
	s := NewExecutableSchema(Config{}).Schema()
	var args []string
	for _, a := range f.Arguments {
		if a.Type.NonNull && a.DefaultValue == nil {
			args = append(args, a.Name+": "+literal(s, a.Type))
		}
	}
	q := kind + " { " + f.Name
	if len(args) > 0 {
		q += "(" + strings.Join(args, ", ") + ")"
	}
	if def := s.Types[f.Type.Name()]; def.Kind == ast.Object {
		q += " { __typename }"
	}
	return q + " }"
}

func TestEveryRootFieldAdmitsExactlyThoseItNames(t *testing.T) {
	k := newDesk(t, dbtest.SQLite(t))
	u, root := k.user("ada", false), k.user("root", true)
	roles := map[int64]membership.Role{k.project.ID: membership.RoleAdmin}
	scopes := map[string]bool{}
	for _, s := range auth.Scopes() {
		scopes[s] = true
	}
	viewers := map[string]*access.Viewer{
		"nobody": {}, "a person": {Kind: access.Session, User: u, Roles: roles}, "a global administrator": {Kind: access.Session, User: root, Roles: roles},
		"an administrator's token": {Kind: access.APIToken, User: root, Roles: roles, Scopes: scopes}, "a token that may only read": {Kind: access.APIToken, User: u, Roles: roles, Scopes: map[string]bool{"READ": true}},
		"a token that may nothing": {Kind: access.APIToken, User: u, Roles: roles}, "a worker": {Kind: access.Worker, User: u, ProjectID: k.project.ID},
		"a retired worker": {Kind: access.Worker, User: u, ProjectID: k.project.ID, Retired: true}, "a job": {Kind: access.Job, User: u, ProjectID: k.project.ID, JobID: k.job.ID, Roles: roles},
	}
	fields, kind := rootFields()
	for _, f := range fields {
		who, scope := whoOf(f)
		for name, v := range viewers {
			want := who["ANYONE"] || who["PERSON"] && v.Person() && (v.Kind == access.Session || v.Scopes[scope]) || who["SESSION"] && v.Kind == access.Session ||
				who["GLOBAL_ADMIN"] && v.Kind == access.Session && v.User == root || who["WORKER"] && v.Kind == access.Worker && (!v.Retired || reports(f.Name)) || who["JOB"] && v.Kind == access.Job
			if v.Retired && who["ANYONE"] {
				want = false
			}
			r := k.run(access.With(context.Background(), v), operation(kind[f.Name], f), nil)
			admitted := true
			for _, e := range r.Errors {
				if c := e.Extensions["code"]; c == "INTERNAL" {
					t.Errorf("%s as %s: %v\n%s", operation(kind[f.Name], f), name, e, k.log)
				}
				for _, no := range []string{"Sign in first, or send", "This is not for", "This token lacks", "This worker token was revoked"} {
					admitted = admitted && !strings.HasPrefix(e.Message, no)
				}
			}
			if admitted != want {
				t.Errorf("%s %s as %s: admitted %v, wanted %v: %v", kind[f.Name], f.Name, name, admitted, want, r.Errors)
			}
		}
	}
}

func TestErrorsTellAClientACodeAndNothingInternal(t *testing.T) {
	k := newDesk(t, dbtest.SQLite(t))
	ctx := context.Background()
	e := k.PresentError(ctx, fmt.Errorf("while: %w", fault.Invalid("name", "Give a name.").With("max", 3).Because(errors.New("secret cause"))))
	if e.Message != "Give a name." || e.Extensions["code"] != "INVALID_INPUT" || e.Extensions["field"] != "name" || e.Extensions["max"] != 3 {
		t.Fatalf("%+v", e)
	}
	for _, err := range []error{errors.New(`pq: relation "secrets" does not exist`), k.Recover(ctx, "index out of range"), &ent.NotFoundError{}} {
		k.log.Reset()
		e = k.PresentError(ctx, err)
		id := fmt.Sprint(e.Extensions["errorId"])
		if e.Extensions["code"] != "INTERNAL" || len(id) != 8 || !strings.Contains(e.Message, id) || strings.Contains(e.Message, "secrets") || strings.Contains(e.Message, "range") {
			t.Fatalf("%+v", e)
		}
		if !strings.Contains(k.log.String(), id) {
			t.Fatalf("the log does not say what happened: %s", k.log)
		}
	}
	k.log.Reset()
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if e = k.PresentError(gone, errors.New("sql: canceled")); e.Extensions["code"] != "BUSY" || k.log.Len() > 0 {
		t.Fatalf("%+v %s", e, k.log)
	}
	if e = k.PresentError(ctx, context.DeadlineExceeded); e.Extensions["code"] != "BUSY" {
		t.Fatalf("%+v", e)
	}
}

func TestRequestThatDoesNotFitTheSchemaIsInvalidInput(t *testing.T) {
	k := newDesk(t, dbtest.SQLite(t))
	roles := map[int64]membership.Role{k.project.ID: membership.RoleAdmin}
	ctx := access.With(context.Background(), &access.Viewer{Kind: access.Session, User: k.user("ada", false), Roles: roles})
	const create = `mutation($in: CreateApiTokenInput!) { createApiToken(input: $in) { secret } }`
	for _, c := range []struct {
		query     string
		variables map[string]any
	}{
		{`query {`, nil}, {`{ nothing }`, nil}, {`{ viewer }`, nil}, {`{ project { id } }`, nil}, {`{ project(key: 3) { id } }`, nil},
		{create, nil}, {create, map[string]any{"in": map[string]any{"name": "x"}}},
		{create, map[string]any{"in": map[string]any{"name": 3, "scopes": []any{"READ"}}}},
		{create, map[string]any{"in": map[string]any{"name": "x", "scopes": []any{"NONSENSE"}}}},
		{create, map[string]any{"in": map[string]any{"name": "x", "scopes": []any{"READ"}, "expiresInDays": "soon"}}},
		{create, map[string]any{"in": map[string]any{"name": "x", "scopes": []any{"READ"}, "expiresInDays": 99999999999}}},
		{`mutation { createApiToken(input: {name: "x", scopes: [READ], expiresInDays: 99999999999}) { secret } }`, nil},
		{`query($n: Long!) { job(id: "` + k.job.UUID + `") { log(fromLine: $n) { nextLine } } }`, map[string]any{"n": "many"}},
		{`mutation($n: Long!) { appendLog(input: {jobId: "x", lease: "", firstLine: $n, data: ""}) { nextLine } }`, map[string]any{"n": "many"}},
	} {
		k.log.Reset()
		r := k.run(ctx, c.query, c.variables)
		if code(r) != "INVALID_INPUT" || k.log.Len() > 0 {
			t.Errorf("%s %v: %v\n%s", c.query, c.variables, r.Errors, k.log)
		}
	}
}
