package joblog

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"nightshift/logframe"
)

func TestCompactMergesSmallChunksAndKeepsEveryLine(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var want []string
		at := int64(1)
		for range 700 {
			b := numbered(t, at, 1+rand.IntN(5))
			for _, l := range b.Lines.All() {
				want = append(want, string(l.Text))
			}
			at = w.append(b)
		}
		if err := w.Compact(w.ctx, w.job.ID); err != nil {
			t.Fatal(err)
		}
		if n := w.chunkCount(); n > len(want)/mergedLines+3 {
			t.Fatalf("%d chunks for %d lines", n, len(want))
		}
		l := w.read(Query{Tail: 10_000})
		if len(l.Lines) != len(want) {
			t.Fatalf("%d lines, want %d", len(l.Lines), len(want))
		}
		for i, x := range l.Lines {
			if x.Number != int64(i+1) || string(x.Text) != want[i] {
				t.Fatalf("line %d: %d %q", i+1, x.Number, x.Text)
			}
		}
		if l := w.read(Query{Levels: logframe.MaskOf(logframe.Warning)}); int(l.Matching) != len(want)/100 {
			t.Fatalf("%d warnings", l.Matching)
		}
		if next := w.append(batch(t, at, "after")); next != at+1 {
			t.Fatal(next)
		}
	})
}

func TestCompactionBesideWritersAndReadersLosesNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ctx, cancel := context.WithTimeout(w.ctx, 60*time.Second)
		defer cancel()
		var wg sync.WaitGroup
		stop := make(chan struct{})
		for range 2 { // two servers compact at once
			wg.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
					}
					if _, err := w.compact(ctx, w.job.ID, 0); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		follow := w.Follow(ctx, w.job.ID, 1)
		go func() {
			for at := int64(1); at <= 1500; {
				at = w.append(numbered(t, at, 3))
			}
			w.end()
		}()
		next := int64(1)
		for m := range follow {
			for _, x := range m.Lines {
				if x.Number != next {
					t.Fatalf("line %d instead of %d", x.Number, next)
				}
				next++
			}
			w.read(Query{Tail: 500})
		}
		close(stop)
		wg.Wait()
		if next != 1501+2 && next != 1501 && next != 1502 {
			t.Fatalf("%d lines", next-1)
		}
	})
}

func TestSmallChunksAreMergedWhileTheLogGrows(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.fill(3*smallChunks, 1)
		for deadline := time.Now().Add(10 * time.Second); w.chunkCount() > smallChunks+10; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%d chunks", w.chunkCount())
			}
		}
		if l := w.read(Query{}); len(l.Lines) != 3*smallChunks {
			t.Fatalf("%d lines", len(l.Lines))
		}
		w.idle()
	})
}
