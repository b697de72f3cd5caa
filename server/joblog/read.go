package joblog

import (
	"bytes"
	"context"
	"slices"
	"time"

	"nightshift/logframe"
	"nightshift/server/fault"
)

// Query says which lines are asked for. Without From and To the newest Tail lines that match; with one of them those of the range, from
// its beginning on.
type Query struct {
	Tail     int   // 0: DefaultTail; at most 10,000
	From, To int64 // 0: from the first, to the last; both ends belong to it
	Levels   logframe.LevelMask
	Search   string
}

// Lines is an answer.
type Lines struct {
	Lines []Line
	// Next is the number of the next line to ask for.
	Next int64
	// Total counts the complete lines of the whole log.
	Total int64
	// Matching counts the complete lines of the range that match.
	Matching int64
	// Truncated: lines of the range before the first one here were left out, or the time was up before all were looked at.
	Truncated bool
	Ended     bool
}

// searchTime is how long one answer may look for lines.
const searchTime = 2 * time.Second

const maxSearch = 1000

// Read answers a query for at most 10,000 lines and 8 MiB of text. The caller has checked that the viewer may see the job.
func (r *Room) Read(ctx context.Context, job int64, q Query) (*Lines, error) {
	if q.Tail < 0 || q.Tail > maxLines {
		return nil, fault.Invalid("tail", "tail is 1 to %d; ask for more in ranges, or download the log.", maxLines)
	}
	if q.From < 0 || q.To < 0 || q.To > 0 && q.From > q.To {
		return nil, fault.Invalid("fromLine", "A range is from a line to the same or a later one, counted from 1.")
	}
	if len(q.Search) > maxSearch {
		return nil, fault.Invalid("search", "A search has at most %d bytes.", maxSearch)
	}
	s, err := r.state(ctx, job)
	if err != nil {
		return nil, err
	}
	out := &Lines{Total: s.next - 1, Ended: s.ended, Next: s.next}
	m := newMatcher(q.Levels, q.Search)
	sc := scan{room: r, job: job, m: m, out: out, from: max(q.From, 1), to: s.next, deadline: time.Now().Add(searchTime)}
	if q.To > 0 {
		sc.to = min(sc.to, q.To+1)
	}
	partial := r.partialOf(job, s.next)
	if q.To > 0 && q.To < s.next || partial != nil && !m.match(&partial.Line) || partial != nil && s.ended {
		partial = nil
	}
	if q.From == 0 && q.To == 0 {
		if q.Tail == 0 {
			q.Tail = DefaultTail
		}
		err = sc.backward(ctx, q.Tail)
	} else {
		err = sc.forward(ctx)
	}
	if err != nil {
		return nil, err
	}
	if partial != nil && out.Next == s.next {
		out.Lines = append(out.Lines, *partial)
	}
	return out, nil
}

// scan looks for lines of [from, to) and counts those that match, also the ones for which there is no room.
type scan struct {
	room     *Room
	job      int64
	m        *matcher
	out      *Lines
	from, to int64
	deadline time.Time
	text     int
	buf      []byte
}

// forward collects the first lines of the range.
func (s *scan) forward(ctx context.Context) error {
	s.out.Next = max(s.from, s.to)
	if s.m.all() {
		s.out.Matching = max(0, s.to-s.from)
	}
	full := false
	for at := s.from; at < s.to; {
		chunks, upTo, err := s.room.page(ctx, s.job, at, s.to, s.m.levels)
		if err != nil {
			return err
		}
		for i := range chunks {
			c := &chunks[i]
			b, err := s.decode(c)
			if err != nil {
				return err
			}
			skip := max(0, at-c.first)
			n := c.first + skip
			rd := b.Reader(int(skip))
			for l := (logframe.Line{}); n < s.to && rd.Next(&l); n++ {
				if !s.m.match(&l) {
					continue
				}
				if !full && (len(s.out.Lines) >= maxLines || s.text+len(l.Text) > maxText) {
					full = true
					s.out.Next = n
				}
				if full && s.m.all() {
					return nil
				}
				if !full {
					s.keep(n, l)
				}
				if !s.m.all() {
					s.out.Matching++
				}
			}
			at = max(at, n)
			if time.Now().After(s.deadline) {
				if !full {
					s.out.Next = at
				}
				s.out.Truncated = at < s.to
				return nil
			}
		}
		at = max(at, upTo)
	}
	return nil
}

// backward collects the last lines that match, newest chunk first, so that a long log's end is there at once.
func (s *scan) backward(ctx context.Context, tail int) error {
	if s.m.all() { // numbers tell what to read
		s.out.Matching = max(0, s.to-s.from)
		s.from = max(s.from, s.to-int64(tail))
	}
	full := false
	var found [][]Line // per chunk, newest first
	defer func() {
		slices.Reverse(found)
		s.out.Lines = slices.Concat(found...)
		if len(s.out.Lines) > 0 && s.m.all() {
			s.out.Truncated = s.out.Lines[0].Number > 1
		} else if !s.m.all() {
			s.out.Truncated = s.out.Truncated || s.out.Matching > int64(len(s.out.Lines))
		}
	}()
	kept := 0
	for end := s.to; end > s.from; {
		chunks, downTo, err := s.room.pageBefore(ctx, s.job, s.from, end, s.m.levels)
		if err != nil {
			return err
		}
		for i := range chunks {
			c := &chunks[i]
			b, err := s.decode(c)
			if err != nil {
				return err
			}
			skip := max(0, s.from-c.first)
			n := c.first + skip
			rd := b.Reader(int(skip))
			var here []Line
			matching := int64(0)
			for l := (logframe.Line{}); n < end && rd.Next(&l); n++ {
				if s.m.match(&l) {
					if matching++; !full {
						here = append(here, Line{n, l})
					}
				}
			}
			if !s.m.all() {
				s.out.Matching += matching
			}
			if !full {
				here = here[max(0, len(here)-(tail-kept)):]
				for j := len(here) - 1; j >= 0; j-- {
					if s.text += len(here[j].Text); s.text > maxText {
						here, full = here[j+1:], true
						break
					}
					here[j].Text = bytes.Clone(here[j].Text)
				}
				found = append(found, here)
				kept += len(here)
				full = full || kept >= tail
				if full && s.m.all() {
					return nil
				}
			}
			end = min(end, c.first)
			if time.Now().After(s.deadline) {
				s.out.Truncated = end > s.from
				return nil
			}
		}
		end = min(end, downTo)
	}
	return nil
}

func (s *scan) keep(n int64, l logframe.Line) {
	l.Text = bytes.Clone(l.Text)
	s.text += len(l.Text)
	s.out.Lines = append(s.out.Lines, Line{n, l})
}

// decode uses the same memory for every chunk: kept lines are copies.
func (s *scan) decode(c *chunk) (logframe.Batch, error) {
	b, err := c.decode(s.buf)
	if err == nil && cap(b.Payload()) > cap(s.buf) {
		s.buf = b.Payload()
	}
	return b, err
}
