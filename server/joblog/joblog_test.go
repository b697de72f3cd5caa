package joblog

import (
	"context"
	"encoding/base64"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"nightshift/ent"
	"nightshift/ent/job"
	"nightshift/logframe"
	"nightshift/server/db"
	"nightshift/server/db/dbtest"
	"nightshift/server/fault"
	"nightshift/server/pubsub"
)

type world struct {
	*Room
	t   testing.TB
	job *ent.Job
	ctx context.Context
}

func newWorld(t testing.TB, d *db.DB) *world {
	j, ctx := dbtest.Job(t, d, "first run")
	return &world{&Room{DB: d, Bus: pubsub.New(), Log: slog.New(slog.DiscardHandler)}, t, j, ctx}
}

func each(t *testing.T, f func(t *testing.T, w *world)) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) { f(t, newWorld(t, d)) })
}

// known is the check of a sender that may write; it locks the job as the queue's does.
func (w *world) known(ctx context.Context, tx *db.Tx) (*ent.Job, error) {
	q := tx.Job.Query().Where(job.ID(w.job.ID))
	if tx.Postgres() {
		q.ForUpdate()
	}
	return q.Only(ctx)
}

// batch is lines as a worker sends them; one that ends in … is unfinished.
func batch(t testing.TB, first int64, texts ...string) Batch {
	t.Helper()
	var lines []logframe.Line
	at := time.Date(2026, 11, 30, 1, 2, 3, 0, time.UTC)
	for i, s := range texts {
		l := logframe.Line{Time: at.Add(time.Duration(first+int64(i)) * time.Millisecond), Text: []byte(s)}
		switch {
		case strings.HasPrefix(s, "warn"):
			l.Level = logframe.Warning
		case strings.HasPrefix(s, "err"):
			l.Level, l.Stream = logframe.Error, logframe.Stderr
		}
		if strings.HasSuffix(s, "…") {
			l.Partial, l.Text = true, []byte(strings.TrimSuffix(s, "…"))
		}
		lines = append(lines, l)
	}
	b, err := DecodeFrame(first, base64.StdEncoding.EncodeToString(logframe.Encode(nil, lines)))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// numbered is count lines that say their number, each a warning where it can be divided by 100.
func numbered(t testing.TB, first int64, count int) Batch {
	texts := make([]string, count)
	for i := range texts {
		n := first + int64(i)
		texts[i] = fmt.Sprintf("line %d of the log", n)
		if n%100 == 0 {
			texts[i] = fmt.Sprintf("warning in line %d", n)
		}
	}
	return batch(t, first, texts...)
}

func (w *world) append(b Batch) int64 {
	w.t.Helper()
	next, err := w.Append(w.ctx, w.known, b)
	if err != nil {
		w.t.Fatal(err)
	}
	return next
}

func (w *world) fill(lines, each int) {
	w.t.Helper()
	for at := 1; at <= lines; at += each {
		w.append(numbered(w.t, int64(at), min(each, lines-at+1)))
	}
}

func (w *world) read(q Query) *Lines {
	w.t.Helper()
	l, err := w.Read(w.ctx, w.job.ID, q)
	if err != nil {
		w.t.Fatal(err)
	}
	return l
}

func (w *world) end() {
	w.t.Helper()
	w.DB.Job.UpdateOne(w.job).SetStatus(job.StatusCompleted).ExecX(w.ctx)
	w.Bus.Publish(pubsub.Events(w.job.ID))
}

// texts is what an answer says: numbers and texts.
func texts(l *Lines) string {
	var b strings.Builder
	for _, x := range l.Lines {
		fmt.Fprintf(&b, "%d:%s", x.Number, x.Text)
		if x.Partial {
			b.WriteString("…")
		}
		b.WriteString(" ")
	}
	return strings.TrimSpace(b.String())
}

func (w *world) chunkCount() (n int) {
	w.t.Helper()
	rows, err := w.DB.Query(w.ctx, `SELECT count(*) FROM log_chunks WHERE job_id = ?`, w.job.ID)
	if err != nil {
		w.t.Fatal(err)
	}
	defer rows.Close()
	rows.Next()
	if err := rows.Scan(&n); err != nil {
		w.t.Fatal(err)
	}
	return n
}

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

func TestTailIsTheNewestLines(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.fill(5000, 137)
		l := w.read(Query{})
		if len(l.Lines) != DefaultTail || l.Lines[0].Number != 3001 || l.Lines[1999].Number != 5000 || !l.Truncated || l.Total != 5000 || l.Matching != 5000 || l.Next != 5001 || l.Ended {
			t.Fatalf("%d lines from %d, %+v", len(l.Lines), l.Lines[0].Number, Lines{Total: l.Total, Next: l.Next, Matching: l.Matching})
		}
		if l := w.read(Query{Tail: 3}); len(l.Lines) != 3 || l.Lines[2].Number != 5000 {
			t.Fatal(texts(l))
		}
		if l := w.read(Query{Tail: 10_000}); len(l.Lines) != 5000 || l.Truncated {
			t.Fatalf("%d lines, truncated %v", len(l.Lines), l.Truncated)
		}
		for i, x := range w.read(Query{Tail: 5000}).Lines {
			if x.Number != int64(i+1) {
				t.Fatalf("place %d has number %d", i, x.Number)
			}
		}
		if _, err := w.Read(w.ctx, w.job.ID, Query{Tail: 10_001}); fault.CodeOf(err) != fault.InvalidInput {
			t.Fatal(err)
		}
	})
}

