package feed

import (
	"context"
	"database/sql"
	"slices"
	"strconv"
	"time"

	"nightshift/server/db"
	"nightshift/server/pubsub"
)

const readRows = 5000

// Run is the one reader of this server: it reads what changed once and hands it to all followers, until ctx ends.
func (r *Room) Run(ctx context.Context) {
	r.mu.Lock()
	r.prepare()
	r.mu.Unlock()
	sub := r.Bus.Subscribe(pubsub.Feed())
	defer sub.Close()
	sweep := time.NewTicker(time.Minute)
	defer sweep.Stop()
	retry := 10 * time.Millisecond
	for {
		held, err := r.read(ctx)
		wait := pollInterval
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			r.Log.Warn("the change feed could not be read", "error", err)
			wait = time.Second
		case held: // a committed row waits for an older transaction to end: look again soon, then less often
			wait = retry
			retry = min(2*retry, 250*time.Millisecond)
		default:
			retry = 10 * time.Millisecond
		}
		select {
		case <-ctx.Done():
			return
		case <-sub.C:
		case <-r.poke:
		case <-time.After(wait):
		case <-sweep.C:
			if err := r.Sweep(ctx); err != nil && ctx.Err() == nil {
				r.Log.Warn("old rows of the change feed could not be deleted", "error", err)
			}
		}
		select { // many changes, one read
		case <-ctx.Done():
			return
		case <-time.After(readInterval):
		}
	}
}

// read takes in all that is new. held tells that something committed may not be read yet.
func (r *Room) read(ctx context.Context) (held bool, err error) {
	if !r.loaded { // only the reader writes it
		if err := r.load(ctx); err != nil {
			return false, err
		}
	}
	for {
		r.mu.Lock()
		from := r.last
		r.mu.Unlock()
		var rows []change
		if r.DB.Postgres() {
			rows, held, err = r.newerPostgres(ctx, from)
		} else {
			rows, err = r.newerSQLite(ctx, from)
		}
		if err != nil {
			return false, err
		}
		r.take(rows, len(rows) < readRows)
		if len(rows) < readRows {
			return held, nil
		}
	}
}

// take adds changes and hands them out; done ends the pass.
func (r *Room) take(rows []change, done bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	woken := map[*follower]struct{}{}
	for _, c := range rows {
		r.seq++
		r.last = c.at
		for f := range r.followers[c.project] {
			f.add(c.job, r.seq, c.at)
			woken[f] = struct{}{}
		}
	}
	r.recent = append(r.recent, rows...)
	if extra := len(r.recent) - keepChanges; extra > keepChanges/4 { // not at every read: it moves them all
		r.floor = r.recent[extra-1].at
		r.recent = slices.Clone(r.recent[extra:])
	}
	for f := range woken {
		f.nudge()
	}
	if done {
		close(r.passed)
		r.passed = make(chan struct{})
	}
}

