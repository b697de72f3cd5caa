package logframe

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
)

// maxProgress is how much of a line is looked at: bars are short.
const maxProgress = 1024

// Progress is what a progress bar says.
type Progress struct {
	Percent        float64 // 0..100
	Current, Total *int64
	ETASeconds     *int64
	Label          string
}

var (
	// tqdm: «train:  42%|████ | 21/50 [00:02<00:03, 9.99it/s]»
	tqdmForm = regexp.MustCompile(`^(?:(.*?): *)?(\d{1,3})%\|[^|]*\| *(\d+)/(\d+)(?: \[[\d:]+<([\d:?]+))?`)
	// «[ 45%] Building», «45% |####», «Downloading 45%»
	percentForm = regexp.MustCompile(`(?:^|\[ *|^[\w .:-]{0,40}?)(\d{1,3}(?:\.\d+)?) ?%(?:\]|[ |\[(]|$)`)
	// «step 12/300», «Epoch 3/10», «iter 5 / 9»; keras' «12/100 [====>....] - ETA: 3s»
	countForm = regexp.MustCompile(`(?i)^(?:\W{0,3})(step|steps|epoch|iter|iteration|batch|frame|frames|item|file|files|chunk)s?\b[ :#=]*(\d+) ?/ ?(\d+)`)
	kerasForm = regexp.MustCompile(`^ *(\d+)/(\d+) +(?:\[[=>.]+\]|[━╸╺ ]+)`)
	etaForm   = regexp.MustCompile(`(?i)\beta:? *(?:(\d+):)?(\d+):(\d\d)\b|\beta:? *(\d+) ?s`)
)

// mayBeProgress is a cheap look before the real one: most lines are none.
func mayBeProgress(text []byte) bool {
	return bytes.IndexByte(text, '%') >= 0 || bytes.IndexByte(text, '/') >= 0
}

// ParseProgress reads the known forms of progress bars from a line as it is shown; anything else is none.
func ParseProgress(line string) (Progress, bool) {
	if len(line) > maxProgress || !mayBeProgress([]byte(line)) {
		return Progress{}, false
	}
	line = strings.TrimSpace(line)
	if m := tqdmForm.FindStringSubmatch(line); m != nil {
		p := counted(m[3], m[4])
		p.Label = strings.TrimSpace(m[1])
		p.ETASeconds = clock(m[5])
		return p, true
	}
	for _, f := range []*regexp.Regexp{countForm, kerasForm} {
		m := f.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		p := counted(m[len(m)-2], m[len(m)-1])
		if len(m) == 4 {
			p.Label = strings.ToLower(m[1])
		}
		if p.Total == nil || *p.Current > *p.Total {
			return Progress{}, false
		}
		p.ETASeconds = eta(line)
		return p, true
	}
	if m := percentForm.FindStringSubmatch(line); m != nil {
		v, err := strconv.ParseFloat(m[1], 64)
		if err != nil || v > 100 {
			return Progress{}, false
		}
		return Progress{Percent: v, ETASeconds: eta(line)}, true
	}
	return Progress{}, false
}

func counted(current, total string) (p Progress) {
	c, err1 := strconv.ParseInt(current, 10, 64)
	t, err2 := strconv.ParseInt(total, 10, 64)
	if err1 != nil || err2 != nil || t <= 0 {
		return p
	}
	p.Current, p.Total = &c, &t
	p.Percent = min(100, 100*float64(c)/float64(t))
	return p
}

func eta(line string) *int64 {
	m := etaForm.FindStringSubmatch(line)
	if m == nil {
		return nil
	}
	if m[4] != "" {
		return clock(m[4])
	}
	return clock(strings.Trim(m[1]+":"+m[2]+":"+m[3], ":"))
}

// clock reads 3, 02:03 or 1:02:03 as seconds.
func clock(s string) *int64 {
	if s == "" || strings.Contains(s, "?") {
		return nil
	}
	var n int64
	for _, part := range strings.Split(s, ":") {
		v, err := strconv.ParseInt(part, 10, 64)
		if err != nil {
			return nil
		}
		n = n*60 + v
	}
	return &n
}
