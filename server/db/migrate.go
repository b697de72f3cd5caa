package db

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"time"

	"nightshift/ent/migrate"
)

// A migration is one SQL file, applied once, in one transaction.
type migration struct {
	number int
	name   string
	sql    string
	sum    string
}

// migrations reads the embedded files of a dialect: NNNN_name.sql, in order.
func migrations(files fs.FS, dialect string) ([]migration, error) {
	names, err := fs.Glob(files, dialect+"/*.sql")
	if err != nil {
		return nil, err
	}
	sort.Strings(names)
	var all []migration
	for _, n := range names {
		b, err := fs.ReadFile(files, n)
		if err != nil {
			return nil, err
		}
		base := strings.TrimSuffix(filepath.Base(n), ".sql")
		num, name, _ := strings.Cut(base, "_")
		i, err := strconv.Atoi(num)
		if err != nil || i != len(all)+1 {
			return nil, fmt.Errorf("migration %s is out of order", n)
		}
		h := sha256.Sum256(b)
		all = append(all, migration{i, name, string(b), hex.EncodeToString(h[:])})
	}
	return all, nil
}

const versionTable = `CREATE TABLE IF NOT EXISTS nightshift_migrations (number integer PRIMARY KEY, name text NOT NULL, sum text NOT NULL, applied_at text NOT NULL)`

// pending compares what is applied with what this program knows.
func pending(ctx context.Context, c *sql.Conn, all []migration) ([]migration, error) {
	rows, err := c.QueryContext(ctx, `SELECT number, sum FROM nightshift_migrations ORDER BY number`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	n := 0
	for rows.Next() {
		var number int
		var sum string
		if err := rows.Scan(&number, &sum); err != nil {
			return nil, err
		}
		if number > len(all) {
			return nil, fmt.Errorf("the database was written by a newer Nightshift (it is at version %d, this program knows %d): start the newer program, or restore the copy made before the upgrade", number, len(all))
		}
		if all[number-1].sum != sum {
			return nil, fmt.Errorf("migration %d was applied with another content: this program and the database do not belong together", number)
		}
		n++
	}
	return all[n:], rows.Err()
}

func apply(ctx context.Context, c *sql.Conn, m migration, bind func(string) string) error {
	for _, stmt := range statements(m.sql) {
		if _, err := c.ExecContext(ctx, stmt); err != nil {
			return fmt.Errorf("migration %04d_%s: %w", m.number, m.name, err)
		}
	}
	_, err := c.ExecContext(ctx, bind(`INSERT INTO nightshift_migrations (number, name, sum, applied_at) VALUES (?, ?, ?, ?)`),
		m.number, m.name, m.sum, time.Now().UTC().Format(time.RFC3339))
	return err
}

// statements splits a file at semicolons that end a line; our files hold none inside a statement.
func statements(text string) []string {
	var out []string
	var b strings.Builder
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "--") {
			continue
		}
		b.WriteString(line)
		b.WriteByte('\n')
		if strings.HasSuffix(strings.TrimSpace(line), ";") {
			out = append(out, strings.TrimSpace(b.String()))
			b.Reset()
		}
	}
	if s := strings.TrimSpace(b.String()); s != "" {
		out = append(out, s)
	}
	return out
}

// migratePostgres holds an advisory lock meanwhile: of several servers that start together one migrates, the others wait and find it done.
func migratePostgres(ctx context.Context, db *sql.DB) (err error) {
	all, err := migrations(migrate.Files, "postgres")
	if err != nil {
		return err
	}
	c, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	const lock = 0x6e69676874 // "night"
	if _, err := c.ExecContext(ctx, `SELECT pg_advisory_lock($1)`, lock); err != nil {
		return err
	}
	defer c.ExecContext(context.WithoutCancel(ctx), `SELECT pg_advisory_unlock($1)`, lock)
	if _, err := c.ExecContext(ctx, versionTable); err != nil {
		return err
	}
	todo, err := pending(ctx, c, all)
	if err != nil {
		return err
	}
	bind := (&DB{dialect: "postgres"}).Bind
	for _, m := range todo {
		if _, err := c.ExecContext(ctx, `BEGIN`); err != nil {
			return err
		}
		if err := apply(ctx, c, m, bind); err != nil {
			c.ExecContext(context.WithoutCancel(ctx), `ROLLBACK`)
			return err
		}
		if _, err := c.ExecContext(ctx, `COMMIT`); err != nil {
			return err
		}
	}
	return nil
}

// migrateSQLite copies the database before it changes one that holds data, and applies each file in an exclusive transaction.
func migrateSQLite(ctx context.Context, file string) error {
	all, err := migrations(migrate.Files, "sqlite")
	if err != nil {
		return err
	}
	db, err := sql.Open("sqlite", "file:"+file+"?_pragma=busy_timeout(30000)&_pragma=journal_mode(WAL)")
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	c, err := db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("cannot open %s: %w", file, err)
	}
	defer c.Close()
	if _, err := c.ExecContext(ctx, versionTable); err != nil {
		return fmt.Errorf("cannot write %s: check who owns the file and that the disk is not full or read-only: %w", file, err)
	}
	os.Chmod(file, 0o600)
	todo, err := pending(ctx, c, all)
	if err != nil || len(todo) == 0 {
		return err
	}
	if len(todo) < len(all) { // it holds data of an older version
		copyTo := fmt.Sprintf("%s.before-%04d", file, todo[0].number)
		if _, err := os.Stat(copyTo); errors.Is(err, fs.ErrNotExist) {
			if _, err := c.ExecContext(ctx, `VACUUM INTO ?`, copyTo); err != nil {
				return fmt.Errorf("cannot copy the database before the upgrade: %w", err)
			}
			os.Chmod(copyTo, 0o600)
		}
	}
	// Rebuilding a table would otherwise cascade into the rows that point to it.
	if _, err := c.ExecContext(ctx, `PRAGMA foreign_keys = OFF`); err != nil {
		return err
	}
	for {
		if _, err := c.ExecContext(ctx, `BEGIN EXCLUSIVE`); err != nil {
			return err
		}
		todo, err := pending(ctx, c, all) // again, now that nobody else can be applying it
		if err != nil || len(todo) == 0 {
			c.ExecContext(context.WithoutCancel(ctx), `ROLLBACK`)
			return err
		}
		err = apply(ctx, c, todo[0], func(q string) string { return q })
		if err == nil {
			err = foreignKeysHold(ctx, c)
		}
		if err == nil {
			_, err = c.ExecContext(ctx, `COMMIT`)
		}
		if err != nil {
			c.ExecContext(context.WithoutCancel(ctx), `ROLLBACK`)
			return err
		}
	}
}

func foreignKeysHold(ctx context.Context, c *sql.Conn) error {
	rows, err := c.QueryContext(ctx, `PRAGMA foreign_key_check`)
	if err != nil {
		return err
	}
	defer rows.Close()
	if rows.Next() {
		return errors.New("the migration would leave rows that point to nothing")
	}
	return rows.Err()
}
