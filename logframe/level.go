package logframe

import "bytes"

// leveler decides how bad the lines of one stream are. A line's own level, where programs put one, wins; without one, a line on
// standard error is an error and one on standard output is not. Not errors although on standard error: progress bars, redrawn
// lines, the shell's trace, and what continues a line that is none.
type leveler struct {
	before    Level // of the line before, which indented lines continue
	traceback bool  // in a Python traceback, up to and with the line that names the exception
	scratch   []byte
}

const tracebackStart = "Traceback (most recent call last):"

func (v *leveler) level(stream Stream, text []byte) Level {
	l := v.judge(stream, text)
	v.before = l
	return l
}

func (v *leveler) judge(stream Stream, text []byte) Level {
	state, redrawn := lastState(text)
	head := v.visibleHead(state)
	indented := len(head) == 0 || head[0] == ' ' || head[0] == '\t'
	if v.traceback {
		v.traceback = indented
		return Error
	}
	// A bar without a newline stands before the traceback of what broke it.
	if bytes.HasSuffix(state, []byte(tracebackStart)) {
		v.traceback = true
		return Error
	}
	if l, ok := ownLevel(head); ok {
		return l
	}
	switch {
	case stream != Stderr:
		return Info
	case redrawn:
		return Info
	case indented && v.before != Info:
		return v.before
	case indented || chatter(head) || isProgress(state):
		return Info
	}
	return Error
}

// chatter knows what well-behaved programs write to standard error all the time.
func chatter(head []byte) bool {
	switch head[0] {
	case '+': // sh -x
		return bytes.HasPrefix(bytes.TrimLeft(head, "+"), []byte(" "))
	case 'w':
		return bytes.HasPrefix(head, []byte("wandb: "))
	case 'C':
		return bytes.HasPrefix(head, []byte("Cloning into '"))
	case 'r':
		return bytes.HasPrefix(head, []byte("remote: "))
	}
	return false
}

// isProgress is ParseProgress for a line of which only that is asked.
func isProgress(text []byte) bool {
	if len(text) > maxProgress {
		text = text[:maxProgress]
	}
	if !mayBeProgress(text) {
		return false
	}
	_, ok := ParseProgress(Plain(text))
	return ok
}

// lastState is what stands after the last carriage return that something follows, and whether there is such a carriage return.
func lastState(text []byte) (state []byte, redrawn bool) {
	if bytes.IndexByte(text, '\r') < 0 {
		return text, false
	}
	text = bytes.TrimRight(text, "\r")
	i := bytes.LastIndexByte(text, '\r')
	return text[i+1:], i >= 0
}

const headSize = 192

// visibleHead is the beginning of a line without escape sequences.
func (v *leveler) visibleHead(text []byte) []byte {
	head := text[:min(len(text), headSize)]
	i := bytes.IndexByte(head, esc)
	if i < 0 {
		return head
	}
	out := append(v.scratch[:0], head[:i]...)
	for text = text[i:]; len(text) > 0 && len(out) < headSize; {
		if text[0] == esc {
			if n, _, _ := parseEscape(text[:min(len(text), headSize)]); n > 0 {
				text = text[n:]
				continue
			}
		}
		out = append(out, text[0])
		text = text[1:]
	}
	v.scratch = out
	return out
}

// ownLevel finds the level a line gives itself: a known word in the place where logging libraries put it. A word inside a sentence is
// none. head is the beginning of the line without escapes.
//
//	2026-11-30 23:58:55,296 - root - WARNING - …   [12:00:01][ERROR] …   W1130 23:58:55.1 12 x.go:3] …   x.c:3:1: error: …
//	└──── time ───────────┘   name   └level┘
func ownLevel(head []byte) (Level, bool) {
	s := trimBlanks(head)
	if len(s) == 0 {
		return Info, false
	}
	switch c := s[0]; {
	case c == '<':
		return syslogLevel(s)
	case c == '{':
		return jsonLevel(s)
	case c >= 0x80:
		return Info, false
	}
	p := prefix{s: s, fresh: true}
	for range 12 {
		p.s = trimBlanks(p.s)
		if len(p.s) == 0 {
			break
		}
		l, verdict := p.step()
		if verdict == found {
			return l, true
		}
		if verdict == stop {
			break
		}
	}
	return Info, false
}

// prefix is how far ownLevel has read.
type prefix struct {
	s         []byte
	fresh     bool // nothing has been read yet
	stamped   bool // a time has been read
	labelled  bool // "name:" has been read
	separated bool // the token just read was - or |
	others    int  // words read that are nothing known: a logger's name
}

type verdict int

const (
	next verdict = iota
	found
	stop
)

