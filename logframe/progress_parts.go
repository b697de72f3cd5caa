package logframe

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// The parts progress bars are made of: counts, labels, drawn bars, times, rates.

// ratio is "12/300" or "12.3/45.6 MB" or "3 of 10".
type ratio struct {
	current, total float64
	start, end     int
	unit, of       bool
}

func (c ratio) share() float64 { return c.current / c.total }

func (c ratio) into(p *Progress) {
	current, total := int64(c.current), int64(c.total)
	p.Current, p.Total = &current, &total
}

func firstRatio(s string) (ratio, bool) { return nextRatio(s, 0) }

func nextRatio(s string, from int) (ratio, bool) {
	for at := from; at < len(s); at++ {
		if s[at] == '/' {
			if c, ok := ratioAt(s, at); ok && c.start >= from {
				return c, true
			}
		} else if strings.HasPrefix(s[at:], " of ") && at > from {
			c, ok := ratioOf(s, at)
			if ok && c.start >= from {
				return c, true
			}
		}
	}
	return ratio{}, false
}

func ratioAt(s string, slash int) (c ratio, ok bool) {
	left, right := slash, slash+1
	if left > 1 && s[left-1] == ' ' && right < len(s) && s[right] == ' ' { // 12 / 300
		left, right = left-1, right+1
	}
	return ratioOfParts(s, left, right)
}

func ratioOf(s string, at int) (ratio, bool) {
	c, ok := ratioOfParts(s, at, at+4)
	c.of = true
	return c, ok
}

func ratioOfParts(s string, left, right int) (c ratio, ok bool) {
	i := left
	for i > 0 && (isDigit(s[i-1]) || s[i-1] == '.' || isUnit(s[i-1])) {
		i--
	}
	for i < left && !isDigit(s[i]) {
		i++
	}
	c.start = i
	if i > 0 && (isLetter(s[i-1]) || s[i-1] == '/' || s[i-1] == '.' || s[i-1] == '-' || s[i-1] == '_' || s[i-1] == ',') {
		return c, false
	}
	current, n, unit1, ok := quantity(s[i:left])
	if !ok || n != left-i {
		return c, false
	}
	total, n, unit2, ok := quantity(s[right:])
	if !ok {
		return c, false
	}
	c.end = right + n
	if c.end < len(s) {
		if next := s[c.end]; isLetter(next) || isDigit(next) || next == '/' || next == '_' || next == '-' ||
			next == '.' && c.end+1 < len(s) && isDigit(s[c.end+1]) {
			return c, false
		}
	}
	if total <= 0 || current < 0 || current > total || total > 1e18 {
		return c, false
	}
	if unit1 == 0 && unit2 > 0 { // 12.3/45.6 MB
		current *= unit2
	} else if unit1 > 0 {
		current *= unit1
	}
	if unit2 > 0 {
		total *= unit2
	}
	if current > total || total > 1e18 {
		return c, false
	}
	c.current, c.total, c.unit = current, total, unit1 > 0 || unit2 > 0
	return c, true
}

// quantity reads "12", "1.5k", "45.6 MB", "3GiB"; unit is what the number is to be multiplied by, 0 where there was none.
func quantity(s string) (value float64, n int, unit float64, ok bool) {
	for n < len(s) && (isDigit(s[n]) || s[n] == '.' && n > 0 && n+1 < len(s) && isDigit(s[n+1])) {
		n++
	}
	if n == 0 || n > 18 {
		return 0, 0, 0, false
	}
	value, err := strconv.ParseFloat(s[:n], 64)
	if err != nil {
		return 0, 0, 0, false
	}
	i := n
	if i < len(s) && s[i] == ' ' {
		i++
	}
	factor := 1.0
	switch {
	case i == len(s):
		return value, n, 0, true
	case s[i] == 'k' || s[i] == 'K':
		factor = 1e3
	case s[i] == 'M':
		factor = 1e6
	case s[i] == 'G':
		factor = 1e9
	case s[i] == 'T':
		factor = 1e12
	}
	j := i
	if factor > 1 {
		j++
		if j+1 < len(s) && s[j] == 'i' && s[j+1] == 'B' {
			j++
			factor = map[float64]float64{1e3: 1 << 10, 1e6: 1 << 20, 1e9: 1 << 30, 1e12: 1 << 40}[factor]
		}
	}
	if j < len(s) && s[j] == 'B' {
		j++
	} else if factor == 1 || i > n { // no unit, or a word that begins with such a letter
		return value, n, 0, true
	}
	if j < len(s) && (isLetter(s[j]) || s[j] == '/') { // a rate, or a word
		return value, n, 0, true
	}
	return value, j, factor, true
}

