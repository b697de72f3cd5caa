package joblog

import (
	"context"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"nightshift/ent"
	"nightshift/ent/job"
	"nightshift/logframe"
	"nightshift/server/access"
	"nightshift/server/fault"
)

// A client that takes nothing for so long is gone.
const downloadStall = time.Minute

// Download answers GET /api/jobs/{id}/log: the whole log as stored so far, streamed. Without format one row a line (time, level,
// message, separated by tabs); with format=raw exactly what was printed, of stream=stdout, stderr or all (the default).
func (r *Room) Download() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if err := r.download(w, req); err != nil {
			refuse(w, err)
		}
	})
}

func (r *Room) download(w http.ResponseWriter, req *http.Request) error {
	ctx := req.Context()
	switch v := access.From(ctx); {
	case v.Kind == access.Nobody:
		return fault.New(fault.Unauthenticated, "Sign in first, or send a token as «Authorization: Bearer …».")
	case v.Kind == access.APIToken && !v.Scopes["READ"]:
		return fault.Denied("This token lacks the scope READ.")
	}
	open, raw, err := format(req.URL.Query())
	if err != nil {
		return err
	}
	j, err := r.find(ctx, req.PathValue("id"))
	if err != nil {
		return err
	}
	s, err := r.state(ctx, j.ID)
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "text/tab-separated-values; charset=utf-8")
	if raw {
		h.Set("Content-Type", "application/octet-stream")
	}
	h.Set("Content-Disposition", disposition(j.RunName))
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "sandbox; default-src 'none'")
	h.Set("Cache-Control", "no-store")
	if req.Method == http.MethodHead {
		return nil
	}
	if err := r.write(ctx, j.ID, s.next, open(&patient{w, http.NewResponseController(w)})); err != nil {
		if ctx.Err() == nil {
			r.Log.Warn("a log download was cut off", "job", j.UUID, "error", err)
		}
		panic(http.ErrAbortHandler) // the only way to tell the client that it has not got everything
	}
	return nil
}

// writer is a form of the log.
type writer interface {
	Write(l *logframe.Line) error
	Close() error
}

func format(q url.Values) (open func(io.Writer) writer, raw bool, err error) {
	switch q.Get("format") {
	case "", "tsv":
		if q.Has("stream") {
			return nil, false, fault.Invalid("stream", "stream goes with format=raw.")
		}
		return func(w io.Writer) writer { return logframe.NewTSVWriter(w) }, false, nil
	case "raw":
	default:
		return nil, false, fault.Invalid("format", "format is tsv or raw.")
	}
	var only []logframe.Stream
	switch q.Get("stream") {
	case "", "all":
	case "stdout":
		only = []logframe.Stream{logframe.Stdout}
	case "stderr":
		only = []logframe.Stream{logframe.Stderr}
	default:
		return nil, false, fault.Invalid("stream", "stream is stdout, stderr or all.")
	}
	return func(w io.Writer) writer { return logframe.NewRawWriter(w, only...) }, true, nil
}

// find is the guarded look-up of a job the viewer may see.
func (r *Room) find(ctx context.Context, id string) (*ent.Job, error) {
	j, err := r.DB.Job.Query().Where(job.UUID(strings.ToLower(id))).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.Missing("job")
	}
	return j, err
}

// write streams all lines before next.
func (r *Room) write(ctx context.Context, job, next int64, w writer) error {
	var buf []byte
	for at := int64(1); at < next; {
		chunks, _, err := r.page(ctx, job, at, next, 0)
		if err != nil {
			return err
		}
		if len(chunks) == 0 {
			break
		}
		for i := range chunks {
			c := &chunks[i]
			b, err := c.decode(buf)
			if err != nil {
				return err
			}
			buf = b.Payload()
			skip := max(0, at-c.first)
			at = c.first + skip
			rd := b.Reader(int(skip))
			for l := (logframe.Line{}); at < next && rd.Next(&l); at++ {
				if err := w.Write(&l); err != nil {
					return err
				}
			}
		}
	}
	return w.Close()
}

// patient gives a slow client time for each piece, and a dead one up.
type patient struct {
	w http.ResponseWriter
	c *http.ResponseController
}

func (p *patient) Write(b []byte) (int, error) {
	p.c.SetWriteDeadline(time.Now().Add(downloadStall)) // not every ResponseWriter has deadlines
	return p.w.Write(b)
}

// disposition names the file after the run, whatever it is called. Header injection is impossible: what is not plain is replaced, and
// mime quotes the rest; other scripts than Latin go in the form of RFC 5987 beside a plain name for old clients.
func disposition(run string) string {
	name := strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f || c == utf8.RuneError || strings.ContainsRune(`/\:*?"<>|%;`, c) || c >= 0x202a && c <= 0x202e || c >= 0x2066 && c <= 0x2069 {
			return '_'
		}
		return c
	}, run)
	if name = strings.TrimLeft(name, ". "); name == "" {
		name = "job"
	}
	for len(name) > 200 {
		_, n := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-n]
	}
	name += ".log"
	plain := strings.Map(func(c rune) rune {
		if c >= utf8.RuneSelf {
			return '_'
		}
		return c
	}, name)
	d := mime.FormatMediaType("attachment", map[string]string{"filename": plain})
	if plain != name {
		d += "; filename*=UTF-8''" + strings.ReplaceAll(url.QueryEscape(name), "+", "%20")
	}
	return d
}

var statuses = map[fault.Code]int{
	fault.Unauthenticated: http.StatusUnauthorized, fault.Forbidden: http.StatusForbidden, fault.NotFound: http.StatusNotFound,
	fault.InvalidInput: http.StatusBadRequest,
}

func refuse(w http.ResponseWriter, err error) {
	code, text := fault.CodeOf(err), "The log cannot be read now. Try again later."
	status, ok := statuses[code]
	if !ok {
		status = http.StatusInternalServerError
	} else {
		text = err.Error()
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(map[string]any{"code": code, "message": text})
}
