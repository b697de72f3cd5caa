package logframe

import "bytes"

// leveler decides how bad the lines of one stream are. A line's own level, where programs put one, wins; without one, a line on
// standard error is an error and one on standard output is not. Not errors although on standard error: progress bars, redrawn
// lines, the shell's trace, and what continues a line that is none.
type leveler struct {
	before    Level // of the line before, which indented lines continue
	traceback bool  // in a Python traceback, up to and with the line that names the exception
}

const tracebackStart = "Traceback (most recent call last):"

func (v *leveler) level(stream Stream, text []byte) Level {
	l := v.judge(stream, text)
	v.before = l
	return l
}

func (v *leveler) judge(stream Stream, text []byte) Level {
	state, redrawn := lastState(text)
	var buf [headSize]byte
	head := visibleHead(&buf, state)
	indented := len(head) == 0 || head[0] == ' ' || head[0] == '\t'
	if v.traceback {
		v.traceback = indented
		return Error
	}
	// A bar without a newline stands before the traceback of what broke it.
	if len(state) >= len(tracebackStart) && bytes.HasSuffix(bytes.TrimRight(state, "\r "), []byte(tracebackStart)) {
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
func visibleHead(buf *[headSize]byte, text []byte) []byte {
	head := text[:min(len(text), headSize)]
	i := bytes.IndexByte(head, esc)
	if i < 0 {
		return head
	}
	out := append(buf[:0], head[:i]...)
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
	return out
}

// ownLevel finds the level a line gives itself: a known word in the place where logging libraries put it. A word inside a sentence is
// none. head is the beginning of the line without escapes.
//
//	2026-11-30 23:58:55,296 - root - WARNING - …   [12:00:01][ERROR] …   W1130 23:58:55.1 12 x.go:3] …   x.c:3:1: error: …
//	└──── time ───────────┘   name   └level┘
func ownLevel(head []byte) (Level, bool) {
	s := bytes.TrimLeft(head, " \t")
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
		p.s = bytes.TrimLeft(p.s, " \t")
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

// exceptionLevel knows "ValueError: bad", "java.lang.IllegalStateException", "x.UserWarning: old".
func exceptionLevel(token, rest []byte) (Level, bool) {
	name, colon := bytes.CutSuffix(token, []byte(":"))
	if !colon && len(bytes.TrimLeft(rest, " \r")) > 0 {
		if string(token) == "Exception" && bytes.HasPrefix(rest, []byte(" in thread ")) {
			return Error, true
		}
		return Info, string(token) == "Caused" && bytes.HasPrefix(rest, []byte(" by: "))
	}
	for _, c := range name {
		if !isLetter(c) && (c < '0' || c > '9') && c != '_' && c != '.' && c != '$' {
			return Info, false
		}
	}
	if c := name[bytes.LastIndexByte(name, '.')+1:]; len(c) == 0 || c[0] < 'A' || c[0] > 'Z' {
		return Info, false
	}
	switch {
	case bytes.HasSuffix(name, []byte("Error")), bytes.HasSuffix(name, []byte("Exception")), string(name) == "KeyboardInterrupt":
		return Error, true
	case colon && bytes.HasSuffix(name, []byte("Warning")):
		return Warning, true
	}
	return Info, false
}

// klogLevel knows W1130 23:58:55.1 (klog, glog, torch) and, after a time, a letter alone (TensorFlow, Android).
func klogLevel(token, rest []byte, stamped bool) (Level, bool) {
	l, ok := letterLevel(token[0])
	if !ok {
		return Info, false
	}
	if len(token) == 1 {
		return l, stamped && len(rest) > 1 && rest[0] == ' '
	}
	if len(token) != 5 && len(token) != 9 {
		return Info, false
	}
	for _, c := range token[1:] {
		if c < '0' || c > '9' {
			return Info, false
		}
	}
	rest = bytes.TrimLeft(rest, " ")
	return l, len(rest) > 5 && rest[2] == ':' && rest[0] >= '0' && rest[0] <= '9'
}

func letterLevel(c byte) (Level, bool) {
	switch c {
	case 'I', 'D', 'V':
		return Info, true
	case 'W':
		return Warning, true
	case 'E', 'F':
		return Error, true
	}
	return Info, false
}

// syslogLevel knows <3>, the kernel's and systemd's, with or without a facility.
func syslogLevel(s []byte) (Level, bool) {
	n, i := 0, 1
	for ; i < len(s) && i < 4 && s[i] >= '0' && s[i] <= '9'; i++ {
		n = n*10 + int(s[i]-'0')
	}
	if i == 1 || i == len(s) || s[i] != '>' || n > 191 {
		return Info, false
	}
	return severity(n % 8), true
}

func severity(n int) Level {
	switch {
	case n <= 3:
		return Error
	case n == 4:
		return Warning
	}
	return Info
}

var jsonKeys = [][]byte{[]byte(`"level"`), []byte(`"severity"`), []byte(`"levelname"`), []byte(`"lvl"`), []byte(`"log.level"`)}

// jsonLevel looks for the usual keys in the head of a JSON line. A number is syslog's below 10, pino's and bunyan's from there.
func jsonLevel(s []byte) (Level, bool) {
	for _, key := range jsonKeys {
		i := bytes.Index(s, key)
		if i < 0 {
			continue
		}
		v := bytes.TrimLeft(s[i+len(key):], " ")
		if len(v) < 2 || v[0] != ':' {
			continue
		}
		v = bytes.TrimLeft(v[1:], " ")
		if len(v) == 0 {
			continue
		}
		if v[0] == '"' {
			if end := bytes.IndexByte(v[1:], '"'); end > 0 {
				if l, ok := levelWord(v[1 : 1+end]); ok {
					return l, true
				}
			}
			continue
		}
		n, digits := 0, 0
		for digits < len(v) && digits < 3 && v[digits] >= '0' && v[digits] <= '9' {
			n = n*10 + int(v[digits]-'0')
			digits++
		}
		switch {
		case digits == 0:
			continue
		case n < 10:
			return severity(n), true
		case n >= 50:
			return Error, true
		case n >= 40:
			return Warning, true
		}
		return Info, true
	}
	return Info, false
}

func isLogfmt(token []byte) bool {
	i := bytes.IndexByte(token, '=')
	return i > 0 && i < 16
}

var logfmtKeys = [][]byte{[]byte("level="), []byte("lvl="), []byte("severity=")}

func logfmtLevel(s []byte) (Level, bool) {
	for _, key := range logfmtKeys {
		i := bytes.Index(s, key)
		if i < 0 || i > 0 && s[i-1] != ' ' {
			continue
		}
		v := bytes.TrimLeft(s[i+len(key):], `"`)
		n := 0
		for n < len(v) && isLetter(v[n]) {
			n++
		}
		if l, ok := levelWord(v[:n]); ok {
			return l, true
		}
	}
	return Info, false
}

// levelWord knows the names of levels, in any case.
func levelWord(w []byte) (Level, bool) {
	if len(w) < 3 || len(w) > 11 {
		return Info, false
	}
	var lower [11]byte
	for i, c := range w {
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		lower[i] = c
	}
	switch string(lower[:len(w)]) {
	case "info", "inf", "debug", "dbg", "dbug", "trace", "trc", "notice", "verbose", "information", "success":
		return Info, true
	case "warn", "warning", "wrn":
		return Warning, true
	case "error", "err", "fatal", "ftl", "critical", "crit", "panic", "fail", "severe", "emerg", "alert":
		return Error, true
	}
	return Info, false
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isUpper(w []byte) bool {
	for _, c := range w {
		if c < 'A' || c > 'Z' {
			return false
		}
	}
	return true
}

func isSeparator(token []byte) bool {
	return len(token) == 1 && (token[0] == '-' || token[0] == '|' || token[0] == ':') || string(token) == "--" || string(token) == "---"
}

func startsSeparator(rest []byte) bool {
	rest = bytes.TrimLeft(rest, " ")
	return len(rest) > 0 && (rest[0] == '|' || rest[0] == '-' && (len(rest) == 1 || rest[1] == ' ' || rest[1] == '-'))
}

// isStamp knows dates and times by their signs: at least two of : - / among digits. number is one without, a process id.
func isStamp(token []byte) (stamp, number bool) {
	signs := 0
	for i, c := range token {
		switch {
		case c >= '0' && c <= '9', c == '.', c == ',', c == '+', c == ';':
		case c == ':', c == '-', c == '/':
			signs++
		case c == 'T', c == 'Z', c == 'A', c == 'P', c == 'M', c == ']':
			if i == 0 {
				return false, false
			}
		default:
			return false, false
		}
	}
	return signs >= 2 || signs == 1 && token[len(token)-1] == 'M', signs == 0
}

func isMonth(token []byte) bool {
	switch string(token) {
	case "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec":
		return true
	}
	return false
}

// isNumber says that nothing but one number stands in a and b together.
func isNumber(a, b []byte) bool {
	digits := 0
	for _, part := range [2][]byte{a, bytes.TrimSpace(b)} {
		for _, c := range part {
			switch {
			case c >= '0' && c <= '9':
				digits++
			case c == '.' || c == '-' || c == '+' || c == 'e' || c == '%':
			default:
				return false
			}
		}
	}
	return digits > 0
}

// fieldsUpTo goes over the first fields of s.
func fieldsUpTo(s []byte, most int) func(func(int, []byte) bool) {
	return func(yield func(int, []byte) bool) {
		for i := range most {
			s = bytes.TrimLeft(s, " ")
			if len(s) == 0 {
				return
			}
			n := bytes.IndexByte(s, ' ')
			if n < 0 {
				n = len(s)
			}
			if !yield(i, s[:n]) {
				return
			}
			s = s[n:]
		}
	}
}
