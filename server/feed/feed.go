// Package feed is the change feed of jobs: a row in the transaction that changed a job, a notification after its commit, and readers
// that follow with a cursor.
package feed

import (
	"context"

	"nightshift/server/db"
	"nightshift/server/pubsub"
)

// Changed notes in the caller's transaction that a job changed, and tells the followers once it is committed.
func Changed(ctx context.Context, tx *db.Tx, bus *pubsub.Bus, project, job int64) error {
	if _, err := tx.Exec(ctx, `INSERT INTO outbox (project_id, job_id, at) VALUES (?, ?, ?)`, project, job, db.Now()); err != nil {
		return err
	}
	tx.AfterCommit(func() { bus.Publish(pubsub.Jobs(project), pubsub.Events(job)) })
	return nil
}
