package logframe

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestDisplay(t *testing.T) {
	for text, want := range map[string]string{
		"plain\ttab":              "plain\ttab",
		"nul>\x00<nul":            "nul>␀<nul",
		"lone>\x80<":              "lone>\ufffd<",
		"overlong>\xc0\xaf<":      "overlong>\ufffd\ufffd<",
		"surrogate>\xed\xa0\x80<": "surrogate>\ufffd\ufffd\ufffd<",
		"\xef\xbb\xbfbom":         "bom",
		"crlf\r":                  "crlf",
		"bell\x07 back\x08space":  "bell␇ bacspace",
		"rtl \u202eevil\u202c":    "rtl ⟨U+202E⟩evil⟨U+202C⟩",
		"夜勤 🌙 \U0010fffd":         "夜勤 🌙 \U0010fffd",
		"\x1b]0;title\x07\x1b]8;;http://example.com\x07link\x1b]8;;\x07": "link",
		"del\x7f c1\u009b2J csi\x9b":                                     "del␡ c1\ufffd2J csi\ufffd",
		"two\nlines\u2028x":                                              "two␊lines␤x",
		// redraws
		"\r10%\r20%":                           "20%",
		"10%\r20%\r":                           "20%",
		"100%\r5%":                             "5%",
		"bar 42%\r       \r":                   "",
		"bar 42%\r       \rnext":               "next",
		"bar 42%\r\x1b[K":                      "",
		"bar 42%\x1b[2K\r":                     "",
		"bar 42%\x1b[2K\x1b[1Gdone":            "done",
		"bar 42%\x1b[K":                        "bar 42%",
		"\r\x1b[2K   ━━━ 1/2":                  "   ━━━ 1/2",
		"\x1b[?25l\x1b[2K\x1b[Ax\x1b[?25h":     "x",
		"\x1b[2K  batch 3/10\x1b[A\repoch 1/3": "epoch 1/3",
		"|\b/\b-\b":                            "-",
		"10%\b\b\b20%":                         "20%",
		"\b\bx":                                "x",
		"あい\bう":                                "あう",
		"N\bNA\bAME":                           "NAME",
		// colours
		"\x1b[31mred\x1b[0m":       "\x1b[31mred\x1b[0m",
		"\x1b[38;5;1mx":            "\x1b[38;5;1mx",
		"\x1b[>4;1mx":              "x",
		"\x1b[31m10%\r\x1b[32m20%": "\x1b[32m20%",
		"\x1b[31m10%\r\x1b[0m":     "\x1b[31m10%\x1b[0m",
		"\x1b[31m\bx":              "\x1b[31mx",
		// escapes that go, and those that are none
		"\x1b(Bx\x1b7\x1b8\x1b=y": "xy",
		"\x1bP1$r\x1b\\x":         "x",
		"a\x1b[12;":               "a",
		"a\x1b":                   "a",
		"a\x1b]0;never ends":      "a␛]0;never ends",
		"a\x1b[1\x01b":            "a␛[1␁b",
	} {
		if got := Display([]byte(text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestPlainAndTerminal(t *testing.T) {
	const text = "\x1b[31mred\x1b[0m \x1b]52;c;aGk=\x07\x1b[Aup\x1b[1m"
	if got := Plain([]byte(text)); got != "red up" {
		t.Errorf("%q", got)
	}
	if got := SafeTerminal(text, false); got != "red up" {
		t.Errorf("%q", got)
	}
	if got := SafeTerminal(text, true); got != "\x1b[31mred\x1b[0m up\x1b[1m\x1b[0m" {
		t.Errorf("%q", got)
	}
	if got := SafeTerminal("plain", true); got != "plain" {
		t.Errorf("%q", got)
	}
}

func TestAppendDisplayShortens(t *testing.T) {
	for _, c := range []struct {
		text string
		max  int
		want string
	}{
		{"abcdef", 0, "abcdef"}, {"abcdef", 6, "abcdef"}, {"abcdef", 3, "abc…"}, {"ああ", 4, "あ…"}, {"ab\x1b[31mc", 5, "ab…"}, {"ab\x1b[31mcd", 8, "ab\x1b[31mc…"},
	} {
		if got := string(AppendDisplay([]byte("x"), []byte(c.text), true, c.max)); got != "x"+c.want {
			t.Errorf("%q to %d: %q", c.text, c.max, got)
		}
	}
}

func TestDisplayOfAnyMixtureIsSafe(t *testing.T) {
	parts := []string{"a", "bc", " ", "あ", "\r", "\b", "\x1b", "[", "\x1b[K", "\x1b[2K", "\x1b[1G", "\x1b[31m", "\x1b[0m", "\x1b]0;", "\x07", "\\", "m", "1;", "\xff",
		"\xe3", "\x00", "\u202e", "\ufeff", "\u0301", "\t", "\x1b[A", "%"}
	r := rand.New(rand.NewPCG(5, 6))
	for range 50_000 {
		var b strings.Builder
		for range r.IntN(12) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		text := []byte(b.String())
		got := Display(text)
		safe(t, got, true)
		safe(t, Plain(text), false)
		if again := Display([]byte(got)); !utf8.ValidString(got) || again != got {
			t.Fatalf("%q: %q, shown again: %q", text, got, again)
		}
		if cut := string(AppendDisplay(nil, text, true, r.IntN(12))); Display([]byte(cut)) != cut {
			t.Fatalf("%q shortened: %q", text, cut)
		}
	}
}

func FuzzDisplay(f *testing.F) {
	f.Add([]byte("\r10%\r\x1b[31m20%\b\x1b[2K\x1b]0;t\x07\x1b[K\u202e\xff\x00"))
	f.Add([]byte("\x1b[1G\x1b[0m\x1b[m \b\b\x1b"))
	f.Fuzz(func(t *testing.T, text []byte) {
		got := Display(text)
		if !utf8.ValidString(got) {
			t.Fatalf("%q is not UTF-8", got)
		}
		if again := Display([]byte(got)); again != got {
			t.Fatalf("%q, shown again: %q", got, again)
		}
		safe(t, got, true)
		safe(t, Plain(text), false)
		safe(t, SafeTerminal(string(text), true), true)
		if s := AppendDisplay(nil, text, true, 10); len(s) > 13 || !utf8.Valid(s) {
			t.Fatalf("%q", s)
		}
	})
}

// safe fails on anything that could do more to a terminal than colour it.
func safe(t *testing.T, s string, color bool) {
	t.Helper()
	for i, r := range s {
		if r == esc && color {
			n, params, final := parseEscape([]byte(s[i:]))
			if n > 0 && final == 'm' && strings.Trim(string(params), "0123456789;:") == "" {
				continue
			}
		}
		if r < ' ' && r != '\t' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			t.Fatalf("%q holds %U", s, r)
		}
	}
}
