package logframe

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 123456000, time.UTC)

func some() []Line {
	return []Line{
		{Time: noon, Text: []byte("plain")},
		{Time: noon.Add(-time.Hour), Stream: Stderr, Level: Error, Text: []byte("the clock went back")},
		{Time: noon.Add(time.Microsecond), Level: Warning, Text: []byte("nul \x00 bad \x80\xff cr\r")},
		{Time: noon.Add(time.Hour), Stream: System, Text: []byte{}},
		{Time: noon.Add(time.Hour), Cut: true, Text: bytes.Repeat([]byte("あ"), MaxLine/3)},
		{Time: noon.Add(time.Hour), NoNewline: true, Text: []byte("rest")},
		{Time: noon.Add(2 * time.Hour), Stream: Stderr, Partial: true, Text: []byte("42%")},
	}
}

func same(t *testing.T, got, want []Line) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d lines, want %d", len(got), len(want))
	}
	for i := range want {
		g, w := got[i], want[i]
		if !bytes.Equal(g.Text, w.Text) || !g.Time.Equal(w.Time) || g.Stream != w.Stream || g.Level != w.Level || g.Cut != w.Cut ||
			g.Partial != w.Partial || g.NoNewline != w.NoNewline {
			t.Fatalf("line %d: %+v, want %+v", i, g, w)
		}
	}
}

func TestFrameRoundTrip(t *testing.T) {
	lines := some()
	for name, frame := range map[string][]byte{"zstd": Encode([]byte("x"), lines)[1:], "raw": EncodeRaw(nil, lines)} {
		b, err := Decode(frame, 0)
		if err != nil {
			t.Fatal(name, err)
		}
		same(t, b.Lines(nil), lines)
		if b.Len() != 7 || b.Finals() != 6 || !b.Partial() || b.Levels() != MaskOf(Info, Warning, Error) ||
			!b.First().Equal(lines[0].Time) || !b.Last().Equal(lines[6].Time) {
			t.Errorf("%s: %+v", name, b)
		}
		for i, l := range b.From(5) {
			if !bytes.Equal(l.Text, lines[i].Text) {
				t.Errorf("line %d: %q", i, l.Text)
			}
		}
		if r := b.Reader(99); r.Next(new(Line)) || r.Left() != 0 {
			t.Error("there is a line 99")
		}
	}
	for n := range 3 {
		b, err := Decode(Encode(nil, lines[:n]), 0)
		if err != nil || b.Len() != n {
			t.Errorf("%d lines: %d, %v", n, b.Len(), err)
		}
	}
}

func TestFrameOfRandomBytesDoesNotGrow(t *testing.T) {
	text := make([]byte, 60_000)
	for i := range text {
		text[i] = byte(rand.Uint32())
	}
	frame := Encode(nil, []Line{{Time: noon, Text: text}})
	if len(frame) > len(text)+64 {
		t.Errorf("%d bytes", len(frame))
	}
}

func TestDecodeRefuses(t *testing.T) {
	good := Encode(nil, some())
	payload := func() []byte { b, _ := Decode(good, 0); return b.Payload() }()
	raw := func(count, size byte, payload ...byte) []byte {
		return append([]byte{'n', 'l', 1, codecRaw, count, size}, payload...)
	}
	packed := func(b []byte, size uint64) []byte {
		e, _ := zstd.NewWriter(nil)
		head := []byte{'n', 'l', 1, codecZstd, 1}
		for ; size >= 0x80; size >>= 7 {
			head = append(head, byte(size)|0x80)
		}
		return e.EncodeAll(b, append(head, byte(size)))
	}
	bomb := packed(make([]byte, 16<<20), 1000)
	for name, c := range map[string]struct {
		data []byte
		err  error
		says string
	}{
		"empty":             {nil, ErrMalformed, "begin"},
		"text":              {[]byte("2026-11-30T12:00:00Z\tINFO\thello"), ErrMalformed, "begin"},
		"version":           {[]byte{'n', 'l', 2, 0, 0, 0}, ErrMalformed, "version 2"},
		"codec":             {[]byte{'n', 'l', 1, 9, 0, 0}, ErrMalformed, "codec 9"},
		"count":             {raw(9, 3, 0, 0, 0), ErrMalformed, "do not fit"},
		"too few":           {raw(2, 6, 0, 0, 0), ErrMalformed, "promised"},
		"too many":          {raw(1, 6, 0, 0, 0, 0, 0, 0), ErrMalformed, "after the last line"},
		"long line":         {raw(1, 4, 0, 0, 200, 1), ErrMalformed, "longer than the frame"},
		"flags":             {raw(1, 3, 0, 3, 0), ErrMalformed, "flags"},
		"level":             {raw(1, 3, 0, 12, 0), ErrMalformed, "flags"},
		"reserved":          {raw(1, 3, 0, 128, 0), ErrMalformed, "flags"},
		"partial first":     {raw(2, 6, 0, 32, 0, 0, 0, 0), ErrMalformed, "unfinished"},
		"year 300000":       {EncodeRaw(nil, []Line{{Time: time.UnixMicro(1 << 62)}}), ErrMalformed, "years"},
		"bomb":              {bomb, ErrMalformed, "more than the 1000"},
		"honest bomb":       {packed(make([]byte, 8<<20), 8<<20), ErrTooLarge, "at most 4194304"},
		"size not believed": {packed(payload, uint64(len(payload)+1)), ErrMalformed, "promised"},
		"truncated":         {good[:len(good)-9], ErrMalformed, "zstd"},
		"not zstd":          {[]byte{'n', 'l', 1, 1, 1, 5, 1, 2, 3, 4, 5}, ErrMalformed, "zstd"},
		"over MaxLine":      {Encode(nil, []Line{{Time: noon, Text: make([]byte, MaxLine+1)}}), ErrTooLarge, "line 1"},
	} {
		_, err := Decode(c.data, 0)
		if !errors.Is(err, c.err) || !strings.Contains(fmt.Sprint(err), c.says) {
			t.Errorf("%s: %v, want %v … %s", name, err, c.err, c.says)
		}
	}
	if _, err := Decode(good, 100); !errors.Is(err, ErrTooLarge) {
		t.Error("limit:", err)
	}
	for i := range good {
		if _, err := Decode(good[:i], 0); err == nil {
			t.Errorf("cut at %d is accepted", i)
		}
	}
	before := testing.AllocsPerRun(5, func() { _, _ = Decode(bomb, 0) })
	if before > 50 {
		t.Errorf("a bomb makes %v allocations", before)
	}
}

