package joblog

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"nightshift/server/db/dbtest"
	"nightshift/server/fault"
	"nightshift/server/pubsub"
)

func receive(t testing.TB, c <-chan *Lines) *Lines {
	t.Helper()
	select {
	case l, ok := <-c:
		if !ok {
			t.Fatal("the channel was closed")
		}
		return l
	case <-time.After(10 * time.Second):
		t.Fatal("nothing came within 10 s")
	}
	panic("unreachable")
}

func TestFollowBeginsWhereAskedAndEndsWithTheJob(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.append(batch(t, 1, "a", "b", "c"))
		c := w.Follow(t.Context(), w.job.ID, 2)
		if l := receive(t, c); texts(l) != "2:b 3:c" || l.Next != 4 || l.Total != 3 || l.Ended {
			t.Fatal(texts(l), l.Next)
		}
		w.append(batch(t, 4, "d"))
		if l := receive(t, c); texts(l) != "4:d" {
			t.Fatal(texts(l))
		}
		w.end()
		if l := receive(t, c); !l.Ended || len(l.Lines) != 0 || l.Next != 5 {
			t.Fatalf("%+v", l)
		}
		if _, ok := <-c; ok {
			t.Fatal("something came after the end")
		}
	})
}

func TestFollowWithoutALineGivesOnlyNewOnes(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.append(batch(t, 1, "old"))
		c := w.Follow(t.Context(), w.job.ID, 0)
		if l := receive(t, c); len(l.Lines) != 0 || l.Next != 2 {
			t.Fatal(texts(l))
		}
		w.append(batch(t, 2, "new"))
		if l := receive(t, c); texts(l) != "2:new" {
			t.Fatal(texts(l))
		}
	})
}

func TestFollowOfAnEndedLogGivesAllAndCloses(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.fill(2500, 100)
		w.end()
		n, ended := 0, false
		for l := range w.Follow(t.Context(), w.job.ID, 1) {
			if len(l.Lines) > followLines {
				t.Fatalf("%d lines in a message", len(l.Lines))
			}
			n += len(l.Lines)
			ended = l.Ended
		}
		if n != 2500 || !ended {
			t.Fatalf("%d lines, ended %v", n, ended)
		}
	})
}

func TestFollowShowsAnUnfinishedLineUnderItsNumberAsItGrows(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		c := w.Follow(t.Context(), w.job.ID, 1)
		receive(t, c)
		w.append(batch(t, 1, "10 %…"))
		if l := receive(t, c); texts(l) != "1:10 %…" || l.Next != 1 {
			t.Fatal(texts(l), l.Next)
		}
		w.append(batch(t, 1, "10 %…")) // unchanged: no message
		w.append(batch(t, 1, "20 %…"))
		if l := receive(t, c); texts(l) != "1:20 %…" {
			t.Fatal(texts(l))
		}
		w.append(batch(t, 1, "done", "next…"))
		if l := receive(t, c); texts(l) != "1:done 2:next…" || l.Next != 2 {
			t.Fatal(texts(l))
		}
	})
}

// The lines of a job that prints as fast as it can reach every follower: slow ones, late ones, ones that come back.
func TestFollowHasNoGapAndNoRepeatWhileLinesArrive(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const total = 6000
		var wg sync.WaitGroup
		for f := range 6 {
			wg.Go(func() {
				next := int64(1)
				for {
					ctx, cut := context.WithCancel(t.Context())
					n := 0
					for l := range w.Follow(ctx, w.job.ID, next) {
						for _, x := range l.Lines {
							if x.Partial {
								continue
							}
							if x.Number != next {
								t.Errorf("follower %d: line %d instead of %d", f, x.Number, next)
								cut()
								return
							}
							next++
						}
						if l.Ended {
							cut()
							if next != total+1 {
								t.Errorf("follower %d: %d lines", f, next-1)
							}
							return
						}
						if f%2 == 1 {
							time.Sleep(time.Duration(rand.IntN(40)) * time.Millisecond)
						}
						if n++; f > 3 && n == 4 {
							break // the connection is cut; it comes back with its number
						}
					}
					cut()
				}
			})
		}
		for at := int64(1); at <= total; {
			b := numbered(t, at, int(min(1+rand.Int64N(40), total-at+1)))
			next := w.append(b)
			if rand.IntN(5) == 0 {
				w.append(b) // resent
			}
			at = next
		}
		w.end()
		wg.Wait()
	})
}

func TestFollowIsCoalescedWhenLinesComeOneByOne(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	c := w.Follow(t.Context(), w.job.ID, 1)
	receive(t, c)
	go func() {
		for i := range int64(300) {
			w.append(batch(t, i+1, "x"))
			time.Sleep(time.Millisecond)
		}
	}()
	began, messages := time.Now(), 0
	for n := 0; n < 300; messages++ {
		n += len(receive(t, c).Lines)
	}
	if most := int(time.Since(began)/followInterval) + 2; messages > most {
		t.Fatalf("%d messages in %v", messages, time.Since(began))
	}
}

func TestFirstNewLineIsNotHeldBack(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	c := w.Follow(t.Context(), w.job.ID, 1)
	receive(t, c)
	time.Sleep(2 * followInterval)
	w.append(batch(t, 1, "x"))
	began := time.Now()
	receive(t, c)
	if d := time.Since(began); d > followInterval {
		t.Fatalf("it took %v", d)
	}
}

// Two servers share the database: the worker talks to one, the reader to the other.
func TestFollowOnAnotherServerSeesEveryLine(t *testing.T) {
	url := dbtest.PostgresURL(t)
	d := dbtest.Open(t, url)
	w := newWorld(t, d)
	other := &Room{DB: dbtest.Open(t, url), Bus: pubsub.New(), Log: slog.New(slog.DiscardHandler)}
	for _, b := range []*pubsub.Bus{w.Bus, other.Bus} {
		if err := b.StartRelay(t.Context(), url); err != nil {
			t.Fatal(err)
		}
	}
	c := other.Follow(t.Context(), w.job.ID, 1)
	receive(t, c)
	go func() {
		w.fill(500, 7)
		w.end()
	}()
	next := int64(1)
	for l := range c {
		for _, x := range l.Lines {
			if x.Number != next {
				t.Fatalf("line %d instead of %d", x.Number, next)
			}
			next++
		}
	}
	if next != 501 {
		t.Fatalf("%d lines", next-1)
	}
}

func TestFollowersLeaveNothingBehind(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.fill(5000, 500)
		before := runtime.NumGoroutine()
		ctx, cancel := context.WithCancel(w.ctx)
		for i := range 100 {
			c := w.Follow(ctx, w.job.ID, 1)
			if i%2 == 0 {
				receive(t, c)
			}
		}
		cancel()
		goroutines(t, before+2)
		for deadline := time.Now().Add(5 * time.Second); w.Bus.Subscribers() > 0 && time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		}
		if n := w.Bus.Subscribers(); n != 0 {
			t.Fatalf("%d subscribers", n)
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		if l := w.live[w.job.ID]; l.followers != 0 {
			t.Fatalf("%d followers", l.followers)
		}
	})
}

func TestLogOfNoJobIsMissing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		if _, err := w.Read(w.ctx, 1<<40, Query{}); fault.CodeOf(err) != fault.NotFound {
			t.Fatal(err)
		}
	})
}

func TestUnfinishedLineIsShownInPart(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	w.append(batch(t, 1, strings.Repeat("x", 60_000)+"…"))
	if n := len(w.read(Query{}).Lines[0].Text); n != previewText {
		t.Fatalf("%d bytes", n)
	}
}
