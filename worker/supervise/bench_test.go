package supervise

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"
)

// BenchmarkJob is a job that does nothing, from Start until its exit is known; "started" is the part until the process ran.
func BenchmarkJob(b *testing.B) {
	root := b.TempDir()
	spec := shell(b, ":")
	var started time.Duration
	i := 0
	for b.Loop() {
		i++
		dir := filepath.Join(root, fmt.Sprint(i))
		began := time.Now()
		if err := Start(context.Background(), self(b), dir, spec); err != nil {
			b.Fatal(err)
		}
		started += time.Since(began)
		for Read(dir).Phase != Exited {
			if err := Changed(context.Background(), dir, 1<<60); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(started.Microseconds())/1000/float64(b.N), "ms-started/op")
}

// BenchmarkFlood is how fast output passes.
func BenchmarkFlood(b *testing.B) {
	b.SetBytes(200 << 20)
	for b.Loop() {
		dir := start(b, shell(b, "head -c 209715200 /dev/zero"))
		await(b, dir, time.Minute)
	}
}
