package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func serve(t *testing.T, h http.HandlerFunc) *Client {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // only then does the server see that the client is gone
		r.Body = io.NopCloser(bytes.NewReader(body))
		h(w, r)
	}))
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	c, err := New(s.URL+"/base/", "nsa_x", WithUserAgent("test/1"), WithTimeout(2*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func TestAddresses(t *testing.T) {
	for _, bad := range []string{"", "localhost:8420", "ftp://x", "http://", "http://me:secret@x", "http://x?y=1", "http://x#y"} {
		if _, err := New(bad, ""); err == nil {
			t.Errorf("%q was taken", bad)
		} else if strings.Contains(err.Error(), "secret") {
			t.Errorf("a password is repeated: %v", err)
		}
	}
	for in, want := range map[string]string{"http://x": "http://x/graphql", "https://x/jobs/": "https://x/jobs/graphql"} {
		if c, err := New(in, ""); err != nil || c.Endpoint() != want {
			t.Errorf("%s: %v %v", in, c.Endpoint(), err)
		}
	}
}

func TestRequestsCarryWhoAsks(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/base/graphql" || r.Header.Get("Authorization") != "Bearer nsa_x" || r.Header.Get("User-Agent") != "test/1" || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s %v", r.URL.Path, r.Header)
		}
		fmt.Fprint(w, `{"data":{"startJob":{"answer":"STOP"}}}`)
	})
	out, err := StartJob(t.Context(), c, StartJobInput{})
	if err != nil || out.StartJob.Answer != HeartbeatAnswerStop {
		t.Errorf("%v %v", out, err)
	}
}

func TestErrors(t *testing.T) {
	for _, x := range []struct {
		name, body, code, says string
		status                 int
		temporary              bool
	}{
		{"inside 200", `{"errors":[{"message":"No.","path":["startJob"],"extensions":{"code":"LEASE_LOST"}}],"data":null}`, LeaseLost, "No.", 200, false},
		{"busy inside 200", `{"errors":[{"message":"Later.","extensions":{"code":"BUSY"}}]}`, Busy, "Later.", 200, true},
		{"no code", `{"errors":[{"message":"?"}]}`, Internal, "?", 200, true},
		{"another version", `{"errors":[{"message":"Cannot query field x","extensions":{"code":"GRAPHQL_VALIDATION_FAILED"}}]}`, "GRAPHQL_VALIDATION_FAILED", "another version", 422, false},
		{"a proxy's page", `<html>`, Busy, "502", 502, true},
		{"no server here", `404 page not found`, InvalidInput, "address", 404, false},
		{"wrong token", ``, Unauthenticated, "token", 401, false},
		{"redirect", ``, InvalidInput, "redirects", 302, false},
		{"too many", ``, RateLimited, "429", 429, true},
	} {
		t.Run(x.name, func(t *testing.T) {
			c := serve(t, func(w http.ResponseWriter, r *http.Request) {
				w.WriteHeader(x.status)
				fmt.Fprint(w, x.body)
			})
			_, err := StartJob(t.Context(), c, StartJobInput{})
			if Code(err) != x.code || !strings.Contains(err.Error(), x.says) || Temporary(err) != x.temporary || Unanswered(err) {
				t.Errorf("%v: code %s, temporary %v", err, Code(err), Temporary(err))
			}
		})
	}
}

