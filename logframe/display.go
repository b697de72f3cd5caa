package logframe

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Display is the text of a line as a person should see it. A line redrawn with carriage returns shows what was written last, with
// backspaces and erasures applied; colours (SGR escapes) stay for whoever draws them, every other escape sequence goes; control
// characters become their pictures (NUL ␀), invalid UTF-8 U+FFFD, and characters that turn the direction of text, with which a log
// could disguise what it says, are spelled out. The result is valid UTF-8 on one line.
func Display(text []byte) string { return display(text, true) }

// Plain is Display without colours, for searching and for where nothing draws them.
func Plain(text []byte) string { return display(text, false) }

func display(text []byte, color bool) string {
	if simple(text) {
		return string(text)
	}
	return string(appendDisplay(nil, text, color))
}

// SafeTerminal makes text from anywhere safe to print on a terminal: it can move no cursor, set no title, write no clipboard.
// With color the SGR escapes stay and are switched off at the end.
func SafeTerminal(text string, color bool) string {
	if simple(text) {
		return text
	}
	out := appendDisplay(nil, []byte(text), color)
	if bytes.IndexByte(out, esc) >= 0 {
		out = append(out, "\x1b[0m"...)
	}
	return string(out)
}

// AppendDisplay appends what Display or, without color, Plain makes of text, at most about max bytes of it (0: all), ending in … where
// it was shortened.
func AppendDisplay(dst, text []byte, color bool, max int) []byte {
	start := len(dst)
	dst = appendDisplay(dst, text, color)
	if max <= 0 || len(dst)-start <= max {
		return dst
	}
	end := start + max
	for end > start && !utf8.RuneStart(dst[end]) {
		end--
	}
	// An escape cut in two would show as garbage: those left here end in m.
	if i := bytes.LastIndexByte(dst[start:end], esc); i >= 0 && bytes.IndexByte(dst[start+i:end], 'm') < 0 {
		end = start + i
	}
	return append(dst[:end], "…"...)
}

const esc = 0x1b

// simple says that text is only printable ASCII and tabs, as nearly every line is.
func simple[T string | []byte](text T) bool {
	for i := 0; i < len(text); i++ {
		if !printable[text[i]] {
			return false
		}
	}
	return true
}

var printable = func() (t [256]bool) {
	for c := ' '; c < 0x7f; c++ {
		t[c] = true
	}
	t['\t'] = true
	return t
}()

// screen is one row of a terminal, as far as logs need one: a carriage return starts the row again, but what stood there stays until
// something is written over it, so a bar that ends in a carriage return is still seen.
type screen struct {
	out      []byte
	start    int // where this line begins in out
	returned int // -1, or where out ended at the carriage return whose row nothing has been written into yet
	back     int // backspaces that nothing has been written over yet
	sgrEnd   int // where the last colour escape ends in out; backspaces do not go beyond
	redrawn  bool
}

func appendDisplay(dst, text []byte, color bool) []byte {
	s := screen{out: dst, start: len(dst), returned: -1, sgrEnd: -1}
	for len(text) > 0 {
		n := 0
		for n < len(text) && printable[text[n]] {
			n++
		}
		if n > 0 {
			if s.returned >= 0 || s.back > 0 {
				s.write(text[:1])
				s.out = append(s.out, text[1:n]...)
			} else {
				s.out = append(s.out, text[:n]...)
			}
			text = text[n:]
			continue
		}
		text = text[s.special(text, color):]
	}
	if s.redrawn {
		s.out = append(s.out[:s.start], bytes.TrimRight(s.out[s.start:], " ")...)
	}
	return s.out
}

// special handles what is not printable ASCII and says how many bytes it was.
func (s *screen) special(text []byte, color bool) int {
	switch c := text[0]; {
	case c == '\r':
		s.carriageReturn()
	case c == '\b':
		if s.returned < 0 {
			s.back++
		}
	case c == esc:
		return s.escape(text, color)
	case c < ' ':
		s.writeRune(0x2400 + rune(c))
	case c == 0x7f:
		s.writeRune('␡')
	default:
		r, n := utf8.DecodeRune(text)
		switch {
		case r >= 0x80 && r < 0xa0: // C1: a terminal may take U+009B for the start of an escape
			s.writeRune(utf8.RuneError)
		case r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069:
			s.write(fmt.Appendf(nil, "⟨U+%04X⟩", r))
		case r == 0xfeff: // a byte order mark
		case r == 0x2028 || r == 0x2029:
			s.writeRune('␤')
		default:
			s.writeRune(r)
		}
		return n
	}
	return 1
}

