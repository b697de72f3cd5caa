package worker

import (
	"bytes"
	"slices"
	"time"
)

// masker replaces secret values in one stream of output by ***. What it gives depends only on the bytes, not on how they were cut
// into pieces: a tail that could begin a secret waits for the next byte.
type masker struct {
	secrets [][]byte // longest first
	begins  [256]bool
	held    []byte
	at      time.Time // of what is held
	out     []byte
}

func newMasker(secrets []string) *masker {
	m := &masker{}
	for _, s := range secrets {
		if len(s) >= minSecret {
			m.secrets = append(m.secrets, []byte(s))
			m.begins[s[0]] = true
		}
	}
	slices.SortFunc(m.secrets, func(a, b []byte) int { return len(b) - len(a) })
	return m
}

// hide takes the next bytes and gives those that may go on; they are good until the next call.
func (m *masker) hide(at time.Time, p []byte) []byte {
	if len(m.secrets) == 0 {
		return p
	}
	m.at = at
	m.held = append(m.held, p...)
	return m.pass(false)
}

// flush gives what is still held, at the end of the stream.
func (m *masker) flush() (time.Time, []byte) { return m.at, m.pass(true) }

// idle tells that nothing is held.
func (m *masker) idle() bool { return len(m.held) == 0 }

var stars = []byte("***")

func (m *masker) pass(end bool) []byte {
	m.out = m.out[:0]
	rest := m.held
	for len(rest) > 0 {
		n := 0
		for n < len(rest) && !m.begins[rest[n]] {
			n++
		}
		m.out = append(m.out, rest[:n]...)
		if rest = rest[n:]; len(rest) == 0 {
			break
		}
		if !end && m.mayGrow(rest) {
			break
		}
		if s := m.match(rest); s > 0 {
			m.out = append(m.out, stars...)
			rest = rest[s:]
			continue
		}
		m.out = append(m.out, rest[0])
		rest = rest[1:]
	}
	m.held = m.held[:copy(m.held, rest)]
	return m.out
}

// mayGrow tells that rest is the beginning of a secret.
func (m *masker) mayGrow(rest []byte) bool {
	for _, s := range m.secrets {
		if len(s) > len(rest) && bytes.HasPrefix(s, rest) {
			return true
		}
	}
	return false
}

// match is the length of the longest secret that rest begins with.
func (m *masker) match(rest []byte) int {
	for _, s := range m.secrets {
		if bytes.HasPrefix(rest, s) {
			return len(s)
		}
	}
	return 0
}