func (r *Room) newerSQLite(ctx context.Context, from position) ([]change, error) {
	rows, err := r.DB.Query(ctx, `SELECT id, project_id, job_id FROM outbox WHERE id > ? ORDER BY id LIMIT ?`, from.id, readRows)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []change
	for rows.Next() {
		var c change
		if err := rows.Scan(&c.at.id, &c.project, &c.job); err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, rows.Err()
}

// newerPostgres stops at the first row whose transaction is not older than every open one: a row that is still to be committed may
// have to be read before it. So a long writing transaction anywhere in the PostgreSQL server delays the feed; nothing is ever missed.
func (r *Room) newerPostgres(ctx context.Context, from position) (out []change, held bool, err error) {
	rows, err := r.DB.Query(ctx, `SELECT xid::text, id, project_id, job_id, xid < pg_snapshot_xmin(pg_current_snapshot()) FROM outbox
		WHERE (xid, id) > (?::xid8, ?) ORDER BY xid, id LIMIT ?`, strconv.FormatUint(from.xid, 10), from.id, readRows)
	if err != nil {
		return nil, false, err
	}
	defer rows.Close()
	for rows.Next() {
		c, safe, err := scanPostgres(rows)
		if err != nil {
			return nil, false, err
		}
		if !safe {
			return out, true, nil
		}
		out = append(out, c)
	}
	return out, false, rows.Err()
}

func scanPostgres(rows *sql.Rows) (c change, safe bool, err error) {
	var xid string
	if err := rows.Scan(&xid, &c.at.id, &c.project, &c.job, &safe); err != nil {
		return c, false, err
	}
	c.at.xid, err = strconv.ParseUint(xid, 10, 64)
	return c, safe, err
}

// load finds where the feed stands when the server starts, and the newest changes for those who come back with a cursor.
func (r *Room) load(ctx context.Context) error {
	recent, begin, err := r.loadSQLite, position{}, error(nil)
	if r.DB.Postgres() {
		recent = r.loadPostgres
	}
	rows, begin, err := recent(ctx)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.recent, r.floor, r.last, r.seq, r.loaded = rows, begin, begin, uint64(len(rows)), true
	if len(rows) > 0 {
		// What came before the oldest row may have been deleted.
		r.floor = position{rows[0].at.xid, rows[0].at.id - 1}
		r.last = rows[len(rows)-1].at
	}
	return nil
}

func (r *Room) loadSQLite(ctx context.Context) ([]change, position, error) {
	var begin position
	if err := r.one(ctx, `SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'outbox'), 0)`, &begin.id); err != nil {
		return nil, begin, err
	}
	rows, err := r.DB.Query(ctx, `SELECT id, project_id, job_id FROM outbox WHERE id <= ? ORDER BY id DESC LIMIT ?`, begin.id, keepChanges)
	if err != nil {
		return nil, begin, err
	}
	defer rows.Close()
	var out []change
	for rows.Next() {
		var c change
		if err := rows.Scan(&c.at.id, &c.project, &c.job); err != nil {
			return nil, begin, err
		}
		out = append(out, c)
	}
	slices.Reverse(out)
	return out, begin, rows.Err()
}

func (r *Room) loadPostgres(ctx context.Context) ([]change, position, error) {
	var begin position
	var xmin string
	if err := r.one(ctx, `SELECT pg_snapshot_xmin(pg_current_snapshot())::text`, &xmin); err != nil {
		return nil, begin, err
	}
	var err error
	if begin.xid, err = strconv.ParseUint(xmin, 10, 64); err != nil {
		return nil, begin, err
	}
	rows, err := r.DB.Query(ctx, `SELECT xid::text, id, project_id, job_id, true FROM outbox WHERE xid < ?::xid8 ORDER BY xid DESC, id DESC LIMIT ?`,
		xmin, keepChanges)
	if err != nil {
		return nil, begin, err
	}
	defer rows.Close()
	var out []change
	for rows.Next() {
		c, _, err := scanPostgres(rows)
		if err != nil {
			return nil, begin, err
		}
		out = append(out, c)
	}
	slices.Reverse(out)
	return out, begin, rows.Err()
}

func (r *Room) one(ctx context.Context, q string, into any) error {
	rows, err := r.DB.Query(ctx, q)
	if err != nil {
		return err
	}
	defer rows.Close()
	if !rows.Next() {
		return sql.ErrNoRows
	}
	return rows.Scan(into)
}

// Sweep deletes rows that are too old to be asked for, a thousand in a transaction. Safe on every server at once.
func (r *Room) Sweep(ctx context.Context) error {
	for {
		var n int64
		err := r.DB.InTx(ctx, func(tx *db.Tx) (err error) {
			// The oldest rows have the lowest ids, or nearly: nothing else is looked at.
			n, err = tx.Exec(ctx, `DELETE FROM outbox WHERE at < ? AND id IN (SELECT id FROM outbox ORDER BY id LIMIT 1000)`, db.Now().Add(-keepRows))
			return err
		})
		if err != nil || n == 0 {
			return err
		}
	}
}
