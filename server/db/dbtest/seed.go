package dbtest

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"testing"

	"nightshift/server/db"
)

// Rows is how many jobs a benchmark works on: NIGHTSHIFT_BENCH_ROWS, or few, so that a benchmark that only must not rot is quick.
func Rows() int {
	if n, err := strconv.Atoi(os.Getenv("NIGHTSHIFT_BENCH_ROWS")); err == nil && n > 0 {
		return n
	}
	return 5_000
}

// Jobs says which rows Seed writes.
type Jobs struct {
	N                                   int
	Project, Computer, User, Experiment int64
	// Ready jobs wait for a worker; others have ended, one in ten FAILED.
	Ready bool
	// Need is their class of need; see server/queue.
	Need string
}

// Seed writes many jobs at once, for measuring: no other code makes rows past the rooms. Their runs are one for each.
func Seed(t testing.TB, d *db.DB, j Jobs) {
	t.Helper()
	ctx := context.Background()
	series := fmt.Sprintf("(WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < %d) SELECT i FROM s) AS g", j.N)
	uuid := func(kind string) string {
		return fmt.Sprintf("printf('%%08x-%s-4000-8000-%%012x', (i * 2654435761) %% 4294967296, (SELECT base FROM b) + i)", kind)
	}
	if d.Postgres() {
		series = fmt.Sprintf("generate_series(1, %d) AS g(i)", j.N)
		uuid = func(kind string) string {
			return "lpad(to_hex((i::bigint * 2654435761) % 4294967296), 8, '0') || '-" + kind + "-4000-8000-' || lpad(to_hex((SELECT base FROM b) + i), 12, '0')"
		}
	}
	status, ready := "CASE WHEN i % 10 = 0 THEN 'FAILED' ELSE 'COMPLETED' END", "false"
	if j.Ready {
		status, ready = "'QUEUED'", "true"
	}
	base := "WITH b AS (SELECT COALESCE(max(id), 0) AS base FROM runs)"
	err := d.InTx(ctx, func(tx *db.Tx) error {
		now := db.Now()
		if _, err := tx.Exec(ctx, base+` INSERT INTO runs (uuid, name, kind, parameters, tags, created_at, project_id, experiment_id, created_by_id)
			SELECT `+uuid("aaaa")+`, 'run ' || i, 'TRAINING', '{}', '{}', ?, ?, ?, ? FROM `+series, now, j.Project, j.Experiment, j.User); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `WITH b AS (SELECT max(id) - ? AS base FROM runs) INSERT INTO jobs (uuid, run_id, run_name, kind, status, ready, held, waiting_on, priority, need,
			gpu_mask, gpu_count, command, environment, attempt, max_attempts, no_response, kill_requested, next_line, created_at, project_id, computer_id, created_by_id)
			SELECT `+uuid("bbbb")+`, (SELECT base FROM b) + i, 'run ' || i, CASE WHEN i % 3 = 0 THEN 'EVALUATION' ELSE 'TRAINING' END, `+status+`, `+ready+`, false, 0, 0, ?,
			0, 0, 'true', '{}', 1, 3, false, false, 1, ?, ?, ?, ? FROM `+series, j.N, j.Need, now, j.Project, j.Computer, j.User)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if d.Postgres() {
		if _, err := d.Client.ExecContext(ctx, "ANALYZE jobs"); err != nil {
			t.Fatal(err)
		}
	}
}
