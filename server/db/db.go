// Package db opens the database, brings it up to date and runs transactions: SQLite for one server, PostgreSQL for several.
package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"entgo.io/ent/dialect"
	"github.com/lib/pq"

	"nightshift/ent"
	_ "nightshift/ent/runtime" // defaults of the generated code
)

// DB is an open database that is up to date.
type DB struct {
	*ent.Client
	dialect string
	raw     *sql.DB // readers (SQLite) or the pool (PostgreSQL)
	close   func() error
	// Place is what a person calls it: the file, or the host and database name.
	Place string
	// URL is the PostgreSQL connection string, empty on SQLite.
	URL string
}

// Postgres tells whether it is PostgreSQL.
func (d *DB) Postgres() bool { return d.dialect == dialect.Postgres }

// Close waits for what runs and closes.
func (d *DB) Close() error { return d.close() }

// Ping tells whether the database answers.
func (d *DB) Ping(ctx context.Context) error { return d.raw.PingContext(ctx) }

// Now is the present time as it is stored: UTC, whole microseconds.
func Now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

// Bind rewrites ? placeholders for the dialect. Statements hold no literal question mark.
func (d *DB) Bind(q string) string {
	if !d.Postgres() {
		return q
	}
	var b strings.Builder
	n := 0
	for i := 0; i < len(q); i++ {
		if q[i] == '?' {
			n++
			b.WriteByte('$')
			b.WriteString(strconv.Itoa(n))
			continue
		}
		b.WriteByte(q[i])
	}
	return b.String()
}

// Querier runs plain SQL: the client, or a transaction.
type Querier interface {
	QueryContext(ctx context.Context, q string, args ...any) (*sql.Rows, error)
	ExecContext(ctx context.Context, q string, args ...any) (sql.Result, error)
}

// Tx is a transaction: ent's client and plain SQL, and what to do once it is committed.
type Tx struct {
	*ent.Tx
	db    *DB
	after []func()
}

// AfterCommit runs f once the transaction is committed, never when it is rolled back.
func (t *Tx) AfterCommit(f func()) { t.after = append(t.after, f) }

// Postgres tells whether it is PostgreSQL.
func (t *Tx) Postgres() bool { return t.db.Postgres() }

// Query runs a statement with ? placeholders.
func (t *Tx) Query(ctx context.Context, q string, args ...any) (*sql.Rows, error) {
	return t.Tx.QueryContext(ctx, t.db.Bind(q), args...)
}

// Exec runs a statement with ? placeholders and tells how many rows it touched.
func (t *Tx) Exec(ctx context.Context, q string, args ...any) (int64, error) {
	r, err := t.Tx.ExecContext(ctx, t.db.Bind(q), args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// Query runs a reading statement with ? placeholders outside a transaction.
func (d *DB) Query(ctx context.Context, q string, args ...any) (*sql.Rows, error) {
	return d.raw.QueryContext(ctx, d.Bind(q), args...)
}

// InTx runs f in one transaction: all of it or nothing. On SQLite it is the only writer meanwhile (BEGIN IMMEDIATE), so it is kept
// short; on PostgreSQL a deadlock or a serialization failure is tried again, since f has had no effect.
func (d *DB) InTx(ctx context.Context, f func(tx *Tx) error) error {
	for attempt := 0; ; attempt++ {
		err := d.once(ctx, f)
		if err == nil || attempt == 5 || !retryable(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Duration(5<<attempt) * time.Millisecond):
		}
	}
}

func (d *DB) once(ctx context.Context, f func(tx *Tx) error) (err error) {
	etx, err := d.Client.Tx(ctx)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	tx := &Tx{Tx: etx, db: d}
	done := false
	defer func() {
		if !done { // also when f panics: the one writer of SQLite must never stay taken
			etx.Rollback()
		}
	}()
	if err := f(tx); err != nil {
		return err
	}
	done = true
	if err := etx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	for _, g := range tx.after {
		g()
	}
	return nil
}

func retryable(err error) bool {
	var p *pq.Error
	return errors.As(err, &p) && (p.Code == "40001" || p.Code == "40P01")
}

// IsUnique tells whether an error is a broken uniqueness rule.
func IsUnique(err error) bool { return ent.IsConstraintError(err) || uniqueText(err) }

func uniqueText(err error) bool {
	if err == nil {
		return false
	}
	var p *pq.Error
	if errors.As(err, &p) {
		return p.Code == "23505"
	}
	return strings.Contains(err.Error(), "UNIQUE constraint failed")
}

// Reader runs reading statements outside a transaction; they are bound already.
func (d *DB) Reader() Querier { return d.raw }

// CopyTo copies an embedded database into a file that does not exist yet, as it is at one moment, while it is in use.
func (d *DB) CopyTo(ctx context.Context, file string) error {
	_, err := d.Client.ExecContext(ctx, `VACUUM INTO ?`, file)
	return err
}
