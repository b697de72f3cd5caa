package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"nightshift/client"
	"nightshift/logframe"
)

// logLine and logLines are what the jobLog subscription sends.
type logLine struct {
	Number  int64     `json:"number"`
	Time    time.Time `json:"time"`
	Level   string    `json:"level"`
	Stream  string    `json:"stream"`
	Message string    `json:"message"`
	Partial bool      `json:"partial"`
	Cut     bool      `json:"cut"`
}

type logLines struct {
	Lines    []logLine `json:"lines"`
	NextLine int64     `json:"nextLine"`
	Ended    bool      `json:"ended"`
}

const logQuery = `subscription Log($id: ID!, $from: Long) { jobLog(id: $id, fromLine: $from) {
	lines { number time level stream message partial cut } nextLine ended } }`

// printer writes log lines as they come: what the job wrote to stderr to stderr, and an unfinished line only where it can be drawn over.
type printer struct {
	out, err io.Writer
	drawn    bool // an unfinished line stands on the terminal
	level    string
	grep     func(string) bool
}

func newPrinter(out, err io.Writer) *printer { return &printer{out: out, err: err} }

func (p *printer) write(l logLine) error {
	w := p.out
	if l.Stream == "STDERR" {
		w = p.err
	}
	if p.level != "" && l.Level != p.level || p.grep != nil && !p.grep(l.Message) {
		return nil
	}
	tty := isTerminal(w)
	if l.Partial && !tty {
		return nil
	}
	text := logframe.SafeTerminal(l.Message, colours(w))
	if p.drawn {
		text = "\r\x1b[K" + text
	}
	p.drawn = l.Partial
	if !l.Partial && !l.Cut {
		text += "\n"
	}
	_, err := io.WriteString(w, text)
	return err
}

// followLog prints a job's log from a line on until the job has ended and all of it has come. Breaks of the connection are silent unless
// they last.
func (s *session) followLog(ctx context.Context, id string, from int64, p *printer) error {
	next := from
	var brokenAt time.Time
	told := false
	return client.Follow(ctx, s.Client, logQuery, func() map[string]any { return map[string]any{"id": id, "from": next} },
		func(err error) {
			if brokenAt.IsZero() {
				brokenAt = time.Now()
			}
			if !told && time.Since(brokenAt) > 5*time.Second {
				told = true
				fmt.Fprintln(os.Stderr, tr("nightshift: the server does not answer; trying again until it does. The job goes on.", "nightshift: サーバーが応答しません。応答するまで繰り返します。Jobは続いています。"))
			}
		},
		func(m logLines) error {
			brokenAt, told = time.Time{}, false
			for _, l := range m.Lines {
				if err := p.write(l); err != nil {
					return err
				}
			}
			next = m.NextLine
			if m.Ended {
				return errEnded
			}
			return nil
		})
}

var errEnded = errors.New("ended")

const jobQuery = `subscription Job($id: ID!) { jobChanged(id: $id) { id shortId status exitCode error endedAt durationSeconds held noResponse stopRequestedAt
	computer { name } cost { amount currency } run { name kind } } }`

// awaitEnd follows a job until it has ended.
func (s *session) awaitEnd(ctx context.Context, id string, change func(*client.JobRow)) (*client.JobRow, error) {
	var last *client.JobRow
	err := client.Follow(ctx, s.Client, jobQuery, func() map[string]any { return map[string]any{"id": id} }, nil, func(j client.JobRow) error {
		last = &j
		if change != nil {
			change(last)
		}
		if j.EndedAt != nil {
			return errEnded
		}
		return nil
	})
	if errors.Is(err, errEnded) {
		err = nil
	}
	if err == nil && (last == nil || last.EndedAt == nil) {
		err = errors.New(tr("the job can no longer be seen", "Jobが見えなくなりました"))
	}
	return last, err
}

// detail reads a job by its id or a prefix.
func (s *session) detail(ctx context.Context, id string) (*client.JobDetailJob, error) {
	d, err := client.JobDetail(ctx, s, id)
	if err != nil {
		return nil, err
	}
	if d.Job == nil {
		return nil, fmt.Errorf(tr("there is no job %q that you may see", "見られるJob %q はありません"), safe(id))
	}
	return d.Job, nil
}
