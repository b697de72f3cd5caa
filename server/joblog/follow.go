package joblog

import (
	"bytes"
	"context"
	"time"

	"nightshift/logframe"
	"nightshift/server/pubsub"
)

const (
	followLines = 1000
	followText  = 1 << 20
	// Between two messages, unless the one before was full: a job that prints a line every millisecond is not a message each.
	followInterval = 50 * time.Millisecond
	// How often a follower looks without having been told: a notification between servers may be lost.
	followPoll = 10 * time.Second
)

// Follow gives a job's lines from that number on (0: only those to come), no gap and no repeat, at most 1,000 in a message. An
// unfinished last line comes as it grows, always under the same number. The first message comes at once and may be empty. The channel
// closes after the message that says ended, or when ctx ends. No writer ever waits for a follower: all that one keeps is a number.
func (r *Room) Follow(ctx context.Context, job, from int64) <-chan *Lines {
	out := make(chan *Lines)
	// Subscribed before the first look, so that nothing can fall between.
	f := &follower{room: r, job: job, next: from, lines: r.Bus.Subscribe(pubsub.Log(job)), status: r.Bus.Subscribe(pubsub.Events(job))}
	go func() {
		defer close(out)
		defer f.lines.Close()
		defer f.status.Close()
		r.follows(job, 1)
		defer r.follows(job, -1)
		f.run(ctx, out)
	}()
	return out
}

func (r *Room) follows(job int64, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.liveOf(job).followers += n
}

type follower struct {
	room          *Room
	job           int64
	next          int64
	shown         *Line // the unfinished line as it was sent
	lines, status *pubsub.Sub
	stale         bool // the database must be asked, not only the memory
}

func (f *follower) run(ctx context.Context, out chan<- *Lines) {
	f.stale = true
	for first := true; ; first = false {
		m, full, err := f.read(ctx)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			f.room.Log.Warn("a log could not be followed", "job", f.job, "error", err)
			f.stale = true
			if !wait(ctx, nil, nil, time.Second) {
				return
			}
			continue
		}
		if first || len(m.Lines) > 0 || m.Ended {
			select {
			case out <- m:
			case <-ctx.Done():
				return
			}
			if m.Ended {
				return
			}
			if full {
				continue
			}
			if !wait(ctx, nil, nil, followInterval) {
				return
			}
		}
		if f.stale = f.sleep(ctx); ctx.Err() != nil {
			return
		}
	}
}

// sleep until something may have happened; true when it may be more than lines.
func (f *follower) sleep(ctx context.Context) (stale bool) {
	t := time.NewTimer(followPoll)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return true
	case <-f.status.C:
		return true
	case <-t.C:
		return true
	case <-f.lines.C:
		return false
	}
}

func wait(ctx context.Context, a, b <-chan struct{}, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
	case <-a:
	case <-b:
	}
	return true
}

// read makes the next message; full tells that there is more at once.
func (f *follower) read(ctx context.Context) (m *Lines, full bool, err error) {
	if !f.stale {
		if m, full := f.remembered(); m != nil {
			return m, full, nil
		}
	}
	s, err := f.room.state(ctx, f.job)
	if err != nil {
		return nil, false, err
	}
	if f.next <= 0 {
		f.next = s.next
	}
	m = &Lines{Total: s.next - 1}
	if f.next < s.next {
		m.Lines, err = f.room.from(ctx, f.job, f.next, s.next)
		if err != nil {
			return nil, false, err
		}
		if n := len(m.Lines); n > 0 {
			f.next = m.Lines[n-1].Number + 1
		}
	}
	f.finish(m)
	full = f.next < s.next && len(m.Lines) > 0
	m.Ended = s.ended && f.next >= s.next
	return m, full, nil
}

// finish adds what every message has, and the unfinished line when it is new.
func (f *follower) finish(m *Lines) {
	m.Next, m.Matching = f.next, int64(len(m.Lines))
	if f.shown != nil && f.shown.Number < f.next {
		f.shown = nil
	}
	p := f.room.partialOf(f.job, f.next)
	if p == nil || f.shown != nil && f.shown.Stream == p.Stream && bytes.Equal(f.shown.Text, p.Text) {
		return
	}
	f.shown = p
	m.Lines = append(m.Lines, *p)
}

// remembered answers from memory; nil when it cannot.
func (f *follower) remembered() (m *Lines, full bool) {
	r := f.room
	r.mu.Lock()
	var recent []recentBatch
	if l := r.live[f.job]; l != nil {
		recent = l.recent // batches are never changed, and the slice only cut and extended
	}
	r.mu.Unlock()
	m = &Lines{}
	text, at := 0, f.next
	for _, rb := range recent {
		end := rb.first + int64(rb.batch.Finals())
		if m.Total = end - 1; end <= at || full {
			continue
		}
		if rb.first > at {
			return nil, false
		}
		rd := rb.batch.Reader(int(at - rb.first))
		for l := (logframe.Line{}); at < end && rd.Next(&l); at++ {
			if len(m.Lines) >= followLines || text >= followText {
				full = true
				break
			}
			text += len(l.Text)
			m.Lines = append(m.Lines, Line{at, l})
		}
	}
	if len(m.Lines) == 0 {
		return nil, false
	}
	f.next = at
	f.finish(m)
	return m, full
}

// from reads the stored lines of [from, to), as many as fit in a message.
func (r *Room) from(ctx context.Context, job, from, to int64) (out []Line, err error) {
	chunks, _, err := r.page(ctx, job, from, to, 0)
	if err != nil {
		return nil, err
	}
	text := 0
	for i := range chunks {
		c := &chunks[i]
		b, err := c.decode(nil)
		if err != nil {
			return nil, err
		}
		skip := max(0, from-c.first)
		n := c.first + skip
		rd := b.Reader(int(skip))
		for l := (logframe.Line{}); n < to && rd.Next(&l); n++ {
			if len(out) >= followLines || text >= followText {
				return out, nil
			}
			text += len(l.Text)
			out = append(out, Line{n, l})
		}
		from = n
	}
	return out, nil
}
