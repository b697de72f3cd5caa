package joblog

import (
	"bytes"
	"context"
	"time"

	"nightshift/ent"
	"nightshift/logframe"
	"nightshift/server/db"
	"nightshift/server/fault"
	"nightshift/server/feed"
	"nightshift/server/pubsub"
)

// Batch is a decoded, checked batch of lines.
type Batch struct {
	First int64 // the number of the first line
	Lines logframe.Batch
	// Frame is what was sent, kept as it is when nothing has to be cut off it; nil: it is made again.
	Frame    []byte
	Progress *Progress
}

// Append stores a batch and gives the number of the next line it expects: everything before it is stored. A batch that is known is
// acknowledged and changes nothing; of one that is partly known only the rest is stored; one that would leave a gap is refused with
// CONFLICT and nextLine. An unfinished last line is shown to those who follow, and stored when it is complete.
func (r *Room) Append(ctx context.Context, check Check, b Batch) (next int64, err error) {
	if b.First < 1 {
		return 0, fault.Invalid("firstLine", "Lines are numbered from 1.")
	}
	progress, err := b.Progress.encode()
	if err != nil {
		return 0, err
	}
	var (
		job      *ent.Job
		finals   = int64(b.Lines.Finals())
		stored   int
		announce bool
	)
	frame := b.Frame
	if frame == nil || b.Lines.Partial() {
		frame = suffix(&b.Lines, 0)
	}
	err = r.DB.InTx(ctx, func(tx *db.Tx) error {
		stored, announce = 0, false
		var err error
		if job, err = check(ctx, tx); err != nil {
			return err
		}
		next = job.NextLine
		if b.First > next {
			return fault.New(fault.Conflict, "Lines from %d on are missing: send them first.", next).With("nextLine", next)
		}
		newProgress := progress != nil && b.Progress.differs(job.Progress)
		f := frame
		if known := next - b.First; known < finals {
			if known > 0 {
				f = suffix(&b.Lines, int(known))
			}
			stored = int(finals - known)
		} else if !newProgress {
			return nil
		}
		c := change{job: job.ID, first: next, count: stored, lines: &b.Lines, frame: f}
		if newProgress {
			c.progress = string(progress)
		}
		if err := c.store(ctx, tx); err != nil {
			return err
		}
		next += int64(stored)
		if announce = newProgress && r.mayAnnounce(job); announce {
			return feed.Changed(ctx, tx, r.Bus, job.ProjectID, job.ID)
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	r.remember(job, b, next, stored)
	return next, nil
}

// change is what one batch changes in the tables.
type change struct {
	job, first int64
	count      int // of the lines; may be 0
	lines      *logframe.Batch
	frame      []byte
	progress   any // JSON text; nil: unchanged
}

func (c *change) store(ctx context.Context, tx *db.Tx) error {
	update, args := `UPDATE jobs SET next_line = ? WHERE id = ?`, []any{c.first + int64(c.count), c.job}
	if c.progress != nil {
		update, args = `UPDATE jobs SET next_line = ?, progress = ? WHERE id = ?`, []any{c.first + int64(c.count), c.progress, c.job}
	}
	if c.count > 0 {
		insert := `INSERT INTO log_chunks (job_id, first_line, line_count, level_mask, raw_size, data) VALUES (?, ?, ?, ?, ?, ?)`
		row := []any{c.job, c.first, c.count, int(c.lines.Levels()), c.lines.Size(), c.frame}
		if tx.Postgres() { // together: one way to the server and back instead of two
			update, args = `WITH chunk AS (`+insert+`) `+update, append(row, args...)
		} else if _, err := tx.Exec(ctx, insert, row...); err != nil {
			return err
		}
	}
	_, err := tx.Exec(ctx, update, args...)
	return err
}

// suffix makes the frame of the final lines from index from on.
func suffix(b *logframe.Batch, from int) []byte {
	var out logframe.Builder
	left := b.Finals() - from
	for _, l := range b.From(from) {
		if left--; left < 0 {
			break
		}
		out.Add(&l)
	}
	return out.AppendFrame(nil)
}

// remember keeps what followers want at once, and tells them.
func (r *Room) remember(job *ent.Job, b Batch, next int64, stored int) {
	r.mu.Lock()
	l := r.liveOf(job.ID)
	shown := l.keepPartial(&b, next)
	if stored > 0 {
		l.keepBatch(b)
		if stored < smallChunk {
			l.small++
		}
	}
	compact := l.small >= smallChunks && !l.compacting
	if compact {
		l.compacting, l.small = true, 0
	}
	r.mu.Unlock()
	if stored > 0 || shown {
		r.Bus.Publish(pubsub.Log(job.ID))
	}
	if compact {
		go r.compactLive(job.ID)
	}
}

// keepPartial tells whether there is something new to show.
func (l *live) keepPartial(b *Batch, next int64) bool {
	if l.partial != nil && l.partial.Number < next {
		l.partial = nil
	}
	if !b.Lines.Partial() || b.First+int64(b.Lines.Finals()) != next {
		return false
	}
	var last logframe.Line
	for rd := b.Lines.Reader(b.Lines.Finals()); rd.Next(&last); {
	}
	if len(last.Text) > previewText {
		last.Text = last.Text[:previewText]
	}
	if l.partial != nil && l.partial.Stream == last.Stream && bytes.Equal(l.partial.Text, last.Text) {
		return false
	}
	last.Text = bytes.Clone(last.Text)
	l.partial = &Line{next, last}
	return true
}

func (l *live) keepBatch(b Batch) {
	if l.followers == 0 {
		l.recent, l.bytes = nil, 0
		return
	}
	if n := len(l.recent); n > 0 {
		if e := l.recent[n-1]; e.first+int64(e.batch.Finals()) < b.First {
			l.recent, l.bytes = nil, 0 // another server stored what is between
		}
	}
	l.recent = append(l.recent, recentBatch{b.First, b.Lines})
	l.bytes += b.Lines.Size()
	for len(l.recent) > 1 && l.bytes > recentBytes {
		l.bytes -= l.recent[0].batch.Size()
		l.recent = l.recent[1:]
	}
}

const progressInterval = 500 * time.Millisecond

// mayAnnounce tells whether a change of progress is told to the lists now; otherwise it will be in a moment, once for all the changes
// until then.
func (r *Room) mayAnnounce(job *ent.Job) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := r.liveOf(job.ID)
	wait := progressInterval - time.Since(l.progressAt)
	if wait <= 0 {
		l.progressAt = time.Now()
		return true
	}
	if !l.progressNext {
		l.progressNext = true
		time.AfterFunc(wait, func() { r.announce(job) })
	}
	return false
}

func (r *Room) announce(job *ent.Job) {
	r.mu.Lock()
	l := r.liveOf(job.ID)
	l.progressNext, l.progressAt = false, time.Now()
	r.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	err := r.DB.InTx(ctx, func(tx *db.Tx) error { return feed.Changed(ctx, tx, r.Bus, job.ProjectID, job.ID) })
	if err != nil {
		r.Log.Debug("progress was not announced", "job", job.UUID, "error", err)
	}
}
