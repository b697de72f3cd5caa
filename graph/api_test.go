package graph

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"nightshift/ent"
	"nightshift/ent/job"
	"nightshift/logframe"
	"nightshift/server/access"
	"nightshift/server/db"
	"nightshift/server/db/dbtest"
	"nightshift/server/pubsub"
	"nightshift/server/timeline"
)

// serve is the API over HTTP for one viewer.
func (l *live) serve(ctx context.Context) *httptest.Server {
	h := Handler(l.Resolver, nil, nil)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		h.ServeHTTP(w, req.WithContext(access.With(req.Context(), access.From(ctx))))
	}))
	l.t.Cleanup(s.Close)
	return s
}

func post(t testing.TB, s *httptest.Server, accept, query string, variables map[string]any) *http.Response {
	t.Helper()
	body := must(json.Marshal(map[string]any{"query": query, "variables": variables}))
	req := must(http.NewRequest("POST", s.URL, strings.NewReader(string(body))))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", accept)
	res, err := s.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// subscribed reads server-sent events.
func subscribed(t testing.TB, s *httptest.Server, query string, variables map[string]any) (data <-chan string, stop func()) {
	t.Helper()
	res := post(t, s, "text/event-stream", query, variables)
	out := make(chan string, 100)
	go func() {
		defer close(out)
		sc := bufio.NewScanner(res.Body)
		sc.Buffer(nil, 16<<20)
		for sc.Scan() {
			if d, ok := strings.CutPrefix(sc.Text(), "data: "); ok && d != "" {
				out <- d
			}
		}
	}()
	return out, func() { res.Body.Close() }
}

func (l *live) ask(s *httptest.Server, query string, variables map[string]any) string {
	l.t.Helper()
	res := post(l.t, s, "application/json", query, variables)
	defer res.Body.Close()
	return string(must(io.ReadAll(res.Body)))
}

func TestPrintedLineReachesASubscriberThroughTheAPI(t *testing.T) {
	eachLive(t, func(t *testing.T, l *live) {
		reader, writer := l.serve(l.ctx), l.serve(l.own(l.job))
		lines, stop := subscribed(t, reader, `subscription($id: ID!) { jobLog(id: $id, fromLine: 1) { lines { number level stream message partial cut } nextLine totalLines ended } }`, map[string]any{"id": l.job.UUID})
		defer stop()
		next(t, lines)
		got := l.ask(writer, `mutation($in: AppendLogInput!) { appendLog(input: $in) { nextLine } }`, map[string]any{"in": map[string]any{
			"jobId": l.job.UUID, "lease": "", "firstLine": 1, "data": "\tWARNING\tcareful\\tnow \u0000\n", "progress": map[string]any{"percent": 40, "label": "epoch\u0000"}}})
		if got != `{"data":{"appendLog":{"nextLine":2}}}` {
			t.Fatal(got)
		}
		want := `{"data":{"jobLog":{"lines":[{"number":1,"level":"WARNING","stream":"STDOUT","message":"careful\tnow ␀","partial":false,"cut":false}],"nextLine":2,"totalLines":1,"ended":false}}}`
		if got := next(t, lines); !sameJSON(got, want) {
			t.Fatalf("got  %s\nwant %s", got, want)
		}
		frame := logframe.Encode(nil, []logframe.Line{{Time: time.Now(), Stream: logframe.Stderr, Level: logframe.Error, Text: []byte("bad \xff \x1b]0;title\a")}, {Time: time.Now(), Partial: true, Text: []byte("50 %")}})
		in := map[string]any{"jobId": l.job.UUID, "lease": "", "firstLine": 2, "encoding": "ZSTD_BASE64", "data": base64.StdEncoding.EncodeToString(frame)}
		l.ask(writer, `mutation($in: AppendLogInput!) { appendLog(input: $in) { nextLine } }`, map[string]any{"in": in})
		if got := next(t, lines); !strings.Contains(got, `"message":"bad � "`) || !strings.Contains(got, `{"number":3,"level":"INFO","stream":"STDOUT","message":"50 %","partial":true`) {
			t.Fatal(got)
		}
		in["firstLine"] = 9
		if got := l.ask(writer, `mutation($in: AppendLogInput!) { appendLog(input: $in) { nextLine } }`, map[string]any{"in": in}); !strings.Contains(got, `"code":"CONFLICT"`) || !strings.Contains(got, `"nextLine":3`) {
			t.Fatal(got)
		}
		got = l.ask(reader, `query($id: ID!) { job(id: $id) { progress { percent label } logLineCount log(search: "CAREFUL") { matchingLines truncated lines { number } } } }`, map[string]any{"id": l.job.UUID})
		if !sameJSON(got, `{"data":{"job":{"progress":{"percent":40,"label":"epoch␀"},"logLineCount":2,"log":{"matchingLines":1,"truncated":false,"lines":[{"number":1}]}}}}`) {
			t.Fatal(got)
		}
		l.set(l.job, func(u *ent.JobUpdateOne) { u.SetStatus(job.StatusCompleted) })
		if got := next(t, lines); !strings.Contains(got, `"ended":true`) {
			t.Fatal(got)
		}
		for range lines { // the stream is closed by the server
		}
	})
}

func TestEventsAreReportedListedAndFollowedThroughTheAPI(t *testing.T) {
	eachLive(t, func(t *testing.T, l *live) {
		reader, writer := l.serve(l.ctx), l.serve(l.own(l.job))
		events, stop := subscribed(t, reader, `subscription($id: ID!) { jobEvents(id: $id) { cursor type source severity args attempt actor { name } } }`, map[string]any{"id": l.job.UUID})
		defer stop()
		record := `mutation($in: RecordJobEventsInput!) { recordJobEvents(input: $in) { stored } }`
		in := map[string]any{"in": map[string]any{"jobId": l.job.UUID, "lease": "", "events": []any{
			map[string]any{"key": "1", "type": "library.installed", "args": map[string]any{"name": "turbo\u0000"}}, map[string]any{"key": "2", "type": "worker.exited"}}}}
		if got := l.ask(writer, record, in); got != `{"data":{"recordJobEvents":{"stored":2}}}` {
			t.Fatal(got)
		}
		if got := l.ask(writer, record, in); got != `{"data":{"recordJobEvents":{"stored":0}}}` {
			t.Fatal(got)
		}
		if got := next(t, events); !strings.Contains(got, `"type":"library.installed","source":"worker-0","severity":"INFO","args":{"name":"turbo␀"},"attempt":1,"actor":null`) {
			t.Fatal(got)
		}
		if got := next(t, events); !strings.Contains(got, `"type":"worker.exited"`) || !strings.Contains(got, `"args":{}`) {
			t.Fatal(got)
		}
		user := access.From(l.ctx).User
		if err := l.DB.InTx(l.ctx, func(tx *db.Tx) error {
			return timeline.Append(l.ctx, tx, timeline.Event{Job: l.job.ID, Type: "job.held", Actor: user.ID})
		}); err != nil {
			t.Fatal(err)
		}
		l.Bus.Publish(pubsub.Events(l.job.ID))
		if got := next(t, events); !strings.Contains(got, `"source":"user"`) || !strings.Contains(got, `"actor":{"name":"`+user.Name) {
			t.Fatal(got)
		}
		list := `query($id: ID!, $after: String) { job(id: $id) { events(first: 2, after: $after) { nodes { type } pageInfo { hasNextPage endCursor } } } }`
		var page struct {
			Data struct {
				Job struct {
					Events struct {
						Nodes    []struct{ Type string }
						PageInfo struct {
							HasNextPage bool
							EndCursor   string
						}
					}
				}
			}
		}
		got := l.ask(reader, list, map[string]any{"id": l.job.UUID})
		if json.Unmarshal([]byte(got), &page); len(page.Data.Job.Events.Nodes) != 2 || !page.Data.Job.Events.PageInfo.HasNextPage {
			t.Fatal(got)
		}
		got = l.ask(reader, list, map[string]any{"id": l.job.UUID, "after": page.Data.Job.Events.PageInfo.EndCursor})
		if !strings.Contains(got, `"nodes":[{"type":"job.held"}],"pageInfo":{"hasNextPage":false`) {
			t.Fatal(got)
		}
	})
}

func TestLateOrForeignSenderIsRefusedThroughTheAPI(t *testing.T) {
	eachLive(t, func(t *testing.T, l *live) {
		other := dbtest.Sibling(t, l.DB, l.job, "second")
		append := `mutation($in: AppendLogInput!) { appendLog(input: $in) { nextLine } }`
		in := map[string]any{"in": map[string]any{"jobId": l.job.UUID, "lease": "x", "firstLine": 1, "data": "\t\tx"}}
		worker := access.With(context.Background(), &access.Viewer{Kind: access.Worker, User: access.From(l.ctx).User, ProjectID: l.job.ProjectID})
		for name, c := range map[string]struct {
			ctx  context.Context
			code string
		}{"wrong lease": {worker, "LEASE_LOST"}, "another job's token": {l.own(other), "NOT_FOUND"}, "a person": {l.ctx, "FORBIDDEN"}, "nobody": {context.Background(), "UNAUTHENTICATED"}} {
			if got := l.ask(l.serve(c.ctx), append, in); !strings.Contains(got, `"code":"`+c.code+`"`) {
				t.Errorf("%s: %s", name, got)
			}
		}
	})
}

func TestJobsChangedThroughTheAPI(t *testing.T) {
	eachLive(t, func(t *testing.T, l *live) {
		c, stop := subscribed(t, l.serve(l.ctx), `subscription($p: String!) { jobsChanged(project: $p) { cursor resync removedIds changed { id status priority run { name } computer { name } createdBy { name } } } }`, map[string]any{"p": l.key()})
		defer stop()
		if got := next(t, c); !strings.Contains(got, `"resync":false,"removedIds":[],"changed":[]`) {
			t.Fatal(got)
		}
		l.set(l.job, func(u *ent.JobUpdateOne) { u.SetPriority(5) })
		if got := next(t, c); !strings.Contains(got, `"id":"`+l.job.UUID+`","status":"RUNNING","priority":5,"run":{"name":"train resnet"}`) {
			t.Fatal(got)
		}
	})
}

func sameJSON(a, b string) bool {
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && fmt.Sprint(x) == fmt.Sprint(y)
}
