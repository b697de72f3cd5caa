package auth

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"nightshift/ent"
	"nightshift/ent/computer"
	"nightshift/ent/membership"
	"nightshift/server/access"
	"nightshift/server/db"
	"nightshift/server/db/dbtest"
	"nightshift/server/fault"
	"nightshift/server/pubsub"
)

const password = "correct horse battery"

// world is an auth room with a clock that is moved by hand.
type world struct {
	*Room
	t      testing.TB
	system context.Context
	moved  atomic.Int64
}

func newWorld(t testing.TB, d *db.DB) *world {
	w := &world{t: t, system: access.AsSystem(context.Background())}
	began := time.Now()
	w.Room = &Room{DB: d, Bus: pubsub.New(), Log: slog.New(slog.DiscardHandler), BaseURL: "http://night.example/x", BasePath: "/x",
		Now: func() time.Time { return began.Add(time.Duration(w.moved.Load())) }}
	return w
}

// beside is another server on the same database, with the same clock.
func (w *world) beside() *Room {
	return &Room{DB: w.DB, Bus: pubsub.New(), Log: w.Log, BasePath: "/x", Now: w.Now}
}

func (w *world) later(d time.Duration) { w.moved.Add(int64(d)) }

func each(t *testing.T, f func(t *testing.T, w *world)) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) { f(t, newWorld(t, d)) })
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) wants(err error, code fault.Code) {
	w.t.Helper()
	if !fault.Is(err, code) {
		w.t.Fatalf("wanted %s, got %v", code, err)
	}
}

func (w *world) user(name string, admin bool) *ent.User {
	w.t.Helper()
	u, err := w.CreateUser(w.system, name, "", admin)
	w.must(err)
	return u
}

// hashed is the stored form of password; deriving it for every test would only be slow.
var hashed = sync.OnceValues(func() (string, error) { return new(hasher).hash(context.Background(), password) })

func (w *world) userWithPassword(name string) *ent.User {
	w.t.Helper()
	h, err := hashed()
	w.must(err)
	u := w.user(name, false)
	w.must(w.DB.User.UpdateOne(u).SetPasswordHash(h).Exec(w.system))
	return u
}

func (w *world) project(key string, admin *ent.User) *ent.Project {
	w.t.Helper()
	p, err := w.CreateProject(w.system, key, key, admin.ID)
	w.must(err)
	return p
}

func (w *world) member(p *ent.Project, u *ent.User, role membership.Role) {
	w.t.Helper()
	_, err := w.SetMember(w.system, p.Key, u.Name, role)
	w.must(err)
}

func (w *world) computer(name string, owner *ent.User, v computer.Visibility) *ent.Computer {
	w.t.Helper()
	c, err := w.DB.Computer.Create().SetName(name).SetKind(computer.KindLocal).SetVisibility(v).SetOwnerID(owner.ID).Save(w.system)
	w.must(err)
	return c
}

// browser is a request with its answer's cookies.
type browser struct {
	ctx context.Context
	rec *httptest.ResponseRecorder
}

// from is a request of nobody, from an address.
func (w *world) from(address string) browser {
	w.t.Helper()
	b := browser{rec: httptest.NewRecorder()}
	req := httptest.NewRequest("POST", "/x/graphql", nil)
	req.RemoteAddr = address + ":1234"
	req.Header.Set("User-Agent", "Firefox")
	w.Middleware(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { b.ctx = r.Context() })).ServeHTTP(b.rec, req)
	return b
}

func (b browser) cookie() *http.Cookie {
	for _, c := range b.rec.Result().Cookies() {
		if c.Name == cookieName {
			return c
		}
	}
	return nil
}

// signedIn is a session of the user, made with a link, and its cookie's value.
func (w *world) signedIn(u *ent.User) (context.Context, string) {
	w.t.Helper()
	link, err := w.NewSignInLink(w.system, u.ID, time.Minute)
	w.must(err)
	b := w.from("10.1.1.1")
	v, err := w.SignInWithLink(b.ctx, link)
	w.must(err)
	return access.With(b.ctx, v), b.cookie().Value
}

func (w *world) viewer(cookie, bearer string) *access.Viewer {
	w.t.Helper()
	v, err := w.Identify(context.Background(), cookie, bearer)
	w.must(err)
	return v
}

