package graph

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"strings"
	"testing"

	"nightshift/ent/membership"
	"nightshift/server/access"
)

// site is the API as a browser or a script reaches it, through everything that finds out who asks.
func (k *desk) site() *httptest.Server {
	h := Handler(k.Resolver, nil, nil)
	s := httptest.NewServer(k.Auth.Middleware(h))
	k.t.Cleanup(s.Close)
	k.Auth.BasePath = ""
	return s
}

type caller struct {
	k      *desk
	url    string
	client *http.Client
	bearer string
}

func (k *desk) caller(s *httptest.Server, bearer string) *caller {
	return &caller{k, s.URL, &http.Client{Jar: must(cookiejar.New(nil))}, bearer}
}

// call gives the data, or the code of the first error.
func (c *caller) call(query string, variables map[string]any) (data, code string) {
	c.k.t.Helper()
	body := must(json.Marshal(map[string]any{"query": query, "variables": variables}))
	req := must(http.NewRequest("POST", c.url, strings.NewReader(string(body))))
	req.Header.Set("Content-Type", "application/json")
	if c.bearer != "" {
		req.Header.Set("Authorization", "Bearer "+c.bearer)
	}
	res := must(c.client.Do(req))
	defer res.Body.Close()
	b := must(io.ReadAll(res.Body))
	var out struct {
		Data   json.RawMessage
		Errors []struct {
			Extensions struct{ Code string }
		}
	}
	if err := json.Unmarshal(b, &out); err != nil || res.StatusCode != 200 {
		c.k.t.Fatalf("%d %s", res.StatusCode, b)
	}
	if len(out.Errors) > 0 {
		return string(out.Data), out.Errors[0].Extensions.Code
	}
	return string(out.Data), ""
}

func (c *caller) data(query string, variables map[string]any) string {
	c.k.t.Helper()
	d, code := c.call(query, variables)
	if code != "" {
		c.k.t.Fatalf("%s: %s\n%s", query, code, c.k.log)
	}
	return d
}

// text takes one string out of an answer.
func text(data string, path ...string) string {
	var v any
	json.Unmarshal([]byte(data), &v)
	for _, p := range path {
		m, _ := v.(map[string]any)
		v = m[p]
	}
	s, _ := v.(string)
	return s
}

const whoami = `{ viewer { kind isGlobalAdmin hasPassword user { name } } }`

