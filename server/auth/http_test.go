package auth

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"nightshift/server/access"
)

func (w *world) seen(set func(r *http.Request)) (v *access.Viewer, address string, status int) {
	w.t.Helper()
	req := httptest.NewRequest("POST", "/graphql", nil)
	req.RemoteAddr = "10.0.0.9:4000"
	set(req)
	rec := httptest.NewRecorder()
	w.Middleware(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		v, address = access.From(r.Context()), addressOf(r.Context())
	})).ServeHTTP(rec, req)
	return v, address, rec.Code
}

func TestMiddlewareReadsTheCookieOrTheBearer(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		u := w.user("ada", false)
		ctx, cookie := w.signedIn(u)
		_, api, err := w.CreateAPIToken(ctx, "x", []string{"READ"}, 1)
		w.must(err)
		for name, c := range map[string]struct {
			cookie, header string
			kind           access.Kind
		}{
			"nothing": {"", "", access.Nobody}, "cookie": {cookie, "", access.Session}, "bearer": {"", "Bearer " + api, access.APIToken},
			"any case": {"", "bearer  " + api, access.APIToken}, "a proxy's own password beside the cookie": {cookie, "Basic YTpi", access.Session},
			"the bearer comes first": {cookie, "Bearer " + api, access.APIToken},
			"and is not forgiven":    {cookie, "Bearer " + api + "x", access.Nobody}, "a stale cookie": {cookie + "x", "", access.Nobody},
		} {
			v, _, status := w.seen(func(r *http.Request) {
				if c.cookie != "" {
					r.AddCookie(&http.Cookie{Name: cookieName, Value: c.cookie})
				}
				if c.header != "" {
					r.Header.Set("Authorization", c.header)
				}
			})
			if status != 200 || v.Kind != c.kind {
				t.Errorf("%s: %d %+v", name, status, v)
			}
		}
	})
}

func TestDatabaseThatDoesNotAnswerIsNoReasonToSignIn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		_, cookie := w.signedIn(w.user("ada", false))
		w.later(believed)
		w.must(w.DB.Close())
		v, _, status := w.seen(func(r *http.Request) { r.AddCookie(&http.Cookie{Name: cookieName, Value: cookie}) })
		if status != http.StatusServiceUnavailable || v != nil {
			t.Fatal(status, v)
		}
	})
}

func TestOnlyAProxyOnThisHostSaysForWhomItSpeaks(t *testing.T) {
	for _, c := range []struct{ peer, forwarded, want string }{
		{"127.0.0.1:1", "6.6.6.6, 10.2.3.4", "10.2.3.4"}, {"[::1]:1", "10.2.3.4", "10.2.3.4"}, {"127.0.0.1:1", "", "127.0.0.1"},
		{"127.0.0.1:1", "nonsense", "127.0.0.1"}, {"10.0.0.9:1", "10.2.3.4", "10.0.0.9"}, {"@", "10.2.3.4", ""},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = c.peer
		if c.forwarded != "" {
			r.Header.Set("X-Forwarded-For", c.forwarded)
		}
		if got := addressFrom(r); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
