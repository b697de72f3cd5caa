//go:build ignore

// Command diff writes the next migration of both dialects from ent/schema: go run ./ent/migrate/diff NAME. It needs an empty PostgreSQL
// database in NIGHTSHIFT_DIFF_DATABASE_URL to replay the files into. Read and edit what it writes: a rename shows as drop and add.
package main

import (
	"context"
	stdsql "database/sql"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"ariga.io/atlas/sql/migrate"
	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/dialect/sql/schema"
	_ "github.com/lib/pq"
	_ "modernc.org/sqlite"

	entmigrate "nightshift/ent/migrate"
)

func main() {
	name := "change"
	if len(os.Args) > 1 {
		name = os.Args[1]
	}
	tmp, err := os.MkdirTemp("", "diff")
	check(err)
	defer os.RemoveAll(tmp)
	lite, err := stdsql.Open("sqlite", "file:"+filepath.Join(tmp, "x.db")+"?_pragma=foreign_keys(1)")
	check(err)
	diff(dialect.SQLite, sql.OpenDB(dialect.SQLite, lite), name)
	if u := os.Getenv("NIGHTSHIFT_DIFF_DATABASE_URL"); u != "" {
		pg, err := sql.Open(dialect.Postgres, u)
		check(err)
		diff(dialect.Postgres, pg, name)
	}
}

func diff(d string, drv *sql.Driver, name string) {
	folder := "ent/migrate/sqlite"
	if d == dialect.Postgres {
		folder = "ent/migrate/postgres"
	}
	work, err := os.MkdirTemp("", "migrations")
	check(err)
	defer os.RemoveAll(work)
	files, _ := filepath.Glob(folder + "/*.sql")
	sort.Strings(files)
	for _, f := range files {
		b, err := os.ReadFile(f)
		check(err)
		check(os.WriteFile(filepath.Join(work, filepath.Base(f)), b, 0o644))
	}
	dir, err := migrate.NewLocalDir(work)
	check(err)
	sum, err := dir.Checksum()
	check(err)
	check(migrate.WriteSumFile(dir, sum))
	m, err := schema.NewMigrate(drv, schema.WithDir(dir), schema.WithMigrationMode(schema.ModeReplay), schema.WithDialect(d),
		schema.WithFormatter(migrate.DefaultFormatter), schema.WithForeignKeys(true))
	check(err)
	check(m.NamedDiff(context.Background(), name, entmigrate.Tables...))
	after, _ := filepath.Glob(work + "/*.sql")
	sort.Strings(after)
	if len(after) == len(files) {
		fmt.Println(d, "is up to date")
		return
	}
	for _, f := range after {
		base := filepath.Base(f)
		if _, err := os.Stat(filepath.Join(folder, base)); err == nil {
			continue
		}
		b, err := os.ReadFile(f)
		check(err)
		out := filepath.Join(folder, fmt.Sprintf("%04d_%s.sql", len(files)+1, strings.TrimSuffix(base[strings.IndexByte(base, '_')+1:], ".sql")))
		check(os.WriteFile(out, b, 0o644))
		fmt.Println(out)
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