func (w *world) refused(r *Room, cookie, bearer string) {
	w.t.Helper()
	if v, err := r.Identify(context.Background(), cookie, bearer); !fault.Is(err, fault.Unauthenticated) {
		w.t.Fatalf("wanted UNAUTHENTICATED, got %+v, %v", v, err)
	}
}

// atSameTime runs f n times at the same moment and counts the successes.
func atSameTime(n int, f func(i int) error) (ok int, others map[fault.Code]int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	start := make(chan struct{})
	others = map[fault.Code]int{}
	for i := range n {
		wg.Go(func() {
			<-start
			err := f(i)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				ok++
			} else {
				others[fault.CodeOf(err)]++
			}
		})
	}
	close(start)
	wg.Wait()
	return ok, others
}

func TestNothingSentIsNobodyAndNonsenseIsUnauthenticated(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		if v := w.viewer("", ""); v.Kind != access.Nobody {
			t.Fatalf("%+v", v)
		}
		for _, s := range []string{"x", "nsa_", "nsw_AAAA", "nsj_\x00", "nss_AAAA", "nsl_AAAA", "lease_x", string(make([]byte, 5000))} {
			w.refused(w.Room, "", s)
			w.refused(w.Room, s, "")
		}
	})
}

func TestSecretOfOneKindIsNoSecretOfAnother(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		u := w.user("ada", false)
		ctx, cookie := w.signedIn(u)
		_, api, err := w.CreateAPIToken(ctx, "laptop", []string{"READ"}, 1)
		w.must(err)
		w.viewer(cookie, "") // now it is believed
		w.viewer("", api)
		w.refused(w.Room, "", cookie)
		w.refused(w.Room, api, "")
		link, err := w.NewSignInLink(w.system, u.ID, time.Minute)
		w.must(err)
		w.refused(w.Room, link, "")
		w.refused(w.Room, "", link)
	})
}

func TestSessionLasts30DaysAndIsSeenOnceAMinute(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		u := w.user("ada", false)
		_, cookie := w.signedIn(u)
		v := w.viewer(cookie, "")
		if v.Kind != access.Session || v.UserID() != u.ID || !v.FromLink {
			t.Fatalf("%+v", v)
		}
		seen := func() time.Time { return w.DB.Session.GetX(w.system, v.SessionID).LastSeenAt }
		first := seen()
		w.later(50 * time.Second)
		w.viewer(cookie, "")
		if !seen().Equal(first) {
			t.Fatal("written again within a minute")
		}
		w.later(20 * time.Second)
		w.viewer(cookie, "")
		if seen().Equal(first) {
			t.Fatal("not written after a minute")
		}
		w.later(30*24*time.Hour - 2*time.Minute)
		w.viewer(cookie, "")
		w.later(2 * time.Minute)
		w.refused(w.Room, cookie, "")
	})
}

func TestStoredSecretsAreOnlyHashes(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		u := w.userWithPassword("ada")
		ctx, cookie := w.signedIn(u)
		link, _ := w.NewSignInLink(w.system, u.ID, time.Minute)
		_, api, err := w.CreateAPIToken(ctx, "laptop", []string{"READ"}, 1)
		w.must(err)
		for _, table := range []string{"users", "sessions", "sign_in_links", "tokens"} {
			for _, row := range dump(t, w.DB, table) {
				for _, secret := range []string{cookie, link, api, password} {
					if len(row) == 0 || strings.Contains(row, secret) || strings.Contains(row, secret[len(secret)-12:]) {
						t.Fatalf("%s holds a secret: %s", table, row)
					}
				}
			}
		}
	})
}

func dump(t *testing.T, d *db.DB, table string) (out []string) {
	t.Helper()
	rows, err := d.Query(context.Background(), "SELECT * FROM "+table)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	cols, _ := rows.Columns()
	for rows.Next() {
		cells := make([]any, len(cols))
		for i := range cells {
			cells[i] = new(any)
		}
		if err := rows.Scan(cells...); err != nil {
			t.Fatal(err)
		}
		row := ""
		for i, c := range cells {
			switch x := (*c.(*any)).(type) {
			case []byte:
				row += fmt.Sprintf("%s=%s ", cols[i], x)
			default:
				row += fmt.Sprintf("%s=%v ", cols[i], x)
			}
		}
		out = append(out, row)
	}
	return out
}
