package joblog

import (
	"context"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"nightshift/ent"
	"nightshift/logframe"
	"nightshift/server/db"
	"nightshift/server/fault"
)

func TestResentBatchChangesNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := batch(t, 1, "a", "b")
		for range 3 {
			if next := w.append(b); next != 3 {
				t.Fatalf("next line %d", next)
			}
		}
		w.append(batch(t, 3, "c"))
		if next := w.append(b); next != 4 {
			t.Fatalf("an old batch was answered with %d", next)
		}
		if got := texts(w.read(Query{})); got != "1:a 2:b 3:c" {
			t.Fatal(got)
		}
	})
}

func TestOfAnOverlapOnlyTheRestIsStored(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.append(batch(t, 1, "a", "b"))
		if next := w.append(batch(t, 2, "OTHER", "c", "d")); next != 5 {
			t.Fatalf("next line %d", next)
		}
		l := w.read(Query{})
		if got := texts(l); got != "1:a 2:b 3:c 4:d" {
			t.Fatal(got)
		}
		if want := time.Date(2026, 11, 30, 1, 2, 3, 4e6, time.UTC); !l.Lines[3].Time.Equal(want) {
			t.Fatalf("the time of a line changed to %v", l.Lines[3].Time)
		}
	})
}

func TestGapIsRefusedWithTheLineThatIsExpected(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.append(batch(t, 1, "a"))
		_, err := w.Append(w.ctx, w.known, batch(t, 3, "c"))
		var f *fault.Error
		if fault.CodeOf(err) != fault.Conflict || !asFault(err, &f) || f.Args["nextLine"] != int64(2) {
			t.Fatalf("%v %v", err, f)
		}
		if _, err := w.Append(w.ctx, w.known, batch(t, 0, "c")); fault.CodeOf(err) != fault.InvalidInput {
			t.Fatal(err)
		}
		if got := texts(w.read(Query{})); got != "1:a" {
			t.Fatal(got)
		}
	})
}

func asFault(err error, f **fault.Error) bool {
	e, ok := err.(*fault.Error)
	*f = e
	return ok
}

func TestEmptyBatchTellsTheNextLine(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.append(batch(t, 1, "a", "b"))
		b, err := DecodeFrame(1, "")
		if err != nil {
			t.Fatal(err)
		}
		if next := w.append(b); next != 3 {
			t.Fatalf("next line %d", next)
		}
	})
}

func TestWhoHasLostTheLeaseStoresNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		_, err := w.Append(w.ctx, func(context.Context, *db.Tx) (*ent.Job, error) { return nil, fault.New(fault.LeaseLost, "x") }, batch(t, 1, "a"))
		if fault.CodeOf(err) != fault.LeaseLost || w.chunkCount() != 0 {
			t.Fatal(err)
		}
	})
}

func TestTwoSendersOfTheSameBatchesStoreEachLineOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for at := int64(1); at <= 100; {
					next, err := w.Append(w.ctx, w.known, numbered(t, at, 1+rand.IntN(7)))
					if err != nil {
						t.Error(err)
						return
					}
					at = next
				}
			})
		}
		wg.Wait()
		l := w.read(Query{})
		if l.Total < 100 || int64(len(l.Lines)) != l.Total {
			t.Fatalf("%d lines of %d", len(l.Lines), l.Total)
		}
		for i, x := range l.Lines {
			if x.Number != int64(i+1) || !strings.Contains(string(x.Text), fmt.Sprintf("line %d", i+1)) {
				t.Fatalf("line %d is number %d, %q", i+1, x.Number, x.Text)
			}
		}
	})
}

func TestUnfinishedLineIsShownAndThenReplaced(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.append(batch(t, 1, "a", "10 %…"))
		l := w.read(Query{})
		if got := texts(l); got != "1:a 2:10 %…" || l.Total != 1 || l.Next != 2 {
			t.Fatalf("%s, %d lines, next %d", got, l.Total, l.Next)
		}
		w.append(batch(t, 2, "20 %…"))
		if got := texts(w.read(Query{From: 2})); got != "2:20 %…" {
			t.Fatal(got)
		}
		w.append(batch(t, 2, "done", "b"))
		if got := texts(w.read(Query{})); got != "1:a 2:done 3:b" {
			t.Fatal(got)
		}
		w.append(batch(t, 1, "a", "10 %…")) // an old batch again
		if got := texts(w.read(Query{})); got != "1:a 2:done 3:b" {
			t.Fatal(got)
		}
	})
}