func isUnit(c byte) bool {
	return c == 'k' || c == 'K' || c == 'M' || c == 'G' || c == 'T' || c == 'B' || c == 'i'
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// numberStart is where the number that ends at end begins.
func numberStart(s string, end int) int {
	whole := end
	for end > 0 && (isDigit(s[end-1]) || s[end-1] == '.') {
		end--
	}
	if end > 0 && (isLetter(s[end-1]) || s[end-1] == '-' || s[end-1] == '+' || s[end-1] == '/' || s[end-1] == '_') {
		return whole // part of something else: leaves nothing to parse
	}
	return end
}

func percent(s string) (float64, bool) {
	if len(s) == 0 || len(s) > 8 {
		return 0, false
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil && v >= 0 && v <= 100
}

// label is the words before a counter or bar, without what is drawn and without a log line's time and level.
func label(s string) string {
	s = strings.TrimRight(s, " ")
	if endsWithBar(s) && strings.HasSuffix(s, "]") {
		s = s[:strings.LastIndexByte(s, '[')]
	}
	s = strings.TrimFunc(s, func(r rune) bool { return strings.ContainsRune(" \t:=#([|-.…", r) || isBarRune(r) })
	if i := strings.IndexFunc(s, isBarRune); i > 0 {
		s = strings.TrimRight(s[:i], " :[|")
	}
	if i := strings.LastIndexByte(s, '['); i > 0 && strings.HasSuffix(s, "]") && strings.Trim(s[i+1:len(s)-1], "0123456789 ") == "" {
		s = strings.TrimRight(s[:i], " :")
	}
	s = strings.TrimRight(s, " :")
	// A time and a level are no part of what is under way.
	for {
		first, rest, ok := strings.Cut(s, " ")
		if !ok {
			break
		}
		stamp, _ := isStamp([]byte(strings.Trim(first, "[]")))
		_, level := levelWord([]byte(strings.Trim(first, "[]:")))
		if !stamp && !level && first != "-" && first != "|" {
			break
		}
		s = strings.TrimLeft(rest, " ")
	}
	if !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf || isLetter(byte(r)) }) {
		return ""
	}
	if len(s) > maxLabel {
		s = strings.ToValidUTF8(s[:maxLabel], "")
	}
	return s
}

func isBarRune(r rune) bool {
	return r >= 0x2580 && r <= 0x259f || r >= 0x2800 && r <= 0x28ff || strings.ContainsRune("━╸╺─■□▰▱", r)
}

// startsWithBar and endsWithBar know a drawn bar: characters that only draw, or [===>  ] and |###  |.
func startsWithBar(s string) bool {
	s = strings.TrimLeft(strings.TrimPrefix(s, "]"), " ")
	if s == "" {
		return false
	}
	if shut := closing(s[0]); shut != 0 {
		end := strings.IndexByte(s[1:], shut)
		return end > 0 && isBarInside(s[1:1+end])
	}
	n := 0
	for _, r := range s {
		if !isBarRune(r) {
			break
		}
		n++
	}
	return n >= 3
}

