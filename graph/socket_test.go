package graph

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"nightshift/ent"
	"nightshift/server/access"
	"nightshift/server/db/dbtest"
	"nightshift/server/fault"
)

// socket is a browser's connection: graphql-transport-ws.
type socket struct {
	t testing.TB
	c *websocket.Conn
}

func (l *live) dial(ctx context.Context) *socket {
	l.t.Helper()
	s := l.serve(ctx)
	c, _, err := websocket.Dial(l.t.Context(), "ws"+strings.TrimPrefix(s.URL, "http"), &websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}})
	if err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() { c.CloseNow() })
	c.SetReadLimit(16 << 20)
	w := &socket{l.t, c}
	w.send(`{"type":"connection_init"}`)
	w.until("connection_ack", "")
	return w
}

func (s *socket) send(m string) {
	s.t.Helper()
	if err := s.c.Write(s.t.Context(), websocket.MessageText, []byte(m)); err != nil {
		s.t.Fatal(err)
	}
}

func (s *socket) subscribe(id, query string) {
	s.t.Helper()
	s.send(fmt.Sprintf(`{"type":"subscribe","id":%q,"payload":{"query":%q}}`, id, query))
}

// until reads up to a message of that type and id, and answers pings meanwhile.
func (s *socket) until(kind, id string) string {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 15*time.Second)
	defer cancel()
	for {
		_, b, err := s.c.Read(ctx)
		if err != nil {
			s.t.Fatalf("waiting for %s: %v", kind, err)
		}
		var m struct {
			Type, ID string
			Payload  json.RawMessage
		}
		json.Unmarshal(b, &m)
		switch {
		case m.Type == "ping":
			s.send(`{"type":"pong"}`)
		case m.Type == kind && m.ID == id:
			return string(m.Payload)
		}
	}
}

func TestSocketCarriesSubscriptionsAndTheirEnd(t *testing.T) {
	l := newLive(t, dbtest.SQLite(t))
	s := l.dial(l.ctx)
	s.subscribe("1", `subscription { jobChanged(id: "`+l.job.UUID+`") { priority } }`)
	s.until("next", "1")
	l.set(l.job, func(u *ent.JobUpdateOne) { u.SetPriority(3) })
	if got := s.until("next", "1"); got != `{"data":{"jobChanged":{"priority":3}}}` {
		t.Fatal(got)
	}
	s.subscribe("2", `subscription { jobLog(id: "`+l.job.UUID+`") { ended } }`)
	s.until("next", "2")
	l.set(l.job, func(u *ent.JobUpdateOne) { u.SetStatus("COMPLETED") })
	if got := s.until("next", "2"); got != `{"data":{"jobLog":{"ended":true}}}` {
		t.Fatal(got)
	}
	s.until("complete", "2")
}

func TestSocketOfSomebodyWhoLostTheRightCanDoNothingMore(t *testing.T) {
	l := newLive(t, dbtest.SQLite(t))
	var gone atomic.Bool
	l.Renew = func(_ context.Context, v *access.Viewer) (*access.Viewer, error) {
		if gone.Load() {
			return nil, fault.New(fault.Unauthenticated, "Sign in again.")
		}
		return v, nil
	}
	s := l.dial(l.ctx)
	s.subscribe("1", `subscription { jobChanged(id: "`+l.job.UUID+`") { id } }`)
	s.until("next", "1")
	gone.Store(true)
	s.until("complete", "1")
	for id, q := range map[string]string{
		"2": `subscription { jobChanged(id: "` + l.job.UUID + `") { id } }`,
		"3": `query { job(id: "` + l.job.UUID + `") { command } }`,
		"4": `mutation { requestStop(input: {jobIds: ["` + l.job.UUID + `"]}) { done } }`,
	} {
		s.subscribe(id, q)
		if got := s.until("next", id); !strings.Contains(got, "UNAUTHENTICATED") || strings.Contains(got, l.job.UUID) {
			t.Errorf("%s: %s", q, got)
		}
	}
}

func TestSlowBrowserHoldsUpNoWriter(t *testing.T) {
	l := newLive(t, dbtest.SQLite(t))
	s := l.dial(l.ctx)
	s.subscribe("1", `subscription { jobsChanged(project: "`+l.key()+`") { changed { id command } } }`)
	s.subscribe("2", `subscription { jobLog(id: "`+l.job.UUID+`", fromLine: 1) { lines { message } } }`)
	s.until("next", "1") // and then reads nothing more
	own := l.serve(l.own(l.job))
	began := time.Now()
	for i := range 200 {
		l.ask(own, `mutation($in: AppendLogInput!) { appendLog(input: $in) { nextLine } }`, map[string]any{"in": map[string]any{
			"jobId": l.job.UUID, "lease": "", "firstLine": 1 + i*100, "data": strings.Repeat("\t\t"+strings.Repeat("x", 500)+"\n", 100)}})
		l.set(l.job, func(u *ent.JobUpdateOne) { u.SetPriority(i) })
	}
	if d := time.Since(began); d > 20*time.Second {
		t.Fatalf("200 writes took %v", d)
	}
}