func (p *prefix) step() (Level, verdict) {
	fresh := p.fresh
	p.fresh = false
	if c := p.s[0]; (c == '[' || c == '(') && p.others == 0 {
		return p.bracket(c)
	}
	n := 0
	for n < len(p.s) && p.s[n] != ' ' && p.s[n] != '\t' && p.s[n] != '[' {
		n++
	}
	if n == 0 {
		return Info, stop
	}
	token, rest := p.s[:n], p.s[n:]
	separated := p.separated
	p.separated = false
	first := token[0]
	switch {
	case isSeparator(token):
		p.s, p.separated = rest, true
		return Info, next
	case first >= '0' && first <= '9':
		stamp, number := isStamp(token)
		if !stamp && !number {
			break
		}
		p.stamped = p.stamped || stamp
		p.s = rest
		return Info, next
	case isLetter(first):
		if l, ok := p.word(token, rest, separated); ok {
			return l, found
		}
		if l, ok := klogLevel(token, rest, p.stamped); ok {
			return l, found
		}
		if fresh && isLogfmt(token) {
			if l, ok := logfmtLevel(p.s); ok {
				return l, found
			}
			return Info, stop
		}
		if isMonth(token) || string(token) == "npm" {
			p.s = rest
			return Info, next
		}
	}
	if token[n-1] == ':' && p.others == 0 && !p.labelled { // x.c:3:1: error, slurmstepd: error
		p.s, p.labelled = rest, true
		return Info, next
	}
	if !p.stamped && !separated || p.others == 2 {
		return Info, stop
	}
	p.others++
	p.s = rest
	return Info, next
}

// bracket reads [12:00:01], [WARN], [main], [2026-11-30 INFO x], [W1130 …].
func (p *prefix) bracket(open byte) (Level, verdict) {
	shut := byte(']')
	if open == '(' {
		shut = ')'
	}
	end := bytes.IndexByte(p.s[:min(len(p.s), 80)], shut)
	if end < 0 {
		end = len(p.s) // klog's and others' that do not fit: look inside all the same
		if open == '(' || end > 80 {
			return Info, stop
		}
	}
	inside := bytes.Trim(p.s[1:end], " ")
	if l, ok := levelWord(inside); ok && open == '[' {
		return l, found
	}
	for i, tok := range fieldsUpTo(inside, 4) {
		if open == '(' {
			break
		}
		if l, ok := levelWord(tok); ok && isUpper(tok) {
			return l, found
		}
		if l, ok := klogLevel(tok, inside[min(len(inside), len(tok)):], false); ok && i == 0 {
			return l, found
		}
		if i == 0 && len(tok) == 1 && len(inside) > 2 && inside[2] >= '0' && inside[2] <= '9' { // [W 2026-11-30 …]
			if l, ok := letterLevel(tok[0]); ok {
				return l, found
			}
		}
		if stamp, _ := isStamp(tok); stamp {
			p.stamped = true
		}
	}
	p.s = bytes.TrimLeft(p.s[min(end+1, len(p.s)):], ":")
	return Info, next
}

// word judges a token that begins with a letter.
func (p *prefix) word(token, rest []byte, separated bool) (Level, bool) {
	n := 0
	for n < len(token) && isLetter(token[n]) {
		n++
	}
	word, after := token[:n], token[n:]
	l, known := levelWord(word)
	if !known {
		if p.others > 0 {
			return Info, false
		}
		return exceptionLevel(token, rest)
	}
	following := byte(' ')
	if len(after) > 0 {
		following = after[0]
	} else if len(rest) > 0 {
		following = rest[0]
	}
	upper := isUpper(word)
	switch {
	case p.others > 0: // 2026-11-30 12:00:00 - name - ERROR - text; 2026-11-30 12:00:00 name ERROR text
		if !upper || len(word) < 4 || len(after) > 0 && following != ':' {
			return Info, false
		}
		return l, p.stamped && p.others == 1 && !separated || separated && (following == ':' || startsSeparator(rest))
	case upper:
		return l, following == ' ' || following == '\t' || following == ':' || following == '[' || following == '|' || following == '!'
	case following == '[':
		return l, len(after) == 0 && !p.labelled // error[E0308]
	case following == ':':
		return l, !isNumber(after[1:], rest) // "error: 0.12" is a measurement
	case p.labelled && string(word) == "warn" || p.labelled && string(word) == "error":
		return Info, false
	case p.stamped && following == '\t':
		return l, true
	case p.stamped && startsSeparator(rest):
		return l, true
	case string(word) == "fatal" && bytes.HasPrefix(rest, []byte(" error:")):
		return Error, true
	}
	return Info, false
}
