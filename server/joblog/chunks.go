package joblog

import (
	"context"
	"fmt"

	"nightshift/logframe"
)

// chunk is one stored row: the lines [first, first+count).
type chunk struct {
	first int64
	count int64
	data  []byte
}

func (c *chunk) decode(buf []byte) (logframe.Batch, error) {
	b, err := logframe.DecodeInto(buf, c.data, maxChunk)
	if err != nil {
		return b, fmt.Errorf("stored log lines from %d on cannot be read: %w", c.first, err)
	}
	return b, nil
}

const (
	pageRows  = 64
	pageBytes = 1 << 20
)

// page reads some of the chunks that hold lines of [from, to), oldest first, and says up to which line it has looked. Chunks without any
// of the levels are passed over unread. Between two pages chunks may have been merged: lines before from are the caller's to skip.
//
// No row set stays open while anybody decodes, let alone writes to a slow client.
func (r *Room) page(ctx context.Context, job, from, to int64, levels logframe.LevelMask) (chunks []chunk, upTo int64, err error) {
	q, args := `SELECT first_line, line_count, data FROM log_chunks WHERE job_id = ?
		AND first_line >= (SELECT coalesce(max(first_line), 0) FROM log_chunks WHERE job_id = ? AND first_line <= ?) AND first_line < ?`, []any{job, job, from, to}
	if levels != 0 {
		q, args = q+` AND (level_mask & ?) <> 0`, append(args, int(levels))
	}
	chunks, more, err := r.chunks(ctx, q+` ORDER BY first_line LIMIT ?`, append(args, pageRows)...)
	if err != nil {
		return nil, 0, err
	}
	if !more || len(chunks) == 0 {
		return chunks, to, nil
	}
	last := chunks[len(chunks)-1]
	return chunks, last.first + last.count, nil
}

// pageBefore is page from the end: newest first, and downTo is the line from which on it has looked.
func (r *Room) pageBefore(ctx context.Context, job, from, to int64, levels logframe.LevelMask) (chunks []chunk, downTo int64, err error) {
	q, args := `SELECT first_line, line_count, data FROM log_chunks WHERE job_id = ? AND first_line < ? AND first_line + line_count > ?`, []any{job, to, from}
	if levels != 0 {
		q, args = q+` AND (level_mask & ?) <> 0`, append(args, int(levels))
	}
	q += ` AND first_line >= (SELECT coalesce(max(first_line), 0) FROM log_chunks WHERE job_id = ? AND first_line <= ?)`
	chunks, more, err := r.chunks(ctx, q+` ORDER BY first_line DESC LIMIT ?`, append(args, job, from, pageRows)...)
	if err != nil {
		return nil, 0, err
	}
	if !more || len(chunks) == 0 {
		return chunks, from, nil
	}
	return chunks, chunks[len(chunks)-1].first, nil
}

// chunks runs a statement until a page is full; more tells that there may be further rows.
func (r *Room) chunks(ctx context.Context, q string, args ...any) (out []chunk, more bool, err error) {
	rows, err := r.DB.Query(ctx, q, args...)
	if err != nil {
		return nil, false, err
	}
	defer rows.Close()
	size := 0
	for rows.Next() {
		var c chunk
		if err := rows.Scan(&c.first, &c.count, &c.data); err != nil {
			return nil, false, err
		}
		out = append(out, c)
		if size += len(c.data); size >= pageBytes || len(out) >= pageRows {
			return out, true, nil
		}
	}
	return out, false, rows.Err()
}
