package client

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/vektah/gqlparser/v2/gqlerror"
)

// maxEvent is the longest event of a stream in bytes.
const maxEvent = 64 << 20

// errSilent is why a stream was given up.
var errSilent = errors.New("the connection was silent for too long")

// Subscribe opens one subscription and hands the value of its only root field to on, until the server completes it (nil), the
// connection breaks or on fails. opened, which may be nil, is called once the server has accepted it.
func (c *Client) Subscribe(ctx context.Context, query string, vars map[string]any, opened func(), on func(json.RawMessage) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r, err := c.post(ctx, map[string]any{"query": query, "variables": vars}, "text/event-stream")
	if err != nil {
		return err
	}
	defer r.Body.Close()
	if r.StatusCode != http.StatusOK {
		return httpError(r)
	}
	if t := r.Header.Get("Content-Type"); !strings.HasPrefix(t, "text/event-stream") {
		return notAStream(r)
	}
	if opened != nil {
		opened()
	}
	idle := watch(c.silence, func() { cancel(errSilent) })
	defer idle.stop()
	err = readEvents(r.Body, idle, on)
	if cause := context.Cause(ctx); cause != nil && err != nil {
		err = &NetworkError{Err: cause}
		if errors.Is(cause, context.Canceled) {
			err = cause
		}
	}
	return err
}

// notAStream reads an answer that came at once: a refusal, as a rule.
func notAStream(r *http.Response) error {
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil {
		return &NetworkError{Err: err}
	}
	var g struct {
		Errors gqlerror.List `json:"errors"`
	}
	if json.Unmarshal(body, &g) == nil && len(g.Errors) > 0 {
		return fromList(g.Errors)
	}
	return &Error{Code: Internal, Status: r.StatusCode, Message: "The server, or a proxy before it, does not send streams of events."}
}

func readEvents(body io.Reader, idle *watchdog, on func(json.RawMessage) error) error {
	rd := bufio.NewReaderSize(body, 64<<10)
	var event string
	var data []byte
	for {
		line, err := readLine(rd, maxEvent)
		if err != nil {
			return &NetworkError{Err: fmt.Errorf("the stream broke off: %w", err)}
		}
		idle.touch()
		switch {
		case len(line) == 0: // the end of an event
			if done, err := dispatch(event, data, on); done || err != nil {
				return err
			}
			event, data = "", data[:0]
		case line[0] == ':':
		case bytes.HasPrefix(line, []byte("event:")):
			event = string(bytes.TrimSpace(line[6:]))
		case bytes.HasPrefix(line, []byte("data:")):
			data = append(data, bytes.TrimPrefix(line[5:], []byte(" "))...)
		}
	}
}

func dispatch(event string, data []byte, on func(json.RawMessage) error) (done bool, err error) {
	switch event {
	case "complete":
		return true, nil
	case "next":
	default:
		return false, nil
	}
	var m struct {
		Data   map[string]json.RawMessage `json:"data"`
		Errors gqlerror.List              `json:"errors"`
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return false, &NetworkError{Err: fmt.Errorf("an event is not JSON: %w", err)}
	}
	if err := fromList(m.Errors); err != nil {
		return false, err
	}
	for _, v := range m.Data {
		if err := on(v); err != nil {
			return false, err
		}
	}
	return false, nil
}

func readLine(rd *bufio.Reader, limit int) ([]byte, error) {
	line, err := rd.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		long := bytes.Clone(line)
		for errors.Is(err, bufio.ErrBufferFull) {
			if len(long) > limit {
				return nil, errors.New("an event is too long")
			}
			line, err = rd.ReadSlice('\n')
			long = append(long, line...)
		}
		line = long
	}
	if err != nil {
		return nil, err
	}
	return bytes.TrimRight(line, "\r\n"), nil
}

// Follow subscribes and, whenever the connection breaks, subscribes again with the variables that vars gives then, so that it goes on
// from the caller's cursor. It returns nil when the server completes the stream, and an error that will not go away by itself.
// broken, which may be nil, hears of each break.
func Follow[T any](ctx context.Context, c *Client, query string, vars func() map[string]any, broken func(error), on func(T) error) error {
	var b Backoff
	for {
		var failed error // on's own error ends all
		err := c.Subscribe(ctx, query, vars(), nil, func(raw json.RawMessage) error {
			b.Reset()
			var v T
			if err := json.Unmarshal(raw, &v); err != nil {
				return fmt.Errorf("read an event: %w", err)
			}
			failed = on(v)
			return failed
		})
		if err == nil || failed != nil || ctx.Err() != nil || !Temporary(err) {
			return err
		}
		if broken != nil {
			broken(err)
		}
		if !b.Sleep(ctx) {
			return ctx.Err()
		}
	}
}

// Work is a nudge to a worker.
type Work struct {
	Claim     bool `json:"claim"`     // there may be jobs to claim
	Heartbeat bool `json:"heartbeat"` // a heartbeat has something to say
}

const workQuery = `subscription Work($id: ID!) { workAvailable(workerId: $id) { claim heartbeat } }`

// WorkAvailable hears the nudges for a worker over one connection until it ends.
func (c *Client) WorkAvailable(ctx context.Context, workerID string, opened func(), on func(Work)) error {
	return c.Subscribe(ctx, workQuery, map[string]any{"id": workerID}, opened, func(raw json.RawMessage) error {
		var w *Work
		if err := json.Unmarshal(raw, &w); err != nil {
			return fmt.Errorf("read a nudge: %w", err)
		}
		if w != nil {
			on(*w)
		}
		return nil
	})
}

// watchdog calls a function when it was not touched for a while.
type watchdog struct {
	timer *time.Timer
	after time.Duration
	last  atomic.Int64
}

func watch(after time.Duration, bark func()) *watchdog {
	w := &watchdog{after: after}
	w.touch()
	started := make(chan struct{})
	w.timer = time.AfterFunc(after, func() {
		<-started
		quiet := time.Since(time.Unix(0, w.last.Load()))
		if quiet >= after {
			bark()
			return
		}
		w.timer.Reset(after - quiet)
	})
	close(started)
	return w
}

func (w *watchdog) touch() { w.last.Store(time.Now().UnixNano()) }
func (w *watchdog) stop()  { w.timer.Stop() }