func TestNoAnswerIsTemporaryAndUncertain(t *testing.T) {
	c := serve(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	_, err := StartJob(t.Context(), c, StartJobInput{})
	if !Unanswered(err) || !Temporary(err) {
		t.Errorf("%v", err)
	}
	slow := serve(t, func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	slow.timeout = 50 * time.Millisecond
	if _, err := StartJob(t.Context(), slow, StartJobInput{}); !Unanswered(err) || !Temporary(err) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := StartJob(ctx, slow, StartJobInput{}); Temporary(err) {
		t.Errorf("the caller gave up, and it is called temporary: %v", err)
	}
}

func TestExtensions(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"errors":[{"message":"a","path":["appendLog"],"extensions":{"code":"CONFLICT","nextLine":17,"field":"f"}},{"message":"b","path":["finishJob"],"extensions":{"code":"LEASE_LOST"}}]}`)
	})
	_, err := StartJob(t.Context(), c, StartJobInput{})
	e := As(err)
	if n, ok := e.Long("nextLine"); !ok || n != 17 || e.Field != "f" || len(e.Others) != 1 || e.Others[0].Path != "finishJob" || e.Others[0].Code != LeaseLost {
		t.Errorf("%+v", e)
	}
}

func TestFollowGoesOnFromItsCursorAfterABreak(t *testing.T) {
	connections := 0
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		var req struct{ Variables struct{ After int } }
		json.NewDecoder(r.Body).Decode(&req)
		w.Header().Set("Content-Type", "text/event-stream")
		connections++
		for i := req.Variables.After + 1; i <= 10; i++ {
			fmt.Fprintf(w, ":\n\nevent: next\ndata: {\"data\":{\"x\":%d}}\n\n", i)
			w.(http.Flusher).Flush()
			if i%3 == 0 && req.Variables.After != i {
				panic(http.ErrAbortHandler)
			}
		}
		fmt.Fprint(w, "event: complete\n\n")
	})
	var got []int
	err := Follow(t.Context(), c, "subscription($after: Int) { x(after: $after) }", func() map[string]any { return map[string]any{"after": len(got)} }, nil, func(n int) error {
		got = append(got, n)
		return nil
	})
	if err != nil || fmt.Sprint(got) != "[1 2 3 4 5 6 7 8 9 10]" || connections < 4 {
		t.Errorf("%v after %d connections: %v", got, connections, err)
	}
}

func TestFollowEndsWithWhatWillNotGoAway(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "event: next\ndata: {\"errors\":[{\"message\":\"No such job.\",\"extensions\":{\"code\":\"NOT_FOUND\"}}]}\n\n")
	})
	none := func() map[string]any { return nil }
	if err := Follow(t.Context(), c, "subscription { x }", none, nil, func(int) error { return nil }); !Is(err, NotFound) {
		t.Errorf("%v", err)
	}
	own := errors.New("enough")
	c = serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "event: next\ndata: {\"data\":{\"x\":1}}\n\n")
	})
	if err := Follow(t.Context(), c, "subscription { x }", none, nil, func(int) error { return own }); !errors.Is(err, own) {
		t.Errorf("%v", err)
	}
}

func TestSilentStreamIsGivenUp(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for range 4 {
			fmt.Fprint(w, ":\n\n")
			w.(http.Flusher).Flush()
			time.Sleep(60 * time.Millisecond)
		}
		<-r.Context().Done()
	})
	c.silence = 100 * time.Millisecond
	began := time.Now()
	err := c.Subscribe(t.Context(), "subscription { x }", nil, nil, func(json.RawMessage) error { return nil })
	if !Temporary(err) || !strings.Contains(err.Error(), "silent") || time.Since(began) < 200*time.Millisecond {
		t.Errorf("%v after %s", err, time.Since(began))
	}
}

func TestLongEventsArrive(t *testing.T) {
	long := strings.Repeat("x", 3<<20)
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "event: next\ndata: {\"data\":{\"x\":%q}}\n\nevent: complete\n\n", long)
	})
	got := ""
	err := c.Subscribe(t.Context(), "subscription { x }", nil, nil, func(raw json.RawMessage) error { return json.Unmarshal(raw, &got) })
	if err != nil || got != long {
		t.Errorf("%d bytes: %v", len(got), err)
	}
}

func TestBackoffGrowsAndStaysBelowItsLimit(t *testing.T) {
	var b Backoff
	for i := range 40 {
		if d := b.Next(); d <= 0 || d > 5*time.Second || i == 0 && d > 100*time.Millisecond {
			t.Errorf("pause %d is %s", i, d)
		}
	}
}
