package logframe

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// take copies what the Assembler gives, whose memory is used again.
func take(lines []Line) []Line {
	lines = slices.Clone(lines)
	for i := range lines {
		lines[i].Text = bytes.Clone(lines[i].Text)
	}
	return lines
}

// printed is what RawWriter makes of lines.
func printed(t *testing.T, lines []Line, only ...Stream) string {
	t.Helper()
	var b bytes.Buffer
	w := NewRawWriter(&b, only...)
	for i := range lines {
		if err := w.Write(&lines[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// log gives what a server would hold: batches in order, a Partial line replaced by what follows.
func assemble(feed func(a *Assembler, took func())) []Line {
	var log []Line
	a := NewAssembler()
	now := noon
	keep := func(lines []Line) { log = append(log[:Finals(log)], take(lines)...) }
	feed(a, func() { now = now.Add(100 * time.Millisecond); keep(a.Take(now)) })
	keep(a.Finish())
	return log
}

func pieces(s string, size int) (out []string) {
	for chunk := range slices.Chunk([]byte(s), size) {
		out = append(out, string(chunk))
	}
	return out
}

// The programs of the log cases, as what they print.
var cases = map[string]string{
	"bytes": "nul>\x00<nul\nlone>\x80<\noverlong>\xc0\xaf<\nsurrogate>\xed\xa0\x80<\n\xef\xbb\xbfbom\ncrlf\r\nbell\x07 back\x08space\nrtl \u202eevil\u202c\n" +
		"夜勤 🌙 \U0010fffd\n\x1b]0;title\x07\x1b]8;;http://example.com\x07link\x1b]8;;\x07\ntab\there\tand {\"json\": \"\\u0000\"}\nno newline at the end",
	"flood":     strings.Repeat("0000012 the quick brown fox jumps over the lazy dog and over the moon\n", 3000) + "lines 3000\n",
	"long line": strings.Repeat("x", 5_000_000) + "\nafter the long line\n",
	"multibyte": func() string {
		var b strings.Builder
		for _, size := range []int{4095, 4096, 4097, 8191, 8193, 65535, 65536, 65537, 65538, 65539, 65540, 200_000} {
			b.WriteString(strings.Repeat("あ", size/3) + strings.Repeat("x", size%3) + "\n")
		}
		return b.String()
	}(),
	"redraw": func() string {
		var b strings.Builder
		for _, bar := range []struct {
			name string
			n    int
		}{{"load", 50}, {"train", 120}} {
			for i := range bar.n + 1 {
				fmt.Fprintf(&b, "\r%s: %3d%%|%-20s| %d/%d [00:%02d<00:%02d, 9.99it/s]", bar.name, 100*i/bar.n, strings.Repeat("█", 20*i/bar.n), i, bar.n, i/10, (bar.n-i)/10)
			}
			b.WriteString("\n")
		}
		return b.String() + "done\n"
	}(),
	"redraw only": func() string {
		var b strings.Builder
		for i := range 300 {
			fmt.Fprintf(&b, "\rstep %d/300 loss=%.4f", i+1, 1/float64(i+1))
		}
		return b.String()
	}(),
	"nested bars": func() string {
		var b strings.Builder
		for e := range 3 {
			for i := range 11 {
				fmt.Fprintf(&b, "\repoch %d/3\n\x1b[2K  batch %d/10\x1b[A", e+1, i)
			}
		}
		return b.String() + "\n\nfinished\n"
	}(),
}

func TestEveryCaseComesBackByteForByte(t *testing.T) {
	for name, text := range cases {
		var want []Line
		for _, size := range []int{1 << 30, 4096, 4095, 65536, 7, 1} {
			if size < 100 && len(text) > 1<<20 { // a day's work, and nothing new
				continue
			}
			log := assemble(func(a *Assembler, took func()) {
				for i, p := range pieces(text, size) {
					a.Feed(noon, Stdout, []byte(p))
					if i%5 == 0 && i < 500 || size > 1000 {
						took()
					}
				}
			})
			if got := printed(t, log); got != text {
				t.Fatalf("%s in pieces of %d: %d bytes, want %d", name, size, len(got), len(text))
			}
			b, err := Decode(Encode(nil, log), 16<<20)
			if err != nil {
				t.Fatal(name, err)
			}
			same(t, b.Lines(nil), log)
			if want == nil {
				want = log
			}
			same(t, log, want)
			for i := range log {
				safe(t, Display(log[i].Text), true)
				if len(log[i].Text) > MaxLine {
					t.Errorf("%s: a line of %d bytes", name, len(log[i].Text))
				}
			}
		}
	}
}

func TestCutsFallBetweenCharacters(t *testing.T) {
	for name, text := range map[string]string{
		"japanese": "x" + strings.Repeat("あ", 100_000),
		"emoji":    "xyz" + strings.Repeat("🌙", 100_000),
		"crlf":     strings.Repeat("x", MaxLine) + "\r",
		"colours":  strings.Repeat("\x1b[38;5;123mx", 20_000),
		"redraws":  strings.Repeat("\r 42% あああ", 20_000),
	} {
		log := assemble(func(a *Assembler, _ func()) { a.Feed(noon, Stdout, []byte(text+"\n")) })
		if len(log) < 2 {
			t.Fatal(name, len(log))
		}
		for i := range log {
			last := i == len(log)-1
			if log[i].Cut == last {
				t.Errorf("%s: piece %d: cut %v", name, i, log[i].Cut)
			}
			if d := Display(log[i].Text); strings.Contains(d, "\ufffd") || strings.HasPrefix(d, "[") || strings.HasPrefix(d, ";") || d == "" {
				t.Errorf("%s: piece %d begins %.20q", name, i, d)
			}
		}
		if got := printed(t, log); got != text+"\n" {
			t.Errorf("%s: %d bytes", name, len(got))
		}
	}
	// Invalid bytes can be cut anywhere, and are.
	log := assemble(func(a *Assembler, _ func()) { a.Feed(noon, Stdout, bytes.Repeat([]byte{0x80}, 3*MaxLine)) })
	if len(log) != 3 || len(log[0].Text) != MaxLine || !log[2].NoNewline {
		t.Error(len(log))
	}
}

func TestPiecesHaveTheLevelOfTheLine(t *testing.T) {
	log := assemble(func(a *Assembler, took func()) {
		a.Feed(noon, Stderr, []byte("INFO "+strings.Repeat("x", 3*MaxLine)))
		took()
		a.Feed(noon, Stderr, []byte("\nERROR y\n"))
	})
	if len(log) != 5 {
		t.Fatal(len(log))
	}
	for i := range log {
		if want := map[bool]Level{true: Error}[i == 4]; log[i].Level != want {
			t.Errorf("piece %d: %v", i, log[i].Level)
		}
	}
}

func TestStreamsAreAssembledApart(t *testing.T) {
	log := assemble(func(a *Assembler, took func()) {
		a.Feed(noon, Stdout, []byte("half "))
		took()
		a.Feed(noon, Stderr, []byte("an error\nand"))
		took()
		a.Feed(noon.Add(time.Second), Stdout, []byte("a line\nlast"))
		took()
		a.Say(noon, Warning, "3 MB dropped")
		a.Feed(noon.Add(2*time.Second), Stderr, []byte(" more"))
	})
	var got []string
	for _, l := range log {
		got = append(got, string(l.Text))
	}
	if want := []string{"an error", "half a line", "3 MB dropped", "last", "and more"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	for want, only := range map[string][]Stream{"half a line\nlast": {Stdout}, "an error\nand more": {Stderr}, "an error\nhalf a line\nlastand more": nil} {
		if got := printed(t, log, only...); got != want {
			t.Errorf("%v: %q", only, got)
		}
	}
}

func TestPartialLines(t *testing.T) {
	a := NewAssembler()
	now := noon
	expect := func(after time.Duration, want ...string) {
		t.Helper()
		now = now.Add(after)
		var got []string
		for _, l := range take(a.Take(now)) {
			s := string(l.Text)
			if l.Partial {
				s += "…"
			}
			got = append(got, s)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	a.Feed(now, Stderr, []byte("\rstep 1/300"))
	expect(0, "step 1/300…")
	a.Feed(now, Stderr, []byte("\rstep 2/300"))
	expect(100 * time.Millisecond) // too soon
	expect(150*time.Millisecond, "step 2/300…")
	expect(time.Second) // unchanged
	a.Feed(now, Stdout, []byte("a line\n"))
	expect(time.Second, "a line", "step 2/300…") // moved to the next number
	a.Feed(now, Stderr, []byte("\rstep 3/300\xe3\x81"))
	expect(time.Second, "step 3/300…") // half a character is not shown
	a.Feed(now, Stderr, []byte("\x82\r         \r"))
	expect(time.Second, "…")
	a.Feed(now, Stderr, []byte("end\n"))
	expect(0, "\rstep 1/300\rstep 2/300\rstep 3/300あ\r         \rend")
	if !a.Idle() {
		t.Error("not idle")
	}
	a.Feed(now, Stdout, []byte(strings.Repeat("x", 60_000)))
	if l := a.Take(now.Add(time.Hour)); len(l) != 1 || len(l[0].Text) > partialMax+4 || a.Idle() {
		t.Error(len(l))
	}
}

func TestEndlessRedrawStaysSmallAndCurrent(t *testing.T) {
	a := NewAssembler()
	now := noon
	var log []Line
	bytes, partials, previews := 0, 0, 0
	for i := range 200_000 {
		p := fmt.Appendf(nil, "\rstep %d/200000", i+1)
		bytes += len(p)
		a.Feed(now, Stderr, p)
		now = now.Add(time.Millisecond)
		if i%50 != 0 {
			continue
		}
		for _, l := range a.Take(now) {
			if !l.Partial {
				log = append(log, take([]Line{l})...)
				continue
			}
			if want := fmt.Sprintf("step %d/200000", i+1); string(l.Text) != want || l.Level != Info {
				t.Fatalf("%v %q, want %q", l.Level, l.Text, want)
			}
			partials, previews = partials+1, previews+len(l.Text)
		}
	}
	log = append(log, a.Finish()...)
	if got := printed(t, log); len(got) != bytes {
		t.Errorf("%d bytes, want %d", len(got), bytes)
	}
	if partials < 700 || partials > 801 {
		t.Errorf("%d partial lines in 200 s", partials)
	}
	if cap(a.open[Stderr].text) > 2*MaxLine {
		t.Errorf("%d bytes kept", cap(a.open[Stderr].text))
	}
	for i := range log {
		if d := Display(log[i].Text); !strings.HasPrefix(d, "step ") || !strings.HasSuffix(d, "/200000") {
			t.Errorf("piece %d shows %q", i, d)
		}
	}
}

func TestTakenLinesStayGoodUntilTheNextButOne(t *testing.T) {
	a := NewAssembler()
	sum := func(lines []Line) (h [32]byte) { return sha256.Sum256([]byte(printed(t, lines))) }
	var before []Line
	var want [32]byte
	for i := range 200 {
		a.Feed(noon, Stdout, bytes.Repeat(fmt.Appendf(nil, "line %d\n", i), 1+rand.IntN(50_000)))
		got := a.Take(noon)
		if before != nil && sum(before) != want {
			t.Fatal("changed while", i)
		}
		before, want = got, sum(got)
	}
}

func FuzzAssembler(f *testing.F) {
	f.Add([]byte("a\rb\nあ\xe3\x81"), []byte{3, 1, 2}, uint16(0))
	f.Add([]byte("\x1b[31mx\r\n"), []byte{1}, uint16(65530))
	f.Add([]byte("🌙\n🌙"), []byte{200, 1}, uint16(65535))
	f.Fuzz(func(t *testing.T, text, sizes []byte, pad uint16) {
		// The padding brings the interesting bytes to the place of the cut.
		if len(text) > 2000 {
			return
		}
		text = append(bytes.Repeat([]byte("x"), int(pad)), text...)
		stream := func(i int) Stream { return Stream(i / 5 % 2) }
		var want [2][]byte
		for i := range text {
			s := stream(i)
			want[s] = append(want[s], text[i])
		}
		if pad > 0 { // one stream, so that the padding stays together
			stream = func(int) Stream { return Stdout }
			want = [2][]byte{text, nil}
		}
		single := assemble(func(a *Assembler, _ func()) {
			for i := 0; i < len(text); {
				j := i + 1
				for j < len(text) && stream(j) == stream(i) {
					j++
				}
				a.Feed(noon, stream(i), text[i:j])
				i = j
			}
		})
		chunked := assemble(func(a *Assembler, took func()) {
			for i, k := 0, 0; i < len(text); k++ {
				size := 1
				if len(sizes) > 0 {
					size += int(sizes[k%len(sizes)]) * 7
				}
				if i == 0 && pad > 0 {
					size = int(pad)
				}
				j := i + 1
				for j < len(text) && j < i+size && stream(j) == stream(i) {
					j++
				}
				a.Feed(noon, stream(i), text[i:j])
				took()
				i = j
			}
		})
		same(t, chunked, single)
		for s := range want {
			if got := printed(t, chunked, Stream(s)); got != string(want[s]) {
				t.Fatalf("%v: %q, want %q", Stream(s), got, want[s])
			}
		}
		if _, err := Decode(Encode(nil, chunked), 64<<20); err != nil {
			t.Fatal(err)
		}
	})
}
