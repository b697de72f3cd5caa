package queue

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"nightshift/server/db"
	"nightshift/server/db/dbtest"
)

// BenchmarkClaim measures one claim (and giving the job back) with a short queue, a long one, and a long one whose head this worker may
// not take: held GPUs. NIGHTSHIFT_BENCH_ROWS=1000000 go test ./server/queue -run ^$ -bench Claim -benchtime 300x
func BenchmarkClaim(b *testing.B) {
	for name, open := range map[string]func(testing.TB) *db.DB{"sqlite": dbtest.SQLite, "postgres": dbtest.Postgres} {
		for _, n := range []int{1000, dbtest.Rows()} {
			b.Run(fmt.Sprintf("%s/queued=%d", name, n), func(b *testing.B) { claimBench(b, open(b), n, 0) })
		}
		b.Run(fmt.Sprintf("%s/blocked=%d", name, dbtest.Rows()/10), func(b *testing.B) { claimBench(b, open(b), 1000, dbtest.Rows()/10) })
	}
}

func claimBench(b *testing.B, d *db.DB, queued, blocked int) {
	w := newWorld(b, d)
	exp, err := d.Experiment.Create().SetProjectID(w.project.ID).SetName("default").SetIsDefault(true).Save(w.admin)
	must(b, err)
	user := w.userID()
	if blocked > 0 {
		w.launch(w.editor, func(l *Launch) { l.GPUIDs = []string{"0"} })
		w.claim(1) // holds GPU 0, so the jobs below cannot start
		dbtest.Seed(b, d, dbtest.Jobs{N: blocked, Project: w.project.ID, Computer: w.computer.ID, User: user, Experiment: exp.ID, Ready: true, Need: "m1"})
	}
	dbtest.Seed(b, d, dbtest.Jobs{N: queued, Project: w.project.ID, Computer: w.computer.ID, User: user, Experiment: exp.ID, Ready: true})
	var took []time.Duration
	for b.Loop() {
		start := time.Now()
		c := w.claim(1)
		took = append(took, time.Since(start))
		if len(c) != 1 {
			b.Fatalf("claimed %d", len(c))
		}
		b.StopTimer()
		if _, err := w.Release(w.machine, w.worker, []Held{{c[0].Job.UUID, c[0].Lease}}); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds()), "p95-µs")
}
