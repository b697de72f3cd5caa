package auth

import (
	"context"
	"time"

	"nightshift/server/access"
	"nightshift/server/db"
)

const (
	sweepEvery = 10 * time.Minute
	// A token that has ended is listed by `nightshift admin token list` for so long.
	endedTokensKept = 30 * 24 * time.Hour
	// Rows deleted at once: SQLite's one writer is not kept from others for long.
	sweepSlice = 2000
)

// Sweep deletes what has expired, every ten minutes, until ctx ends. It is safe to run on every server.
func (r *Room) Sweep(ctx context.Context) {
	ctx = access.AsSystem(ctx)
	t := time.NewTicker(sweepEvery)
	defer t.Stop()
	for {
		if err := r.expire(ctx); err != nil && ctx.Err() == nil {
			r.Log.Warn("deleting expired sessions and tokens", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
	}
}

// What is deleted. A job's token is dead once the job has ended, and one is minted for every claim.
const (
	endedSessions  = `DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE expires_at < ? LIMIT ?)`
	endedLinks     = `DELETE FROM sign_in_links WHERE id IN (SELECT id FROM sign_in_links WHERE expires_at < ? LIMIT ?)`
	endedTokens    = `DELETE FROM tokens WHERE id IN (SELECT id FROM tokens WHERE kind = 'API' AND (expires_at < ? OR revoked_at < ?) LIMIT ?)`
	endedJobTokens = `DELETE FROM tokens WHERE id IN (SELECT tokens.id FROM tokens JOIN jobs ON jobs.id = tokens.job_id
		WHERE tokens.kind = 'JOB' AND jobs.status IN ('COMPLETED', 'FAILED', 'CANCELED') LIMIT ?)`
)

func (r *Room) expire(ctx context.Context) error {
	now := r.now()
	long := now.Add(-endedTokensKept)
	for _, s := range []struct {
		q    string
		args []any
	}{{endedSessions, []any{now}}, {endedLinks, []any{now}}, {endedTokens, []any{long, long}}, {endedJobTokens, nil}} {
		for n := int64(sweepSlice); n == sweepSlice; {
			err := r.DB.InTx(ctx, func(tx *db.Tx) (err error) {
				n, err = tx.Exec(ctx, s.q, append(s.args, sweepSlice)...)
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