func TestLaterLinesReplaceAPartialOne(t *testing.T) {
	var b Builder
	for _, text := range []string{"10%", "20%"} {
		b.Add(&Line{Time: noon, Level: Error, Partial: true, Text: []byte(text)})
	}
	b.Add(&Line{Time: noon.Add(time.Second), Text: []byte("done")})
	got, err := Decode(b.AppendFrame(nil), 0)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got.Lines(nil), []Line{{Time: noon.Add(time.Second), Text: []byte("done")}})
	if got.Levels() != MaskOf(Info) || b.Levels() != MaskOf(Info) || !b.First().Equal(noon.Add(time.Second)) {
		t.Error(got.Levels(), b.Levels(), b.First())
	}
}

func TestCompactKeepsEveryLine(t *testing.T) {
	var all []Line
	var chunks []Chunk
	c := Compactor{MaxLines: 100, MaxBytes: 8 << 10, Emit: func(ch Chunk) error { chunks = append(chunks, ch); return nil }}
	for i := range 500 {
		var batch []Line
		for j := range i%7 + 1 {
			batch = append(batch, Line{Time: noon.Add(time.Duration(i) * time.Second), Level: Level(j % 3), Text: fmt.Appendf(nil, "line %d/%d %0*d", i, j, i%300, 0)})
		}
		all = append(all, batch...)
		if i%3 == 0 {
			batch = append(batch, Line{Time: noon, Partial: true, Text: []byte("half")})
		}
		b, err := Decode(Encode(nil, batch), 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Add(&b); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	var got []Line
	for _, ch := range chunks {
		b, err := Decode(ch.Frame, 0)
		if err != nil {
			t.Fatal(err)
		}
		if b.Len() != ch.Lines || b.Size() != ch.Size || b.Levels() != ch.Levels || !b.First().Equal(ch.First) || !b.Last().Equal(ch.Last) {
			t.Errorf("%+v beside %+v", ch, b)
		}
		if b.Len() > 100 || b.Size() > 9<<10 {
			t.Errorf("%d lines, %d bytes", b.Len(), b.Size())
		}
		got = b.Lines(got)
	}
	same(t, got, all)
	if len(chunks) > 40 {
		t.Errorf("%d chunks", len(chunks))
	}
}

func TestFit(t *testing.T) {
	lines := slices.Repeat([]Line{{Text: make([]byte, 1000)}}, 10)
	for _, c := range []struct{ lines, bytes, want int }{{3, 1 << 20, 3}, {100, 1 << 20, 10}, {100, 5000, 4}, {100, 1, 1}, {0, 0, 1}} {
		if n := Fit(lines, c.lines, c.bytes); n != c.want {
			t.Errorf("Fit(%d, %d) = %d, want %d", c.lines, c.bytes, n, c.want)
		}
	}
	if Fit(nil, 1, 1) != 0 || Finals(lines) != 10 || Finals(some()) != 6 {
		t.Error("none, finals")
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(Encode(nil, some()))
	f.Add(EncodeRaw(nil, some()[:4]))
	f.Add([]byte{'n', 'l', 1, 0, 2, 6, 0, 0, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := Decode(data, 1<<20)
		if err != nil {
			if !errors.Is(err, ErrMalformed) && !errors.Is(err, ErrTooLarge) {
				t.Fatal(err)
			}
			return
		}
		lines := b.Lines(nil)
		if len(lines) != b.Len() {
			t.Fatal(len(lines), b.Len())
		}
		again, err := Decode(Encode(nil, lines), 1<<21)
		if err != nil {
			t.Fatal(err)
		}
		same(t, again.Lines(nil), lines)
	})
}
