package queue

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"nightshift/ent"
	"nightshift/ent/job"
	"nightshift/server/db"
	"nightshift/server/fault"
	"nightshift/server/feed"
	"nightshift/server/timeline"
	"nightshift/server/token"

	enttoken "nightshift/ent/token"
)

// Claimed is a job for a worker, with all that is needed to run it.
type Claimed struct {
	Job      *ent.Job
	Run      *ent.Run
	Lease    string
	JobToken string
	Secrets  map[string]string
	GPUs     []int
	Array    *ent.Array
}

const maxClaim = 64

// Claim gives a worker up to max jobs that it may start now. It reads the head of each class of need in the index of ready jobs, so its
// cost does not grow with the queue, nor with the jobs at its head that this worker may not take.
func (r *Room) Claim(ctx context.Context, worker, instance string, max int) ([]Claimed, error) {
	w, err := r.self(ctx, r.DB.Client, worker, instance)
	if err != nil {
		return nil, err
	}
	if w.Draining || max < 1 {
		return nil, nil
	}
	if any, err := r.anyReady(ctx, w); !any || err != nil { // an idle poll takes no lock
		return nil, err
	}
	var out []Claimed
	err = r.DB.InTx(ctx, func(tx *db.Tx) error {
		out, err = r.claim(ctx, tx, w, min(max, maxClaim))
		return err
	})
	if err != nil {
		return nil, err
	}
	for i := range out {
		if len(out[i].Job.Secrets) > 0 {
			if r.Vault == nil {
				return nil, fmt.Errorf("a job has secrets and this server no key file")
			}
			if out[i].Secrets, err = r.Vault.open(out[i].Job.Secrets); err != nil {
				r.Log.Error("secrets of a job cannot be opened; it runs without them", "job", out[i].Job.UUID, "error", err)
			}
		}
	}
	return out, nil
}

func (r *Room) anyReady(ctx context.Context, w *ent.Worker) (bool, error) {
	rows, err := r.DB.Query(ctx, `SELECT 1 FROM jobs WHERE ready AND computer_id = ? AND project_id = ? LIMIT 1`, w.ComputerID, w.ProjectID)
	if err != nil {
		return false, err
	}
	defer rows.Close()
	return rows.Next(), rows.Err()
}

// head is a job at the head of its class.
type head struct {
	id       int64
	priority int
	need     string
	readyAt  *time.Time
}

func (r *Room) claim(ctx context.Context, tx *db.Tx, w *ent.Worker, max int) ([]Claimed, error) {
	if tx.Postgres() { // one claim per computer at a time; SQLite has one writer anyway
		if _, err := tx.Exec(ctx, `SELECT id FROM computers WHERE id = ? FOR NO KEY UPDATE`, w.ComputerID); err != nil {
			return nil, err
		}
	}
	comp, err := tx.Computer.Get(ctx, w.ComputerID)
	if err != nil {
		return nil, err
	}
	k, err := loadCapacity(ctx, tx.Client(), tx, r.DB.Bind, comp)
	if err != nil {
		return nil, err
	}
	if k.closed(r.LocalExecutor) != "" {
		return nil, nil
	}
	heads, err := r.heads(ctx, tx, w, k, max)
	if err != nil {
		return nil, err
	}
	var out []Claimed
	now := r.now()
	for _, h := range heads {
		if len(out) == max || k.full() {
			break
		}
		mask, fits, possible := k.fits(h.need)
		if !fits {
			if possible && waitedLong(h.readyAt, now) {
				k.reserve(h.need)
			}
			continue
		}
		c, err := r.take(ctx, tx, w, k, h, mask)
		if err != nil {
			return nil, err
		}
		if c != nil {
			out = append(out, *c)
		}
	}
	return out, r.fill(ctx, tx, out)
}

