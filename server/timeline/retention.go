package timeline

import (
	"context"
	"time"

	"nightshift/server/db"
)

// Keep is how long events are kept unless the settings say otherwise.
const Keep = 30 * 24 * time.Hour

// Sweep deletes events older than keep, a thousand in a transaction so that no writer waits for long, and tells how many. Safe on
// every server at once.
func (r *Room) Sweep(ctx context.Context, keep time.Duration) (deleted int64, err error) {
	before := db.Now().Add(-keep)
	for {
		var n int64
		err := r.DB.InTx(ctx, func(tx *db.Tx) (err error) {
			n, err = tx.Exec(ctx, `DELETE FROM job_events WHERE id IN (SELECT id FROM job_events WHERE time < ? ORDER BY time LIMIT 1000)`, before)
			return err
		})
		deleted += n
		if err != nil || n == 0 {
			return deleted, err
		}
		select {
		case <-ctx.Done():
			return deleted, ctx.Err()
		case <-time.After(10 * time.Millisecond): // let others write
		}
	}
}
