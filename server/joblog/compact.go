package joblog

import (
	"context"
	"errors"
	"time"

	"nightshift/logframe"
	"nightshift/server/db"
)

const (
	// What small chunks are merged into.
	mergedLines = 1000
	mergedBytes = 256 << 10
	// A chunk with fewer lines is worth merging, and so many of them are while the log still grows.
	smallChunk  = 250
	smallChunks = 128
	compactTime = 5 * time.Minute
)

// Compact merges the small chunks of a log that has come to its end, and forgets what was kept in memory for it. It is called in the
// background after a job has ended; when it is cut off, nothing is lost and the log only takes more room. Safe on several servers at once.
func (r *Room) Compact(ctx context.Context, job int64) error {
	_, err := r.compact(ctx, job, 0)
	r.mu.Lock()
	defer r.mu.Unlock()
	if l := r.live[job]; l != nil {
		l.partial, l.recent, l.bytes = nil, nil, 0
		if l.followers == 0 && !l.compacting && !l.progressNext {
			delete(r.live, job)
		}
	}
	return err
}

// compactLive merges while the log grows, so that its end opens fast however often the job prints a line.
func (r *Room) compactLive(job int64) {
	ctx, cancel := context.WithTimeout(context.Background(), compactTime)
	defer cancel()
	r.mu.Lock()
	from := r.liveOf(job).compacted
	r.mu.Unlock()
	upTo, err := r.compact(ctx, job, from)
	if err != nil {
		r.Log.Debug("a log was not compacted", "job", job, "error", err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	l := r.liveOf(job)
	l.compacting = false
	if err == nil {
		l.compacted = upTo
	}
}

// extent is a chunk without its data.
type extent struct {
	first       int64
	lines, size int
}

// compact merges runs of neighbors from that line on, and gives the line from which on there may be something to merge next time.
func (r *Room) compact(ctx context.Context, job, from int64) (upTo int64, err error) {
	upTo = from
	for {
		page, err := r.extents(ctx, job, upTo)
		if err != nil || len(page) == 0 {
			return upTo, err
		}
		for len(page) > 0 {
			n := run(page)
			if n > 1 {
				if err := r.merge(ctx, job, page[:n]); err != nil {
					return upTo, err
				}
			}
			last := page[n-1]
			if n == len(page) && n > 1 && len(page) < extentRows { // the end of the log: more may be added to it
				return page[0].first, nil
			}
			upTo = last.first + int64(last.lines)
			page = page[n:]
		}
	}
}

// run counts the chunks at the head that make one.
func run(page []extent) int {
	lines, size, n := 0, 0, 0
	for _, e := range page {
		lines, size = lines+e.lines, size+e.size
		if n > 0 && (lines > mergedLines || size > mergedBytes) {
			break
		}
		n++
	}
	return n
}

const extentRows = 2000

func (r *Room) extents(ctx context.Context, job, from int64) (out []extent, err error) {
	rows, err := r.DB.Query(ctx, `SELECT first_line, line_count, raw_size FROM log_chunks WHERE job_id = ? AND first_line >= ? ORDER BY first_line LIMIT ?`,
		job, from, extentRows)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var e extent
		if err := rows.Scan(&e.first, &e.lines, &e.size); err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, rows.Err()
}

// merge makes one chunk of a run. The work is done outside of the transaction; in it the rows are replaced, or nothing happens because
// somebody else has replaced them.
func (r *Room) merge(ctx context.Context, job int64, run []extent) error {
	first, end := run[0].first, run[len(run)-1].first+int64(run[len(run)-1].lines)
	var b logframe.Builder
	for at := first; at < end; {
		chunks, upTo, err := r.page(ctx, job, at, end, 0)
		if err != nil || len(chunks) == 0 {
			return err
		}
		for i := range chunks {
			if chunks[i].first != at {
				return nil // merged by somebody else meanwhile
			}
			lines, err := chunks[i].decode(nil)
			if err != nil {
				return err
			}
			b.AddBatch(&lines)
			at += chunks[i].count
		}
		at = max(at, upTo)
	}
	if int64(b.Len()) != end-first {
		return nil
	}
	frame := b.AppendFrame(nil)
	err := r.DB.InTx(ctx, func(tx *db.Tx) error {
		n, err := tx.Exec(ctx, `DELETE FROM log_chunks WHERE job_id = ? AND first_line >= ? AND first_line < ?`, job, first, end)
		if err != nil {
			return err
		}
		if n != int64(len(run)) {
			return errMoved
		}
		_, err = tx.Exec(ctx, `INSERT INTO log_chunks (job_id, first_line, line_count, level_mask, raw_size, data) VALUES (?, ?, ?, ?, ?, ?)`,
			job, first, b.Len(), int(b.Levels()), b.Size(), frame)
		return err
	})
	if errors.Is(err, errMoved) {
		return nil
	}
	return err
}

var errMoved = errors.New("the chunks were merged by somebody else")