func endsWithBar(s string) bool {
	s = strings.TrimSuffix(strings.TrimRight(s, " "), "[")
	s = strings.TrimRight(s, " ")
	if s == "" {
		return false
	}
	if last := s[len(s)-1]; last == ']' || last == '|' {
		open := byte('[')
		if last == '|' {
			open = '|'
		}
		i := strings.LastIndexByte(s[:len(s)-1], open)
		return i >= 0 && isBarInside(s[i+1:len(s)-1])
	}
	if strings.Trim(s, "# ") == "" { // curl: the whole line so far
		return true
	}
	n := 0
	for s != "" {
		r, size := utf8.DecodeLastRuneInString(s)
		if !isBarRune(r) {
			break
		}
		n++
		s = s[:len(s)-size]
	}
	return n >= 3
}

func closing(open byte) byte {
	switch open {
	case '[':
		return ']'
	case '|':
		return '|'
	}
	return 0
}

func isBarInside(s string) bool {
	n := 0
	for _, r := range s {
		if !isBarRune(r) && !strings.ContainsRune(" =>#-.*o<", r) {
			return false
		}
		n++
	}
	return n >= 4
}

// eta finds the time left where it is named: "eta 0:00:10", "ETA: 3s", "00:10 ETA", "(~3s", rich's clock at the end after a bar.
func eta(s string) *int64 {
	lower := strings.ToLower(s)
	if len(lower) != len(s) {
		lower = s
	}
	for from := 0; ; {
		i := strings.Index(lower[from:], "eta")
		if i < 0 {
			break
		}
		at := from + i
		from = at + 3
		if at > 0 && isLetter(s[at-1]) || at+3 < len(s) && isLetter(s[at+3]) {
			continue
		}
		if d := duration(strings.TrimLeft(s[at+3:], " :=-")); d != nil {
			return d
		}
		if before := strings.Fields(s[:at]); len(before) > 0 {
			if d := duration(before[len(before)-1]); d != nil {
				return d
			}
		}
	}
	if _, left, ok := strings.Cut(s, "(~"); ok {
		return duration(left)
	}
	if strings.ContainsFunc(s, isBarRune) {
		return clockEnd(s)
	}
	return nil
}

// clockEnd is a time of the form 0:00:10 at the end of a line.
func clockEnd(s string) *int64 {
	f := strings.Fields(s)
	if len(f) == 0 || strings.Count(f[len(f)-1], ":") != 2 {
		return nil
	}
	return duration(f[len(f)-1])
}

// duration reads seconds of "0:00:10", "00:03", "1d 02:03:04", "3s", "1m 3s", "2h5m"; nil for what is none, as "?" and "-:--:--".
func duration(s string) *int64 {
	var total, clock, part int64
	digits, colons, any := 0, 0, false
	for i := 0; i <= len(s); i++ {
		c := byte(0)
		if i < len(s) {
			c = s[i]
		}
		switch {
		case isDigit(c):
			if digits++; digits > 9 {
				return nil
			}
			part = part*10 + int64(c-'0')
			continue
		case c == ':' && digits > 0:
			if clock, colons = (clock+part)*60, colons+1; colons > 2 {
				return nil
			}
			part, digits = 0, 0
			continue
		case digits > 0 && colons == 0 && (c == 'd' || c == 'h' || c == 'm' || c == 's') && (i+1 == len(s) || !isLetter(s[i+1])):
			total += part * map[byte]int64{'d': 86400, 'h': 3600, 'm': 60, 's': 1}[c]
			part, digits, any = 0, 0, true
			continue
		case c == ' ' && digits == 0 && any:
			continue
		}
		break
	}
	if digits > 0 && colons > 0 {
		total, any = total+clock+part, true
	}
	if !any {
		return nil
	}
	return &total
}

// rate finds "3 MB/s", "9.99it/s", "10ms/step".
func rate(s string) string {
	f := strings.Fields(s)
	for i, w := range f {
		w = strings.Trim(w, "[](),;")
		if !strings.HasSuffix(w, "/s") && !strings.HasSuffix(w, "s/it") && !strings.HasSuffix(w, "s/step") || len(w) > 24 || len(w) < 3 {
			continue
		}
		if isDigit(w[0]) {
			return w
		}
		if i > 0 && isDigit(f[i-1][0]) && len(f[i-1]) < 16 {
			return f[i-1] + " " + w
		}
	}
	return ""
}
