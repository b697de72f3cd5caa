package joblog

import (
	"fmt"
	"testing"
	"time"

	"nightshift/logframe"
	"nightshift/server/db"
	"nightshift/server/db/dbtest"
)

func benchBoth(b *testing.B, f func(b *testing.B, w *world)) {
	for name, open := range map[string]func(testing.TB) *db.DB{"sqlite": dbtest.SQLite, "postgres": dbtest.Postgres} {
		b.Run(name, func(b *testing.B) { f(b, newWorld(b, open(b))) })
	}
}

// frames is batches of 500 lines of about 90 bytes, encoded as a worker does.
func frames(n int) (out [][]byte) {
	at := time.Date(2026, 11, 30, 1, 2, 3, 0, time.UTC)
	for i := range n {
		lines := make([]logframe.Line, 500)
		for k := range lines {
			at = at.Add(137 * time.Microsecond)
			l := logframe.Line{Time: at, Text: []byte(fmt.Sprintf("epoch %d step %d loss=%.6f lr=3.0e-04 grad_norm=%.4f throughput=%d samples/s mem=%.2f GiB",
				i, k, 1/float64(i+k+1), float64(k*7919%1000)/500, 1000+k%37, 7+float64(k%100)/100))}
			if k%250 == 249 {
				l.Level, l.Text = logframe.Warning, []byte("warning: loss is not finite, skipping this step")
			}
			lines[k] = l
		}
		out = append(out, logframe.Encode(nil, lines))
	}
	return out
}

func (w *world) send(fs [][]byte, n int) {
	w.t.Helper()
	first := int64(1)
	for i := range n {
		lines, err := logframe.Decode(fs[i%len(fs)], maxBatch)
		if err != nil {
			w.t.Fatal(err)
		}
		first = w.append(Batch{First: first, Lines: lines, Frame: fs[i%len(fs)]})
	}
}

func BenchmarkAppend(b *testing.B) {
	fs := frames(16)
	benchBoth(b, func(b *testing.B, w *world) {
		b.ResetTimer()
		w.send(fs, b.N)
		b.ReportMetric(float64(b.N)*500/b.Elapsed().Seconds(), "lines/s")
	})
}

func BenchmarkMillionLines(b *testing.B) {
	benchBoth(b, func(b *testing.B, w *world) {
		w.send(frames(64), 2000)
		for name, q := range map[string]Query{
			"tail":     {},
			"middle":   {From: 500_000, To: 502_000},
			"search":   {Search: "step 499 loss=0.25"},
			"common":   {Search: "LOSS"},
			"warnings": {Levels: logframe.MaskOf(logframe.Warning)},
			"errors":   {Levels: logframe.MaskOf(logframe.Error)},
		} {
			b.Run(name, func(b *testing.B) {
				for b.Loop() {
					if l := w.read(q); l.Total != 1_000_000 {
						b.Fatalf("%d lines", l.Total)
					}
				}
			})
		}
		b.Run("download", func(b *testing.B) {
			for b.Loop() {
				if n := w.get(w.ctx, w.path("?format=raw")).Body.Len(); n < 50e6 {
					b.Fatalf("%d bytes", n)
				}
			}
		})
	})
}
