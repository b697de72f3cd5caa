package logframe

import "bytes"

// The ways in which programs write a level, one function each.

// exceptionLevel knows "ValueError: bad", "java.lang.IllegalStateException", "x.UserWarning: old".
func exceptionLevel(token, rest []byte) (Level, bool) {
	name, colon := bytes.CutSuffix(token, []byte(":"))
	if !colon && len(bytes.TrimLeft(rest, " \r")) > 0 {
		if string(token) == "Exception" && bytes.HasPrefix(rest, []byte(" in thread ")) {
			return Error, true
		}
		return Error, string(token) == "Caused" && bytes.HasPrefix(rest, []byte(" by: "))
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
	rest = trimBlanks(rest)
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

func trimBlanks(s []byte) []byte {
	for len(s) > 0 && (s[0] == ' ' || s[0] == '\t') {
		s = s[1:]
	}
	return s
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
	rest = trimBlanks(rest)
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
			s = trimBlanks(s)
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
