package joblog

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"nightshift/logframe"
)

// matcher says which lines are asked for.
type matcher struct {
	levels logframe.LevelMask // 0: all
	needle []byte             // lower case; empty: all
	ascii  bool
	lower  []byte
}

func newMatcher(levels logframe.LevelMask, search string) *matcher {
	m := &matcher{levels: levels, needle: []byte(strings.ToLower(search)), ascii: true}
	for _, c := range m.needle {
		m.ascii = m.ascii && c < utf8.RuneSelf
	}
	if levels == logframe.MaskOf(logframe.Info, logframe.Warning, logframe.Error) {
		m.levels = 0
	}
	return m
}

// all tells that every line matches, so that nothing need be read to count them.
func (m *matcher) all() bool { return m.levels == 0 && len(m.needle) == 0 }

func (m *matcher) match(l *logframe.Line) bool {
	if m.levels != 0 && !m.levels.Has(l.Level) {
		return false
	}
	return len(m.needle) == 0 || m.contains(l.Text)
}

// contains looks in what a person sees, upper and lower case alike: in a colored line the words are cut apart by escapes, and of a
// redrawn one only the last state is seen.
func (m *matcher) contains(text []byte) bool {
	plain, ascii := true, true
	low := m.lower[:0]
	for _, c := range text {
		if c < ' ' && c != '\t' || c == 0x7f {
			plain = false
			break
		}
		ascii = ascii && c < utf8.RuneSelf
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		low = append(low, c)
	}
	m.lower = low
	switch {
	case !plain:
		return strings.Contains(strings.ToLower(logframe.Plain(text)), string(m.needle))
	case ascii || m.ascii: // every byte of a character beyond ASCII is beyond ASCII too
		return bytes.Contains(low, m.needle)
	}
	return bytes.Contains(bytes.ToLower(text), m.needle)
}