func TestEmptyLogIsAnEmptyAnswer(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		if l := w.read(Query{}); len(l.Lines) != 0 || l.Next != 1 || l.Total != 0 || l.Truncated {
			t.Fatalf("%+v", l)
		}
		if l := w.read(Query{From: 1, Search: "x"}); len(l.Lines) != 0 || l.Next != 1 {
			t.Fatalf("%+v", l)
		}
		w.end()
		if l := w.read(Query{}); !l.Ended {
			t.Fatal("not ended")
		}
	})
}

func TestRangeBeginsInTheMiddleOfAChunk(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.fill(1000, 300)
		l := w.read(Query{From: 299, To: 302})
		if len(l.Lines) != 4 || l.Lines[0].Number != 299 || l.Lines[3].Number != 302 || l.Matching != 4 || l.Next != 303 {
			t.Fatal(texts(l), l.Matching, l.Next)
		}
		if l := w.read(Query{From: 999}); len(l.Lines) != 2 || l.Next != 1001 {
			t.Fatal(texts(l))
		}
		if l := w.read(Query{From: 1001}); len(l.Lines) != 0 || l.Next != 1001 {
			t.Fatal(texts(l), l.Next)
		}
		if l := w.read(Query{To: 2}); len(l.Lines) != 2 {
			t.Fatal(texts(l))
		}
	})
}

func TestRangeLongerThanOneAnswerIsReadInParts(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.fill(25_000, 5000)
		at, n := int64(1), 0
		for {
			l := w.read(Query{From: at})
			for i, x := range l.Lines {
				if x.Number != at+int64(i) {
					t.Fatalf("got line %d instead of %d", x.Number, at+int64(i))
				}
			}
			n += len(l.Lines)
			if at = l.Next; at > l.Total {
				break
			}
			if len(l.Lines) != maxLines {
				t.Fatalf("%d lines", len(l.Lines))
			}
		}
		if n != 25_000 {
			t.Fatalf("%d lines", n)
		}
	})
}

func TestLevelsAndSearchSelectAndCount(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.fill(3000, 64)
		l := w.read(Query{Levels: logframe.MaskOf(logframe.Warning)})
		if len(l.Lines) != 30 || l.Matching != 30 || l.Truncated || l.Lines[0].Number != 100 || l.Lines[29].Number != 3000 {
			t.Fatal(texts(l), l.Matching)
		}
		l = w.read(Query{Levels: logframe.MaskOf(logframe.Warning), Tail: 5})
		if len(l.Lines) != 5 || l.Matching != 30 || !l.Truncated || l.Lines[0].Number != 2600 || l.Lines[4].Number != 3000 {
			t.Fatal(texts(l), l.Matching)
		}
		l = w.read(Query{Search: "LINE 29"})
		if l.Matching != 1+10+100 || int64(len(l.Lines)) != l.Matching || l.Lines[0].Number != 29 {
			t.Fatal(texts(l), l.Matching)
		}
		l = w.read(Query{From: 1000, To: 2000, Search: "warning", Levels: logframe.MaskOf(logframe.Warning, logframe.Error)})
		if len(l.Lines) != 11 || l.Matching != 11 || l.Next != 2001 {
			t.Fatal(texts(l), l.Matching)
		}
		if l := w.read(Query{Levels: logframe.MaskOf(logframe.Error)}); len(l.Lines) != 0 || l.Matching != 0 {
			t.Fatal(texts(l))
		}
	})
}

func TestSearchFindsWhatAPersonSees(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.append(batch(t, 1, "lo\x1b[1mss\x1b[0m: nan", "epoch 1\repoch 2", "学習を開始しました", "École", "plain"))
		for search, want := range map[string]string{"LOSS: NaN": "1", "epoch 2": "2", "epoch 1": "", "学習": "3", "école": "4", "PLAIN": "5", "[1m": "", "nothing": ""} {
			var got []string
			for _, x := range w.read(Query{Search: search}).Lines {
				got = append(got, fmt.Sprint(x.Number))
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%q: lines %v, want %s", search, got, want)
			}
		}
	})
}

func TestLongLinesAreNotAllInOneAnswer(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		line := strings.Repeat("x", logframe.MaxLine)
		for i := range 5 {
			w.append(batch(t, int64(1+50*i), slicesRepeat(line, 50)...))
		}
		l := w.read(Query{Tail: 10_000})
		if n := len(l.Lines); n == 0 || n > maxText/logframe.MaxLine || l.Lines[n-1].Number != 250 || !l.Truncated {
			t.Fatalf("%d lines", n)
		}
		l = w.read(Query{From: 1})
		if n := int64(len(l.Lines)); n == 0 || n > maxText/logframe.MaxLine || l.Next != n+1 {
			t.Fatalf("%d lines, next %d", n, l.Next)
		}
	})
}

func slicesRepeat(s string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = s
	}
	return out
}

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

// idle waits until nothing runs in the background.
func (w *world) idle() {
	for {
		w.mu.Lock()
		busy := false
		for _, l := range w.live {
			busy = busy || l.compacting || l.progressNext
		}
		w.mu.Unlock()
		if !busy {
			return
		}
		time.Sleep(5 * time.Millisecond)
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

func goroutines(t *testing.T, most int) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > most; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			buf := make([]byte, 1<<16)
			t.Fatalf("%d goroutines, %d before\n%s", runtime.NumGoroutine(), most, buf[:runtime.Stack(buf, true)])
		}
	}
}
