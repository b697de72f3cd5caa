package joblog

import (
	"fmt"
	"strings"
	"testing"

	"nightshift/logframe"
	"nightshift/server/fault"
)

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
