package joblog

import (
	"bytes"
	"context"
	"fmt"
	"mime"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"nightshift/ent/membership"
	"nightshift/logframe"
	"nightshift/server/access"
	"nightshift/server/db/dbtest"
)

func (w *world) get(ctx context.Context, path string) *httptest.ResponseRecorder {
	mux := http.NewServeMux()
	mux.Handle("GET /api/jobs/{id}/log", w.Download())
	rec := httptest.NewRecorder()
	mux.ServeHTTP(rec, httptest.NewRequest("GET", path, nil).WithContext(ctx))
	return rec
}

func (w *world) path(query string) string { return "/api/jobs/" + w.job.UUID + "/log" + query }

func TestDownloadIsOneRowALine(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.append(batch(t, 1, "hello\tworld", "err \\ 10%\r20%"))
		rec := w.get(w.ctx, w.path(""))
		want := "2026-11-30T01:02:03.001000Z\tINFO\thello\\tworld\n2026-11-30T01:02:03.002000Z\tERROR\terr \\\\ 10%\\r20%\n"
		if rec.Code != 200 || rec.Body.String() != want {
			t.Fatalf("%d %q", rec.Code, rec.Body)
		}
		h := rec.Header()
		if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Content-Disposition") != `attachment; filename="first run.log"` {
			t.Fatal(h)
		}
	})
}

func TestM10RawDownloadIsByteForByteWhatWasPrinted(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var out, stderr, all bytes.Buffer
		at := int64(1)
		for i := range 400 {
			var lines []logframe.Line
			for k := range 1 + i%7 {
				l := logframe.Line{Text: []byte(fmt.Sprintf("%d.%d \x00\xff\r\x1b[1m", i, k)), Stream: logframe.Stream(k % 3)}
				l.Cut = k%5 == 4
				lines = append(lines, l)
				b := append([]byte(nil), l.Text...)
				if !l.Cut {
					b = append(b, '\n')
				}
				switch l.Stream {
				case logframe.Stdout:
					out.Write(b)
				case logframe.Stderr:
					stderr.Write(b)
				default:
					continue
				}
				all.Write(b)
			}
			frame := logframe.Encode(nil, lines)
			lb, err := logframe.Decode(frame, 0)
			if err != nil {
				t.Fatal(err)
			}
			at = w.append(Batch{First: at, Lines: lb, Frame: frame})
		}
		check := func(when string) {
			for query, want := range map[string][]byte{"?format=raw": all.Bytes(), "?format=raw&stream=all": all.Bytes(), "?format=raw&stream=stdout": out.Bytes(), "?format=raw&stream=stderr": stderr.Bytes()} {
				if got := w.get(w.ctx, w.path(query)).Body.Bytes(); !bytes.Equal(got, want) {
					t.Errorf("%s, %s: %d bytes, %d were printed", when, query, len(got), len(want))
				}
			}
		}
		check("while it runs")
		w.end()
		w.idle()
		if err := w.Compact(w.ctx, w.job.ID); err != nil {
			t.Fatal(err)
		}
		check("after compaction")
	})
}

func TestDownloadIsOnlyForThoseWhoSeeTheJob(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.append(batch(t, 1, "secret"))
		_, stranger := dbtest.Job(t, w.DB, "other")
		user := access.From(w.ctx).User
		roles := access.From(w.ctx).Roles
		as := func(v *access.Viewer) context.Context { return access.With(context.Background(), v) }
		for name, c := range map[string]struct {
			ctx  context.Context
			code int
		}{
			"nobody":                {context.Background(), 401},
			"another project's":     {stranger, 404},
			"viewer":                {as(&access.Viewer{Kind: access.Session, User: user, Roles: map[int64]membership.Role{w.job.ProjectID: membership.RoleViewer}}), 200},
			"token with READ":       {as(&access.Viewer{Kind: access.APIToken, User: user, Roles: roles, Scopes: map[string]bool{"READ": true}}), 200},
			"token without":         {as(&access.Viewer{Kind: access.APIToken, User: user, Roles: roles, Scopes: map[string]bool{"ADMIN": true}}), 403},
			"worker of the project": {as(&access.Viewer{Kind: access.Worker, User: user, ProjectID: w.job.ProjectID}), 200},
			"worker of another":     {as(&access.Viewer{Kind: access.Worker, User: user, ProjectID: w.job.ProjectID + 1}), 404},
			"removed from project":  {as(&access.Viewer{Kind: access.Session, User: user}), 404},
			"job token of this":     {as(&access.Viewer{Kind: access.Job, User: user, Roles: roles, ProjectID: w.job.ProjectID, JobID: w.job.ID}), 200},
		} {
			rec := w.get(c.ctx, w.path(""))
			if rec.Code != c.code || rec.Code != 200 && strings.Contains(rec.Body.String(), "secret") {
				t.Errorf("%s: %d %s", name, rec.Code, rec.Body)
			}
		}
		for query, code := range map[string]int{"?format=xml": 400, "?format=raw&stream=both": 400, "?stream=stdout": 400} {
			if rec := w.get(w.ctx, w.path(query)); rec.Code != code {
				t.Errorf("%s: %d", query, rec.Code)
			}
		}
		if rec := w.get(w.ctx, "/api/jobs/nonsense/log"); rec.Code != 404 {
			t.Errorf("%d", rec.Code)
		}
	})
}

func TestDownloadNameIsSafe(t *testing.T) {
	for run, want := range map[string]string{
		"train":                    "train.log",
		"a/b\\c:d":                 "a_b_c_d.log",
		"x\r\nSet-Cookie: a=b":     "x__Set-Cookie_ a=b.log",
		`q"uote`:                   "q_uote.log",
		"../../etc/passwd":         "_.._etc_passwd.log",
		"...":                      "job.log",
		"\u202egnp.exe":            "_gnp.exe.log",
		strings.Repeat("長", 100):   strings.Repeat("長", 66) + ".log",
		"学習 1":                     "学習 1.log",
		"א@+ (x)":                  "א@+ (x).log",
		"it's 100% done; rm -rf /": "it's 100_ done_ rm -rf _.log",
	} {
		d := disposition(run)
		kind, params, err := mime.ParseMediaType(d)
		if err != nil || kind != "attachment" || strings.ContainsAny(d, "\r\n") {
			t.Errorf("%q: %q: %v", run, d, err)
			continue
		}
		if params["filename"] != want {
			t.Errorf("%q: %q, want %q", run, params["filename"], want)
		}
	}
}
