// Package demo makes a believable first project: a few real jobs, launched through the queue like anybody's, never written into the tables.
package demo

import (
	"context"
	_ "embed"
	"encoding/base64"
	"fmt"

	"nightshift/ent/computer"
	"nightshift/ent/job"
	"nightshift/server/access"
	"nightshift/server/queue"
)

//go:embed train.py
var training []byte

// Launch starts the examples: a small training, one that fails, one that waits for a computer without a worker.
func Launch(ctx context.Context, q *queue.Room, project, here string) error {
	if err := idleComputer(ctx, q, "workstation"); err != nil {
		return err
	}
	// The script travels in the command, so that the examples need no file on the computer.
	script := fmt.Sprintf("echo %s | base64 -d > \"$NIGHTSHIFT_JOB_DIR/train.py\"\n", base64.StdEncoding.EncodeToString(training))
	examples := []queue.Launch{
		{Name: "softmax-flowers", Kind: job.KindTraining, Computer: here, Command: script + `python3 -u "$NIGHTSHIFT_JOB_DIR/train.py"`,
			Parameters: map[string]any{"lr": 0.1, "epochs": 12}, Environment: map[string]string{"EPOCHS": "12", "LR": "0.1"}},
		{Name: "softmax-flowers-bad-data", Kind: job.KindTraining, Computer: here, Command: script + `python3 -u "$NIGHTSHIFT_JOB_DIR/train.py" missing.csv`,
			Parameters: map[string]any{"lr": 0.1, "data": "missing.csv"}},
		{Name: "evaluate-on-workstation", Kind: job.KindEvaluation, Computer: "workstation", Command: "python3 evaluate.py --split test"},
	}
	for _, l := range examples {
		l.Project, l.MaxAttempts = project, 3
		if _, err := q.Launch(ctx, l); err != nil {
			return err
		}
	}
	return nil
}

// idleComputer is a computer that nobody's worker takes, so that "why it is not running" can be seen.
func idleComputer(ctx context.Context, q *queue.Room, name string) error {
	exists, err := q.DB.Computer.Query().Where(computer.Name(name), computer.DeletedAtIsNil()).Exist(ctx)
	if err != nil || exists {
		return err
	}
	return q.DB.Computer.Create().SetName(name).SetKind(computer.KindLocal).SetVisibility(computer.VisibilityPublic).
		SetOwnerID(access.From(ctx).UserID()).Exec(ctx)
}
