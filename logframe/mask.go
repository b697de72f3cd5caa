package logframe

import (
	"slices"
	"strings"
)

// MinSecret is the length in bytes from which a secret is masked; shorter ones occur in innocent text.
const MinSecret = 6

const masked = "***"

// Masker replaces secret values in output by ***, also where a secret is spread over several pieces of it. Of a secret of several
// lines each line of 6 bytes or more is masked by itself as well. A byte is masked when it belongs to any occurrence of any secret;
// occurrences that overlap become one ***.
//
// The secrets are one automaton (Aho-Corasick) over the classes of bytes they contain, so the cost does not grow with their number.
// A nil Masker masks nothing and costs nothing. Not for use by several goroutines at once.
type Masker struct {
	class   [256]uint8 // of each byte; 0: in no secret
	classes int
	next    []int32 // next[state*classes+class]
	depth   []int32 // how many bytes a state stands for: the longest end of what was read that begins a secret
	match   []int32 // length of the longest secret that ends in a state, or 0
	shift   []uint8 // by the last two of six bytes: how far it is at least to where a secret could begin; see skip
	streams [streams]maskState
}

type maskState struct {
	state int32
	held  []byte // raw bytes not yet given out, since a secret may begin with them
	spans []span // what is to be masked in held
	over  int    // bytes at the start of held that belong to a *** already given out
	out   []byte
}

type span struct{ from, to int }

// NewMasker makes a Masker of these secrets; nil when none of them is long enough to be masked.
func NewMasker(secrets ...string) *Masker {
	words := secretWords(secrets)
	if len(words) == 0 {
		return nil
	}
	m := &Masker{classes: 1, shift: slices.Repeat([]uint8{MinSecret - 1}, 1<<16)}
	for _, w := range words {
		for i := range len(w) {
			if m.class[w[i]] == 0 && m.classes < 256 {
				m.class[w[i]] = uint8(m.classes)
				m.classes++
			}
		}
		for i := range MinSecret - 1 {
			pair := &m.shift[uint(w[i])|uint(w[i+1])<<8]
			*pair = min(*pair, uint8(MinSecret-2-i))
		}
	}
	m.build(words)
	return m
}

func secretWords(secrets []string) []string {
	var words []string
	add := func(w string) {
		if len(w) >= MinSecret {
			words = append(words, w)
		}
	}
	for _, s := range secrets {
		add(s)
		if !strings.ContainsAny(s, "\r\n") {
			continue
		}
		add(strings.TrimRight(s, "\r\n")) // as $(cat file) gives it
		for line := range strings.SplitSeq(s, "\n") {
			add(strings.TrimSuffix(line, "\r"))
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

func (m *Masker) build(words []string) {
	m.addState(0)
	for _, w := range words {
		s := int32(0)
		for i := range len(w) {
			at := int(s)*m.classes + int(m.class[w[i]])
			if m.next[at] == 0 {
				m.next[at] = m.addState(int32(i + 1))
			}
			s = m.next[at]
		}
		m.match[s] = int32(len(w))
	}
	// Breadth first: a missing way on is that of the longest shorter end, which is already complete.
	fail := make([]int32, len(m.depth))
	queue := []int32{0}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		for c := range m.classes {
			at := int(s)*m.classes + c
			to := m.next[at]
			if to == 0 {
				m.next[at] = m.next[int(fail[s])*m.classes+c]
				continue
			}
			if s != 0 {
				fail[to] = m.next[int(fail[s])*m.classes+c]
			}
			m.match[to] = max(m.match[to], m.match[fail[to]])
			queue = append(queue, to)
		}
	}
}

func (m *Masker) addState(depth int32) int32 {
	m.next = append(m.next, make([]int32, m.classes)...)
	m.depth = append(m.depth, depth)
	m.match = append(m.match, 0)
	return int32(len(m.depth) - 1)
}

// Mask gives what may be shown of the output so far after p came: an end that could begin a secret waits for the next bytes of that
// stream, or for flush, which ends it. The result may be p itself and is good until the next call for the stream.
func (m *Masker) Mask(stream Stream, p []byte, flush bool) []byte {
	if m == nil {
		return p
	}
	return m.mask(&m.streams[stream], p, flush)
}

// MaskString masks a whole text.
func (m *Masker) MaskString(s string) string {
	if m == nil || len(s) < MinSecret {
		return s
	}
	return string(m.mask(&maskState{}, []byte(s), true))
}

// Idle says that no bytes are waiting.
func (m *Masker) Idle() bool {
	if m != nil {
		for i := range m.streams {
			if len(m.streams[i].held) > 0 {
				return false
			}
		}
	}
	return true
}

func (m *Masker) mask(st *maskState, p []byte, flush bool) []byte {
	fresh := len(st.held) == 0
	text := p
	if !fresh {
		text = append(st.held, p...)
	}
	s, spans := st.state, st.spans
	for i := len(text) - len(p); i < len(text); i++ {
		if s == 0 {
			if i = m.skip(text, i); i >= len(text) {
				break
			}
		}
		s = m.next[int(s)*m.classes+int(m.class[text[i]])]
		if n := int(m.match[s]); n > 0 {
			spans = addSpan(spans, span{i + 1 - n, i + 1})
		}
	}
	sure := len(text) // everything before belongs to no secret that is still to end
	if !flush {
		sure -= int(m.depth[s])
	} else {
		s = 0
	}
	st.state = s
	if fresh && sure == len(text) && len(spans) == 0 {
		return p
	}
	out := st.out[:0]
	at := 0
	rest := spans[:0]
	if st.over > 0 {
		// The *** of a secret has been given out; what overlaps it is part of it.
		for len(spans) > 0 && spans[0].from < st.over {
			st.over = max(st.over, spans[0].to)
			spans = spans[1:]
		}
		at = min(st.over, sure)
		st.over -= at
	}
	for i, sp := range spans {
		if sp.from >= sure {
			for _, later := range spans[i:] {
				rest = append(rest, span{later.from - sure, later.to - sure})
			}
			break
		}
		out = append(append(out, text[at:sp.from]...), masked...)
		at = min(sp.to, sure)
		st.over = sp.to - at
	}
	out = append(out, text[at:sure]...)
	st.held = append(st.held[:0], text[sure:]...)
	st.spans, st.out = rest, out
	return out
}

// skip finds from i on where a secret could begin. The last two of the six bytes from there decide: where no secret has them in that
// place, it can begin only so much later that they stand where it does have them (Wu and Manber). The end of the text always could.
func (m *Masker) skip(text []byte, i int) int {
	for i+MinSecret <= len(text) {
		n := m.shift[uint(text[i+MinSecret-2])|uint(text[i+MinSecret-1])<<8]
		if n == 0 {
			return i
		}
		i += int(n)
	}
	return i
}

// addSpan adds a span that ends after all others, joined with those it overlaps.
func addSpan(spans []span, s span) []span {
	for len(spans) > 0 && spans[len(spans)-1].to > s.from {
		s.from = min(s.from, spans[len(spans)-1].from)
		spans = spans[:len(spans)-1]
	}
	return append(spans, s)
}