func TestInvitedPersonSignsInSetsAPasswordAndMakesAToken(t *testing.T) {
	eachDesk(t, func(t *testing.T, k *desk) {
		s := k.site()
		sys := access.AsSystem(context.Background())
		root := k.user("root", true)
		admin := k.caller(s, "")
		admin.data(`mutation($l: String) { signIn(input: {link: $l}) { viewer { user { name } } } }`, map[string]any{"l": must(k.Auth.NewSignInLink(sys, root.ID, 600e9))})
		d := admin.data(`mutation { createUser(input: {name: "Ada", displayName: "Ada L."}) { signInUrl user { id name isGlobalAdmin } } }`, nil)
		link, ok := strings.CutPrefix(text(d, "createUser", "signInUrl"), "https://night.example/x/sign-in?link=")
		if !ok || text(d, "createUser", "user", "name") != "ada" {
			t.Fatal(d)
		}

		ada := k.caller(s, "")
		if d := ada.data(whoami, nil); d != `{"viewer":null}` {
			t.Fatal(d)
		}
		d = ada.data(`mutation($l: String) { signIn(input: {link: $l}) { viewer { kind hasPassword user { displayName } sessions { userAgent } apiTokens { name } } } }`, map[string]any{"l": link})
		if !strings.Contains(d, `"displayName":"Ada L."`) || strings.Count(d, "userAgent") != 1 {
			t.Fatal(d)
		}
		if _, code := k.caller(s, "").call(`mutation($l: String) { signIn(input: {link: $l}) { viewer { kind } } }`, map[string]any{"l": link}); code != "UNAUTHENTICATED" {
			t.Fatal("the link works twice", code)
		}
		if d = ada.data(whoami, nil); d != `{"viewer":{"kind":"SESSION","isGlobalAdmin":false,"hasPassword":false,"user":{"name":"ada"}}}` {
			t.Fatal(d)
		}
		ada.data(`mutation { setPassword(input: {newPassword: "a good long one"}) { ok } }`, nil)
		d = ada.data(`mutation { createApiToken(input: {name: "laptop", scopes: [READ]}) { secret token { id prefix expiresAt kind scopes project { key } computers { name } } } }`, nil)
		secret, id := text(d, "createApiToken", "secret"), text(d, "createApiToken", "token", "id")
		ada.data(`mutation { createApiToken(input: {name: "second", scopes: [READ, ADMIN]}) { secret } }`, nil)
		d = ada.data(`{ viewer { hasPassword apiTokens { name scopes computers { name } } sessions { current } } }`, nil)
		if d != `{"viewer":{"hasPassword":true,"apiTokens":[{"name":"second","scopes":["READ","ADMIN"],"computers":[]},{"name":"laptop","scopes":["READ"],"computers":[]}],"sessions":[{"current":true}]}}` {
			t.Fatal(d)
		}

		script := k.caller(s, secret)
		if d = script.data(whoami, nil); !strings.Contains(d, `"kind":"PERSON"`) {
			t.Fatal(d)
		}
		if _, code := script.call(`mutation { createApiToken(input: {name: "more", scopes: [ADMIN]}) { secret } }`, nil); code != "FORBIDDEN" {
			t.Fatal("a token makes tokens", code)
		}
		if _, code := script.call(`mutation { createProject(input: {key: "x", name: "x"}) { project { key } } }`, nil); code != "FORBIDDEN" {
			t.Fatal("the scope is not asked for", code)
		}
		ada.data(`mutation($id: ID!) { revokeToken(input: {tokenId: $id}) { token { revokedAt } } }`, map[string]any{"id": id})
		if _, code := script.call(`{ projects { key } }`, nil); code != "UNAUTHENTICATED" {
			t.Fatal(code)
		}

		again := k.caller(s, "")
		if _, code := again.call(`mutation { signIn(input: {name: "ada", password: "wrong"}) { viewer { kind } } }`, nil); code != "UNAUTHENTICATED" {
			t.Fatal(code)
		}
		again.data(`mutation { signIn(input: {name: "ADA", password: "a good long one"}) { viewer { kind } } }`, nil)
		for _, bad := range []string{`{}`, `{name: "ada"}`, `{password: "x"}`, `{name: "ada", password: "x", link: "y"}`} {
			if _, code := again.call(`mutation { signIn(input: `+bad+`) { viewer { kind } } }`, nil); code != "INVALID_INPUT" {
				t.Fatal(bad, code)
			}
		}
		admin.data(`mutation($id: ID!) { updateUser(input: {userId: $id, disabled: true}) { user { disabledAt } } }`, map[string]any{"id": userID(k, "ada")})
		for _, c := range []*caller{ada, again} {
			if d = c.data(whoami, nil); d != `{"viewer":null}` {
				t.Fatal(d)
			}
		}
		admin.data(`mutation { signOut(input: {}) { ok } }`, nil)
		if d = admin.data(whoami, nil); d != `{"viewer":null}` {
			t.Fatal(d)
		}
		if strings.Contains(k.log.String(), secret) || strings.Contains(k.log.String(), link) {
			t.Fatal("the log holds a secret")
		}
	})
}

func userID(k *desk, name string) int64 {
	for _, u := range k.DB.User.Query().AllX(access.AsSystem(context.Background())) {
		if u.Name == name {
			return u.ID
		}
	}
	return 0
}

func TestWhatBelongsToAnotherProjectDoesNotExist(t *testing.T) {
	eachDesk(t, func(t *testing.T, k *desk) {
		member := k.session(k.user("ada", false), membership.RoleAdmin)
		stranger := k.session(k.user("eve", false))
		everything := `query($p: String!) { project(key: $p) { key role members { user { name } role } people { name } experiments { name } jobs { nodes { id } } computers { nodes { name } } } }`
		if d := k.ask(member, everything, map[string]any{"p": k.project.Key}); !strings.Contains(d, `"role":"ADMIN"`) || !strings.Contains(d, k.job.UUID) || !strings.Contains(d, `"Mika Aalto"`) && !strings.Contains(d, `"user`) {
			t.Fatal(d)
		}
		for _, key := range []string{k.project.Key, "none", "a\x00b", strings.Repeat("x", 10_000)} {
			if d := k.ask(stranger, everything, map[string]any{"p": key}); d != `{"project":null}` {
				t.Fatal(key, d)
			}
		}
		if d := k.ask(stranger, `{ projects { key } }`, nil); d != `{"projects":[]}` {
			t.Fatal(d)
		}
		in := map[string]any{"p": k.project.Key}
		k.wants("NOT_FOUND", stranger, `mutation($p: String!) { setMember(input: {project: $p, userName: "eve", role: ADMIN}) { member { role } } }`, in)
		k.wants("NOT_FOUND", stranger, `mutation($p: String!) { removeMember(input: {project: $p, userName: "ada"}) { ok } }`, in)
		k.wants("NOT_FOUND", stranger, `mutation($p: String!) { createWorkerToken(input: {project: $p, computers: ["x"]}) { secret } }`, in)
		// a global administrator sees it with a browser, never with a token
		root := k.user("root", true)
		if d := k.ask(k.session(root), everything, in); !strings.Contains(d, k.job.UUID) {
			t.Fatal(d)
		}
		token := access.With(context.Background(), &access.Viewer{Kind: access.APIToken, User: root, Scopes: map[string]bool{"READ": true}})
		if d := k.ask(token, everything, in); d != `{"project":null}` {
			t.Fatal(d)
		}
	})
}