func TestR79NULAndBadUTF8AreStoredAsPrinted(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		raw := "a\x00b\xff\xfe\x1b[31mred\x1b[0m 10%\r20%"
		w.append(batch(t, 1, raw))
		text, err := DecodeText(2, "2026-11-30T01:02:03Z\tINFO\tnul \x00 bad \xff tab \\t end\n\tERROR\tsecond\n")
		if err != nil {
			t.Fatal(err)
		}
		label := "ep\x00och\xff"
		text.Progress = &Progress{Percent: 20, Label: &label}
		if next := w.append(text); next != 4 {
			t.Fatalf("next line %d", next)
		}
		l := w.read(Query{})
		if string(l.Lines[0].Text) != raw {
			t.Fatalf("got %q", l.Lines[0].Text)
		}
		if string(l.Lines[1].Text) != "nul \x00 bad \xff tab \t end" {
			t.Fatalf("got %q", l.Lines[1].Text)
		}
		if got := w.DB.Job.GetX(w.ctx, w.job.ID).Progress["label"]; got != "ep\u2400och\uFFFD" {
			t.Fatalf("got %q", got)
		}
	})
}

func TestWrongDataIsRefused(t *testing.T) {
	big := make([]logframe.Line, 100)
	for i := range big {
		big[i].Text = make([]byte, logframe.MaxLine)
	}
	b64 := base64.StdEncoding.EncodeToString
	for name, data := range map[string]string{
		"not base64":  "%%%",
		"no frame":    b64([]byte("hello")),
		"bomb":        b64(logframe.Encode(nil, big)),
		"cut off":     b64(logframe.Encode(nil, big[:3])[:40]),
		"huge string": strings.Repeat("A", MaxBody+4),
	} {
		if _, err := DecodeFrame(1, data); fault.CodeOf(err) != fault.InvalidInput {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, data := range map[string]string{
		"no tabs":   "hello\n",
		"time":      "yesterday\tINFO\tx",
		"level":     "\tLOUD\tx",
		"long line": "\tINFO\t" + strings.Repeat("x", logframe.MaxLine+1),
		"too large": strings.Repeat("\tINFO\tx\n", maxBatch/8+1),
	} {
		if _, err := DecodeText(1, data); fault.CodeOf(err) != fault.InvalidInput {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestProgressIsStoredAndToldTwiceASecondAtMost(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		outbox := func() (n int) {
			rows, err := w.DB.Query(w.ctx, `SELECT count(*) FROM outbox WHERE job_id = ?`, w.job.ID)
			if err != nil {
				t.Fatal(err)
			}
			defer rows.Close()
			rows.Next()
			rows.Scan(&n)
			return n
		}
		began := time.Now()
		for i := range 50 {
			b := batch(t, int64(i+1), "x")
			b.Progress = &Progress{Percent: float64(i)}
			w.append(b)
		}
		most := 2 + int(time.Since(began)/progressInterval)
		time.Sleep(progressInterval + 200*time.Millisecond)
		w.idle()
		if n := outbox(); n < 2 || n > most+1 {
			t.Fatalf("told %d times", n)
		}
		if p := w.DB.Job.GetX(w.ctx, w.job.ID).Progress["percent"]; p != 49.0 {
			t.Fatalf("percent %v", p)
		}
		before := outbox()
		same := batch(t, 51, "x")
		same.Progress = &Progress{Percent: 49}
		w.append(same)
		time.Sleep(50 * time.Millisecond)
		if n := outbox(); n != before {
			t.Fatal("progress that did not change was told")
		}
	})
}

func TestLiveMemoryIsBounded(t *testing.T) {
	r := &Room{}
	for i := range int64(5000) {
		r.mu.Lock()
		l := r.liveOf(i)
		l.touched = time.Now().Add(-time.Hour)
		r.mu.Unlock()
	}
	if len(r.live) > liveJobs+1 {
		t.Fatalf("%d jobs are remembered", len(r.live))
	}
}
