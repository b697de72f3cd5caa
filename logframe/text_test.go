package logframe

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestParseText(t *testing.T) {
	lines, err := ParseText("2026-11-30T21:00:00.1234567+09:00\twarn\ta\\tb\\\\n\\nc\\r\r\n\t\tnow\ttabs\tstay\n", noon, 10)
	if err != nil {
		t.Fatal(err)
	}
	same(t, lines, []Line{
		{Time: time.Date(2026, 11, 30, 12, 0, 0, 123456000, time.UTC), Level: Warning, Text: []byte("a\tb\\n\nc\r")},
		{Time: noon, Text: []byte("now\ttabs\tstay")},
	})
	if lines, err := ParseText("", noon, 10); err != nil || len(lines) != 0 {
		t.Error(lines, err)
	}
	for data, says := range map[string]string{
		"hello":                                 "line 1 is not time TAB level TAB message",
		"\t\tok\nyesterday\tINFO\tx":            "line 2 has a time that is not RFC 3339",
		"\tLOUD\tx":                             `unknown level "LOUD"`,
		"\t\tC:\\windows":                       "backslash",
		"\t\tends in \\":                        "backslash",
		"\t\t1\n\t\t2\n\t\t3":                   "at most 2",
		"\t\t" + strings.Repeat("x", MaxLine+1): "at most 65536",
	} {
		if _, err := ParseText(data, noon, 2); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%.30q: %v, want %s", data, err, says)
		}
	}
}

func TestTSVJoinsPieces(t *testing.T) {
	line := func(s Stream, cut bool, text string) Line {
		return Line{Time: noon, Stream: s, Cut: cut, Text: []byte(text)}
	}
	for name, c := range map[string]struct {
		lines []Line
		want  string
	}{
		"whole":     {[]Line{line(0, false, "a"), line(1, false, "b")}, "a|b|"},
		"pieces":    {[]Line{line(0, true, "a"), line(0, true, "b"), line(0, false, "c"), line(0, false, "d")}, "abc|d|"},
		"between":   {[]Line{line(0, true, "a"), line(1, false, "x"), line(0, false, "b"), line(1, false, "y")}, "ab|x|y|"},
		"crossed":   {[]Line{line(0, true, "a"), line(1, true, "x"), line(0, false, "b"), line(0, false, "c"), line(1, false, "y"), line(0, false, "d")}, "ab|xy|c|d|"},
		"three":     {[]Line{line(0, true, "a"), line(1, true, "x"), line(2, false, "s"), line(1, false, "y"), line(0, false, "b"), line(2, false, "t")}, "ab|xy|s|t|"},
		"never end": {[]Line{line(0, true, "a"), line(1, true, "x"), line(2, false, "s")}, "a|x|s|"},
		"escapes":   {[]Line{line(0, false, "t\tr\rn\nb\\z\x00u\xff夜")}, `t\tr\rn\nb\\z␀u` + "\ufffd夜|"},
	} {
		var out bytes.Buffer
		w := NewTSVWriter(&out)
		for i := range c.lines {
			if err := w.Write(&c.lines[i]); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		got := strings.ReplaceAll(strings.ReplaceAll(out.String(), "2026-11-30T12:00:00.123456Z\tINFO\t", ""), "\n", "|")
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestTSVHoldsABoundedAmount(t *testing.T) {
	var out bytes.Buffer
	w := NewTSVWriter(&out)
	_ = w.Write(&Line{Cut: true, Text: []byte("begin")})
	for range 300 {
		_ = w.Write(&Line{Stream: Stderr, Text: make([]byte, 10_000)})
		if w.size > maxHeld {
			t.Fatal(w.size)
		}
	}
	_ = w.Write(&Line{Text: []byte("end")})
	_ = w.Close()
	if n := strings.Count(out.String(), "\n"); n != 302 {
		t.Errorf("%d rows", n)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("gone") }

func TestWritersReportErrors(t *testing.T) {
	tsv, raw := NewTSVWriter(broken{}), NewRawWriter(broken{})
	_ = tsv.Write(&Line{})
	_ = raw.Write(&Line{})
	if tsv.Close() == nil || raw.Close() == nil {
		t.Error("no error")
	}
}

func FuzzText(f *testing.F) {
	f.Add("2026-11-30T12:00:00Z\tINFO\thello\\n", []byte("a\tb\\"))
	f.Add("\t\t", []byte("\xff\x00\r\n"))
	f.Fuzz(func(t *testing.T, data string, text []byte) {
		if lines, err := ParseText(data, noon, 1000); err == nil {
			var rows []byte
			for i := range lines {
				rows = AppendTSV(rows, &lines[i])
			}
			if !utf8.Valid(rows) || bytes.Count(rows, []byte("\n")) != len(lines) {
				t.Fatalf("%q", rows)
			}
			again, err := ParseText(string(rows), noon, 1000)
			if err != nil {
				t.Fatal(err)
			}
			for i := range lines {
				if !again[i].Time.Equal(lines[i].Time) || again[i].Level != lines[i].Level {
					t.Fatalf("%v, want %v", again[i], lines[i])
				}
			}
		}
		if len(text) > MaxLine/3 {
			return
		}
		lines, err := ParseText(string(AppendTSV(nil, &Line{Time: noon, Level: Error, Text: text})), noon, 1)
		want := strings.ReplaceAll(strings.Join(strings.Split(string([]rune(string(text))), ""), ""), "\x00", "␀")
		if err != nil || len(lines) != 1 || string(lines[0].Text) != want {
			t.Fatal(fmt.Sprintf("%q", text), lines, err)
		}
	})
}
