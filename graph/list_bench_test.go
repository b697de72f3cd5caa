package graph

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"testing"
	"time"

	"nightshift/ent/computer"
	"nightshift/ent/job"
	"nightshift/ent/membership"
	"nightshift/graph/model"
	"nightshift/server/access"
	"nightshift/server/db"
	"nightshift/server/db/dbtest"
)

// BenchmarkJobsPage measures one page of the Jobs list: whole, by each filter, and far down by cursor.
// NIGHTSHIFT_BENCH_ROWS=1000000 go test ./graph -run ^$ -bench JobsPage -benchtime 50x
func BenchmarkJobsPage(b *testing.B) {
	for name, open := range map[string]func(testing.TB) *db.DB{"sqlite": dbtest.SQLite, "postgres": dbtest.Postgres} {
		b.Run(name, func(b *testing.B) { jobsPages(b, open(b)) })
	}
}

func jobsPages(b *testing.B, d *db.DB) {
	sys := access.AsSystem(context.Background())
	p := d.Project.Create().SetKey("p").SetName("P").SaveX(sys)
	e := d.Experiment.Create().SetProjectID(p.ID).SetName("default").SetIsDefault(true).SaveX(sys)
	u := d.User.Create().SetName("mika").SetDisplayName("Mika").SaveX(sys)
	c := d.Computer.Create().SetName("box").SetKind(computer.KindLocal).SetVisibility(computer.VisibilityPublic).SaveX(sys)
	n := dbtest.Rows()
	dbtest.Seed(b, d, dbtest.Jobs{N: n, Project: p.ID, Computer: c.ID, User: u.ID, Experiment: e.ID})
	ctx := access.With(context.Background(), &access.Viewer{Kind: access.Session, User: u, Roles: map[int64]membership.Role{p.ID: membership.RoleViewer}})
	r := &Resolver{DB: d, Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	user, name, text, id := fmt.Sprint(u.ID), "box", "run 77", "0000"
	for what, f := range map[string]*model.JobFilter{
		"all": nil, "status": {Status: []job.Status{job.StatusFailed}}, "two-statuses": {Status: []job.Status{job.StatusFailed, job.StatusCompleted}},
		"computer": {Computer: &name}, "person": {CreatedBy: &user}, "kind": {Kinds: []job.Kind{job.KindEvaluation}},
		"name-prefix": {Text: &text}, "id-prefix": {Text: &id}, "none": {Status: []job.Status{job.StatusQueued}},
	} {
		b.Run(what, func(b *testing.B) { onePage(b, r, ctx, p.ID, f, page{size: 50}) })
	}
	b.Run("page-1000", func(b *testing.B) { onePage(b, r, ctx, p.ID, nil, page{size: 50, after: int64(max(n-50_000, n/2))}) })
}

func onePage(b *testing.B, r *Resolver, ctx context.Context, project int64, f *model.JobFilter, p page) {
	var took []time.Duration
	for b.Loop() {
		start := time.Now()
		if _, err := r.pageOfJobs(ctx, project, f, p); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
}