func (s *screen) carriageReturn() {
	s.back = 0
	if s.returned < 0 {
		s.returned = len(s.out)
	}
}

func (s *screen) clear() {
	s.out, s.returned, s.back, s.sgrEnd = s.out[:s.start], -1, 0, -1
	s.redrawn = true
}

// write puts one character on the row.
func (s *screen) write(char []byte) {
	if s.returned >= 0 { // the colours switched on since the carriage return belong to the new row
		if s.returned > s.start {
			s.redrawn = true
		}
		n := copy(s.out[s.start:], s.out[s.returned:])
		s.out = s.out[:s.start+n]
		s.sgrEnd = -1
		if n > 0 {
			s.sgrEnd = len(s.out)
		}
		s.returned = -1
	}
	for ; s.back > 0 && len(s.out) > s.start && len(s.out) != s.sgrEnd; s.back-- {
		_, n := utf8.DecodeLastRune(s.out[s.start:])
		s.out = s.out[:len(s.out)-n]
	}
	s.back = 0
	s.out = append(s.out, char...)
}

func (s *screen) writeRune(r rune) {
	var b [utf8.UTFMax]byte
	s.write(b[:utf8.EncodeRune(b[:], r)])
}

// escape obeys the escape sequences that matter within a row and drops the others. One that never ends is shown, not followed: it
// would swallow the rest of the line.
func (s *screen) escape(text []byte, color bool) int {
	n, params, final := parseEscape(text)
	if n == 0 {
		s.writeRune('␛')
		return 1
	}
	switch final {
	case 'm':
		if color && len(params) <= 64 && strings.Trim(string(params), "0123456789;:") == "" {
			s.out = append(s.out, text[:n]...)
			s.sgrEnd = len(s.out)
		}
	case 'G': // cursor to a column
		if p := string(params); p == "" || p == "0" || p == "1" {
			s.carriageReturn()
		}
	case 'K', 'J': // erase in line, in display
		switch p := string(params); {
		case p == "1" || p == "2" || p == "3":
			s.clear()
		case s.returned >= 0: // from the cursor on, which is at the start
			s.clear()
		}
	}
	return n
}

// parseEscape measures the escape sequence text begins with; params and final are those of a CSI sequence. n is 0 for what is none.
func parseEscape(text []byte) (n int, params []byte, final byte) {
	if len(text) < 2 {
		return len(text), nil, 0 // an escape at the very end: its rest is in the next piece, or never came
	}
	switch c := text[1]; {
	case c == '[':
		i := 2
		for i < len(text) && text[i] >= 0x30 && text[i] <= 0x3f {
			i++
		}
		params = text[2:i]
		for i < len(text) && text[i] >= 0x20 && text[i] <= 0x2f {
			i++
		}
		if i == len(text) {
			return i, nil, 0
		}
		if text[i] < 0x40 || text[i] > 0x7e {
			return 0, nil, 0
		}
		return i + 1, params, text[i]
	case c == ']' || c == 'P' || c == 'X' || c == '^' || c == '_': // titles, links, clipboard: up to BEL or ESC \
		for i := 2; i < len(text); i++ {
			if text[i] == 0x07 {
				return i + 1, nil, 0
			}
			if text[i] == esc && i+1 < len(text) && text[i+1] == '\\' {
				return i + 2, nil, 0
			}
		}
		return 0, nil, 0
	case c >= 0x20 && c <= 0x2f: // character sets
		if len(text) < 3 {
			return len(text), nil, 0
		}
		return 3, nil, 0
	case c >= 0x30 && c <= 0x7e:
		return 2, nil, 0
	}
	return 0, nil, 0
}
