package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	_ "github.com/lib/pq"  // database/sql driver "postgres"
	_ "modernc.org/sqlite" // database/sql driver "sqlite"

	"nightshift/ent"
)

// Options says which database to open.
type Options struct {
	// Folder holds nightshift.db when URL is empty.
	Folder string
	// URL is postgres://…; empty: SQLite in Folder.
	URL string
	// NoMigrate opens the database as it is, for tests of the migrations.
	NoMigrate bool
}

// Open opens the database and brings it up to date. A database written by a newer Nightshift is refused.
func Open(ctx context.Context, o Options) (*DB, error) {
	if o.URL != "" {
		return openPostgres(ctx, o)
	}
	return openSQLite(ctx, o)
}

func openPostgres(ctx context.Context, o Options) (*DB, error) {
	u, err := url.Parse(o.URL)
	if err != nil || (u.Scheme != "postgres" && u.Scheme != "postgresql") {
		return nil, errors.New("the database URL must look like postgres://user:password@host/name")
	}
	q := u.Query()
	// A forgotten transaction would keep dead rows at the head of the queue's index.
	if q.Get("idle_in_transaction_session_timeout") == "" {
		q.Set("idle_in_transaction_session_timeout", "60000")
	}
	if q.Get("timezone") == "" {
		q.Set("timezone", "UTC")
	}
	u.RawQuery = q.Encode()
	raw, err := sql.Open("postgres", u.String())
	if err != nil {
		return nil, err
	}
	raw.SetMaxOpenConns(24)
	raw.SetMaxIdleConns(12)
	raw.SetConnMaxIdleTime(5 * time.Minute)
	place := u.Host + u.Path
	if err := raw.PingContext(ctx); err != nil {
		raw.Close()
		return nil, fmt.Errorf("cannot reach the database %s: %w", place, err)
	}
	if !o.NoMigrate {
		if err := migratePostgres(ctx, raw); err != nil {
			raw.Close()
			return nil, err
		}
	}
	drv := entsql.OpenDB(dialect.Postgres, raw)
	return &DB{
		Client: ent.NewClient(ent.Driver(drv)), dialect: dialect.Postgres, raw: raw, close: raw.Close, Place: place, URL: u.String(),
	}, nil
}

func openSQLite(ctx context.Context, o Options) (*DB, error) {
	if err := os.MkdirAll(o.Folder, 0o700); err != nil {
		return nil, fmt.Errorf("cannot make the data folder: %w", err)
	}
	if err := writable(o.Folder); err != nil {
		return nil, err
	}
	file := filepath.Join(o.Folder, "nightshift.db")
	if !o.NoMigrate {
		if err := migrateSQLite(ctx, file); err != nil {
			return nil, err
		}
	}
	// One connection writes, and every transaction takes the write lock at its start: a transaction that reads first and then wants
	// to write can never find that somebody else wrote in between ("database is locked").
	writer, err := sql.Open("sqlite", dsn(file, 32<<10, "_txlock=immediate"))
	if err != nil {
		return nil, err
	}
	writer.SetMaxOpenConns(1)
	writer.SetConnMaxIdleTime(0)
	readers, err := sql.Open("sqlite", dsn(file, 8<<10, "_pragma=query_only(1)"))
	if err != nil {
		writer.Close()
		return nil, err
	}
	readers.SetMaxOpenConns(4)
	readers.SetMaxIdleConns(4)
	for _, p := range []*sql.DB{writer, readers} {
		if err := p.PingContext(ctx); err != nil {
			return nil, fmt.Errorf("cannot open %s: %w", file, err)
		}
	}
	os.Chmod(file, 0o600)
	drv := &router{writer: entsql.OpenDB(dialect.SQLite, writer), readers: entsql.OpenDB(dialect.SQLite, readers)}
	closeAll := func() error { return errors.Join(readers.Close(), writer.Close()) }
	return &DB{Client: ent.NewClient(ent.Driver(drv)), dialect: dialect.SQLite, raw: readers, close: closeAll, Place: file}, nil
}

func dsn(file string, cacheKiB int, extra string) string {
	return "file:" + (&url.URL{Path: file}).EscapedPath() + "?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=foreign_keys(1)" +
		"&_pragma=synchronous(NORMAL)&_pragma=temp_store(MEMORY)&_pragma=cache_size(-" + fmt.Sprint(cacheKiB) + ")" +
		"&_time_format=sqlite&_timezone=UTC&" + extra
}

// writable finds a folder of another user or a read-only disk before anything is half done.
func writable(folder string) error {
	f, err := os.CreateTemp(folder, ".write-check-*")
	if err != nil {
		return fmt.Errorf("the data folder %s cannot be written: make it writable for this user, or choose another with NIGHTSHIFT_DATA: %w", folder, err)
	}
	f.Close()
	return os.Remove(f.Name())
}

// router sends what only reads to the readers and everything else to the one writer.
type router struct{ writer, readers *entsql.Driver }

func (r *router) Query(ctx context.Context, q string, args, v any) error {
	if s := strings.TrimSpace(q); strings.HasPrefix(s, "SELECT") || strings.HasPrefix(s, "WITH") {
		return r.readers.Query(ctx, q, args, v)
	}
	return r.writer.Query(ctx, q, args, v)
}
func (r *router) Exec(ctx context.Context, q string, args, v any) error {
	return r.writer.Exec(ctx, q, args, v)
}
func (r *router) Tx(ctx context.Context) (dialect.Tx, error) { return r.writer.Tx(ctx) }
func (r *router) Close() error                               { return errors.Join(r.readers.Close(), r.writer.Close()) }
func (r *router) Dialect() string                            { return dialect.SQLite }

// ExecContext and QueryContext are what ent's client needs for plain SQL outside a transaction.
func (r *router) ExecContext(ctx context.Context, q string, args ...any) (sql.Result, error) {
	return r.writer.ExecContext(ctx, q, args...)
}
func (r *router) QueryContext(ctx context.Context, q string, args ...any) (*sql.Rows, error) {
	return r.readers.QueryContext(ctx, q, args...)
}
