// Package dbtest runs a test on every database: SQLite in a temporary folder, and PostgreSQL when NIGHTSHIFT_TEST_POSTGRES names a
// server (scripts/with-postgres starts one). Every test gets an empty database of its own.
package dbtest

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"nightshift/server/access"
	"nightshift/server/db"
)

var serial atomic.Int64

// Each runs f once per database.
func Each(t *testing.T, f func(t *testing.T, d *db.DB)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { f(t, SQLite(t)) })
	t.Run("postgres", func(t *testing.T) { f(t, Postgres(t)) })
}

// SQLite opens an empty database in a temporary folder.
func SQLite(t testing.TB) *db.DB {
	t.Helper()
	return open(t, db.Options{Folder: t.TempDir()})
}

// Postgres opens an empty database of its own, or skips the test where no server was named.
func Postgres(t testing.TB) *db.DB {
	t.Helper()
	return open(t, db.Options{URL: PostgresURL(t)})
}

// PostgresURL makes an empty database and is its URL; it is dropped when the test ends.
func PostgresURL(t testing.TB) string {
	t.Helper()
	server := os.Getenv("NIGHTSHIFT_TEST_POSTGRES")
	if server == "" {
		t.Skip("NIGHTSHIFT_TEST_POSTGRES is not set: run the suite with `make test`, which starts a server")
	}
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	admin, err := sql.Open("postgres", server)
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("t_%d_%d", os.Getpid(), serial.Add(1))
	if _, err := admin.Exec("CREATE DATABASE " + name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		admin.Exec("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)")
		admin.Close()
	})
	u.Path = "/" + name
	return strings.TrimSpace(u.String())
}

func open(t testing.TB, o db.Options) *db.DB {
	t.Helper()
	d, err := db.Open(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	access.Guard(d.Client)
	t.Cleanup(func() { d.Close() })
	return d
}

// Open opens a database that PostgresURL made: a further server beside the first.
func Open(t testing.TB, url string) *db.DB {
	t.Helper()
	return open(t, db.Options{URL: url})
}