// heads are the first jobs of each class that the computer could satisfy, in the order of the queue.
func (r *Room) heads(ctx context.Context, tx *db.Tx, w *ent.Worker, k *capacity, max int) ([]head, error) {
	classes, err := r.classes(ctx, tx, w)
	if err != nil {
		return nil, err
	}
	var out []head
	for _, need := range classes {
		_, fits, possible := k.fits(need)
		n := max
		if !possible {
			continue
		} else if !fits {
			n = 1 // only to see whether it has waited so long that something is kept for it
		}
		rows, err := tx.Query(ctx, `SELECT id, priority, ready_at FROM jobs WHERE ready AND computer_id = ? AND project_id = ? AND need = ?
			ORDER BY priority DESC, id LIMIT ?`, w.ComputerID, w.ProjectID, need, n)
		if err != nil {
			return nil, err
		}
		for rows.Next() {
			h := head{need: need}
			if err := rows.Scan(&h.id, &h.priority, &h.readyAt); err != nil {
				rows.Close()
				return nil, err
			}
			out = append(out, h)
		}
		if err := rows.Close(); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(out, func(a, b head) int {
		if a.priority != b.priority {
			return b.priority - a.priority
		}
		return int(a.id - b.id)
	})
	return out, nil
}

// classes jumps from class to class in the index: its cost is their number, not that of the jobs in them.
func (r *Room) classes(ctx context.Context, tx *db.Tx, w *ent.Worker) ([]string, error) {
	const next = `SELECT need FROM jobs WHERE ready AND computer_id = ? AND project_id = ? AND need > ? ORDER BY need LIMIT 1`
	var out []string
	const first = `SELECT need FROM jobs WHERE ready AND computer_id = ? AND project_id = ? ORDER BY need LIMIT 1`
	q, args := first, []any{w.ComputerID, w.ProjectID}
	for len(out) < 500 {
		rows, err := tx.Query(ctx, q, args...)
		if err != nil {
			return nil, err
		}
		var need string
		found := rows.Next()
		if found {
			err = rows.Scan(&need)
		}
		rows.Close()
		if err != nil {
			return nil, err
		}
		if !found {
			break
		}
		out = append(out, need)
		q, args = next, []any{w.ComputerID, w.ProjectID, need}
	}
	return out, nil
}

// take assigns one job: nil when somebody stopped or held it in the meantime.
func (r *Room) take(ctx context.Context, tx *db.Tx, w *ent.Worker, k *capacity, h head, mask uint64) (*Claimed, error) {
	lease := token.Mint(token.Lease)
	now := r.now()
	n, err := tx.Exec(ctx, `UPDATE jobs SET status = 'ASSIGNED', ready = false, phase = NULL, worker_id = ?, lease_hash = ?, gpu_mask = ?,
		assigned_at = ?, heartbeat_at = ?, no_response = false WHERE id = ? AND ready`, w.ID, token.Hash(lease), int64(mask), now, now, h.id)
	if err != nil || n == 0 {
		return nil, err
	}
	place := k.place()
	if _, err := tx.Exec(ctx, `INSERT INTO slots (computer_id, number, job_id) VALUES (?, ?, ?)`, w.ComputerID, place, h.id); err != nil {
		return nil, err
	}
	k.places[place] = true
	if mask != 0 {
		list := strings.Trim(strings.ReplaceAll(fmt.Sprint(numbers(mask)), " ", ","), "[]")
		n, err := tx.Exec(ctx, `UPDATE gpus SET job_id = ? WHERE computer_id = ? AND job_id IS NULL AND number IN (`+list+`)`, h.id, w.ComputerID)
		if err != nil {
			return nil, err
		}
		if int(n) != len(numbers(mask)) {
			return nil, fmt.Errorf("GPUs of computer %d changed under a claim", w.ComputerID)
		}
		k.held |= mask
	}
	j := &ent.Job{ID: h.id, ProjectID: w.ProjectID, GpuMask: int64(mask), ComputerID: w.ComputerID}
	return &Claimed{Job: j, Lease: lease, GPUs: numbers(mask)}, nil
}

// fill reads the claimed jobs at once and writes what belongs to each: token, event, change.
func (r *Room) fill(ctx context.Context, tx *db.Tx, out []Claimed) error {
	if len(out) == 0 {
		return nil
	}
	ids := make([]int64, len(out))
	for i, c := range out {
		ids[i] = c.Job.ID
	}
	js, err := tx.Job.Query().Where(job.IDIn(ids...)).WithRun().WithArray().All(ctx)
	if err != nil {
		return err
	}
	byID := map[int64]*ent.Job{}
	for _, j := range js {
		byID[j.ID] = j
	}
	var tokens []*ent.TokenCreate
	var events []timeline.Event
	for i := range out {
		j := byID[out[i].Job.ID]
		if j == nil {
			return fault.Missing("job")
		}
		out[i].Job, out[i].Run, out[i].Array = j, j.Edges.Run, j.Edges.Array
		out[i].JobToken = token.Mint(token.Job)
		tokens = append(tokens, tx.Token.Create().SetKind(enttoken.KindJob).SetHash(token.Hash(out[i].JobToken)).SetUserID(j.CreatedByID).
			SetProjectID(j.ProjectID).SetJobID(j.ID))
		events = append(events, timeline.Event{Job: j.ID, Attempt: j.Attempt, Type: "job.assigned", Args: map[string]any{"gpus": out[i].GPUs}})
	}
	if err := tx.Token.CreateBulk(tokens...).Exec(ctx); err != nil {
		return err
	}
	if err := timeline.Append(ctx, tx, events...); err != nil {
		return err
	}
	for _, c := range out {
		if err := feed.Changed(ctx, tx, r.Bus, c.Job.ProjectID, c.Job.ID); err != nil {
			return err
		}
	}
	return nil
}

// JSONOf writes a value as JSON for the wire; what cannot be written becomes {}.
func JSONOf(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("{}")
	}
	return b
}