func TestProjectIsSeenByWhoCreatedItInTheSameAnswer(t *testing.T) {
	eachDesk(t, func(t *testing.T, k *desk) {
		ada := k.session(k.user("ada", false))
		d := k.ask(ada, `mutation { createProject(input: {key: "vision", name: "画像"}) { project { key name role experiments { name isDefault } members { role user { name } } } } }`, nil)
		if d != `{"createProject":{"project":{"key":"vision","name":"画像","role":"ADMIN","experiments":[{"name":"default","isDefault":true}],"members":[{"role":"ADMIN","user":{"name":"ada"}}]}}}` {
			t.Fatal(d)
		}
		k.wants("CONFLICT", ada, `mutation { createProject(input: {key: "vision", name: "x"}) { project { key } } }`, nil)
	})
}

func TestWorkerIsNobodysPerson(t *testing.T) {
	eachDesk(t, func(t *testing.T, k *desk) {
		u := k.user("root", true)
		w := access.With(context.Background(), &access.Viewer{Kind: access.Worker, User: u, ProjectID: k.project.ID, TokenID: 1})
		if d := k.ask(w, `{ viewer { kind isGlobalAdmin hasPassword language user { name } apiTokens { id } sessions { id } } projects { key role } }`, nil); d !=
			`{"viewer":{"kind":"WORKER","isGlobalAdmin":false,"hasPassword":false,"language":"EN","user":null,"apiTokens":[],"sessions":[]},"projects":[{"key":"`+k.project.Key+`","role":"VIEWER"}]}` {
			t.Fatal(d)
		}
	})
}

func TestUsersAreListedInPages(t *testing.T) {
	eachDesk(t, func(t *testing.T, k *desk) {
		root := k.session(k.user("root", true))
		for _, n := range []string{"a", "b", "c"} {
			k.user(n, false)
		}
		var names []string
		after := any(nil)
		for range 10 {
			r := must(k.users(root, ptr(2), cursor(after)))
			for _, u := range r.Nodes {
				names = append(names, u.Name)
			}
			if !r.PageInfo.HasNextPage {
				break
			}
			after = *r.PageInfo.EndCursor
		}
		if got := strings.Join(names, " "); !strings.HasSuffix(got, "root a b c") || len(names) != 5 {
			t.Fatal(got)
		}
		k.wants("FORBIDDEN", k.session(k.user("eve", false), membership.RoleAdmin), `{ users { nodes { name } } }`, nil)
	})
}

func ptr[T any](v T) *T { return &v }

func cursor(v any) *string {
	if s, ok := v.(string); ok {
		return &s
	}
	return nil
}

func TestProfileIsChangedByItsOwner(t *testing.T) {
	eachDesk(t, func(t *testing.T, k *desk) {
		ada := k.session(k.user("ada", false))
		if d := k.ask(ada, `mutation { updateProfile(input: {language: JA, theme: DARK, displayName: " エイダ "}) { viewer { language theme user { displayName } } } }`, nil); d !=
			`{"updateProfile":{"viewer":{"language":"JA","theme":"DARK","user":{"displayName":"エイダ"}}}}` {
			t.Fatal(d)
		}
		for _, name := range []string{"", "\x00", "a\nb", strings.Repeat("x", 129)} {
			k.wants("INVALID_INPUT", ada, `mutation($n: String) { updateProfile(input: {displayName: $n}) { viewer { kind } } }`, map[string]any{"n": name})
		}
	})
}

func TestServerSaysThatItNeedsAnAdministratorUntilThereIsAUser(t *testing.T) {
	eachDesk(t, func(t *testing.T, k *desk) {
		k.Version = "1.2.3"
		if d := k.ask(context.Background(), `{ server { version needsSetup defaultLanguage } }`, nil); d != `{"server":{"version":"1.2.3","needsSetup":false,"defaultLanguage":"EN"}}` {
			t.Fatal(d)
		}
	})
}
