package logframe

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Progress is how far a program says it is.
type Progress struct {
	Percent    float64 // 0 to 100
	Current    *int64  // of Total; bytes where the bar counts bytes; nil where only a percentage was printed
	Total      *int64
	ETASeconds *int64 // the program's own estimate of the time left
	Label      string // what is under way, as printed: "train", "Epoch"; at most 80 bytes
	Rate       string // as printed: "9.99it/s"
}

const (
	maxProgress = 1 << 10 // a progress line is not longer
	maxLabel    = 80
)

// ParseProgress reads a progress bar or counter as Display or Plain shows it. Only known forms are believed, since a wrong percentage
// is worse than none: tqdm, rich and pip, keras, wget, curl, git, rsync, cmake, ninja, a percentage or counter beside a drawn bar, and
// counters named by a word such as "Epoch 3/10" or "step 12/300". Of text that is not progress "loss 3/4" is not taken for it.
func ParseProgress(display string) (Progress, bool) {
	if len(display) > maxProgress {
		display = display[:maxProgress]
	}
	if !mayBeProgress([]byte(display)) {
		return Progress{}, false
	}
	s := display
	if strings.IndexByte(s, esc) >= 0 {
		s = Plain([]byte(s))
	}
	for _, form := range []func(string) (Progress, bool){tqdm, percentage, counter} {
		if p, ok := form(s); ok {
			if p.ETASeconds == nil {
				p.ETASeconds = eta(s)
			}
			if p.Rate == "" {
				p.Rate = rate(s)
			}
			return p, true
		}
	}
	return Progress{}, false
}

// mayBeProgress turns away nearly every line at little cost.
func mayBeProgress(s []byte) bool {
	if i := bytes.IndexByte(s, '%'); i > 0 && (isDigit(s[i-1]) || s[i-1] == ' ') {
		return true
	}
	for at := 0; ; {
		i := bytes.IndexByte(s[at:], '/')
		if i < 0 {
			break
		}
		i += at
		if i > 0 && i+1 < len(s) && (isDigit(s[i-1]) || s[i-1] == ' ') && (isDigit(s[i+1]) || s[i+1] == ' ') {
			return true
		}
		at = i + 1
	}
	i := bytes.Index(s, []byte(" of "))
	return i > 0 && isDigit(s[i-1]) && i+4 < len(s) && isDigit(s[i+4])
}

// tqdm: "load:  42%|████▏     | 21/50 [00:02<00:03, 9.99it/s, loss=0.3]"
func tqdm(s string) (p Progress, ok bool) {
	at := strings.Index(s, "%|")
	if at < 0 {
		return p, false
	}
	start := numberStart(s, at)
	percent, ok := percent(s[start:at])
	if !ok {
		return p, false
	}
	p.Percent = percent
	p.Label = label(s[:start])
	rest := s[at+2:]
	bar := strings.IndexByte(rest, '|')
	if bar < 0 {
		return p, false
	}
	rest = rest[bar+1:]
	if slash := strings.IndexByte(rest, '/'); slash > 0 {
		if c, ok := ratioAt(rest, slash); ok {
			c.into(&p)
		}
	}
	open := strings.IndexByte(rest, '[')
	if open < 0 {
		return p, true
	}
	times, _, _ := strings.Cut(rest[open+1:], "]")
	times, after, _ := strings.Cut(times, ",")
	if _, left, ok := strings.Cut(times, "<"); ok {
		p.ETASeconds = duration(left)
	}
	r, _, _ := strings.Cut(strings.TrimSpace(after), ",")
	if strings.Contains(r, "/") && !strings.HasPrefix(r, "?") {
		p.Rate = r
	}
	return p, true
}

// percentage: "[ 45%] Building", "45% |███  |", "[==>  ] 45%", "Receiving objects: 45% (12/100)", "Progress: 45%", "45% 1.2MB/s eta 3s"
func percentage(s string) (p Progress, ok bool) {
	for from := 0; ; {
		i := strings.IndexByte(s[from:], '%')
		if i < 0 {
			return p, false
		}
		at := from + i
		from = at + 1
		end := at
		if end > 0 && s[end-1] == ' ' {
			end--
		}
		start := numberStart(s, end)
		value, ok := percent(s[start:end])
		if !ok {
			continue
		}
		before, after := s[:start], s[at+1:]
		if !percentEvidence(before, after) {
			continue
		}
		p.Percent = value
		if rate(after) != "" { // rsync
			p.ETASeconds = clockEnd(after)
		}
		p.Label = label(before)
		if p.Label == "" && strings.TrimSpace(before) == "[" {
			p.Label = label(strings.TrimPrefix(after, "]"))
		}
		if c, ok := firstRatio(after); ok {
			c.into(&p)
		} else if c, ok := firstRatio(before); ok {
			c.into(&p)
		}
		return p, true
	}
}

func percentEvidence(before, after string) bool {
	trimmed := strings.TrimSpace(before)
	switch {
	case trimmed == "[" && strings.HasPrefix(after, "]"):
		return true
	case startsWithBar(after), endsWithBar(before):
		return true
	case strings.HasPrefix(after, " (") && strings.HasSuffix(trimmed, ":"): // git
		if c, ok := firstRatio(after); ok && c.start == 2 && c.end < len(after) && (after[c.end] == ')' || after[c.end] == ',') {
			return true
		}
	}
	words := strings.Fields(trimmed)
	if len(words) <= 4 && len(words) > 0 {
		for _, w := range words[max(0, len(words)-2):] { // "Downloading data: 45%"
			if percentWords[strings.ToLower(strings.Trim(w, ":.…-[("))] {
				return true
			}
		}
	}
	if len(words) <= 3 {
		first, _, _ := strings.Cut(strings.TrimLeft(after, " "), " ")
		switch strings.ToLower(strings.Trim(first, ".,:;!")) {
		case "complete", "completed", "done", "finished":
			return true
		}
	}
	return rate(after) != "" && (eta(after) != nil || clockEnd(after) != nil)
}

var percentWords = map[string]bool{"progress": true, "downloading": true, "uploading": true, "extracting": true, "completed": true,
	"complete": true, "download": true, "upload": true, "copying": true, "compressing": true, "installing": true}

// counter: "Epoch 3/10", "step [12/300]", "Epoch: [0][ 10/5005]", "Epoch 3 of 10", "12/100 [===>…] - ETA: 3s", "[12/100] Building",
// "━━━━ 12.3/45.6 MB 3 MB/s eta 0:00:10"
func counter(s string) (p Progress, ok bool) {
	for from := 0; ; {
		c, ok := nextRatio(s, from)
		if !ok {
			return p, false
		}
		from = c.end
		before, after := s[:c.start], s[c.end:]
		word := counterWord(before)
		switch trimmed := strings.TrimSpace(before); {
		case word != "":
		case c.of: // "3 of 10" needs its word
			continue
		case startsWithBar(after), endsWithBar(before):
		case trimmed == "[" && strings.HasPrefix(after, "]"):
		case c.unit && rate(after) != "":
		default:
			continue
		}
		c.into(&p)
		p.Percent = 100 * c.share()
		p.Label = label(before)
		if p.Label == "" && strings.TrimSpace(before) == "[" {
			p.Label = label(strings.TrimPrefix(after, "]"))
		}
		if strings.HasPrefix(strings.ToLower(word), "epoch") && c.current >= 1 && !c.of {
			if inner, ok := nextRatio(s, c.end); ok && counterWord(s[c.end:inner.start]) != "" { // "Epoch [1/10], Step [100/600]"
				p.Percent = 100 * (c.current - 1 + inner.share()) / c.total
			}
		}
		return p, true
	}
}

var counterWords = map[string]bool{"epoch": true, "step": true, "iter": true, "iteration": true, "it": true, "batch": true, "round": true,
	"episode": true, "chunk": true, "fold": true, "trial": true, "task": true, "stage": true, "item": true, "file": true, "image": true,
	"frame": true, "sample": true, "progress": true, "shard": true, "generation": true}

// counterWord is the word a counter is named by when it stands right before it, near the start of the line.
func counterWord(before string) string {
	before = strings.TrimRight(before, " :=#([")
	if i := strings.LastIndexByte(before, '['); i > 0 && strings.HasSuffix(before, "]") { // Epoch: [0][ 10/5005]
		before = strings.TrimRight(before[:i], " :")
	}
	end := len(before)
	start := end
	for start > 0 && isLetter(before[start-1]) {
		start--
	}
	if start == end || start > 64 || start > 0 && (before[start-1] >= utf8.RuneSelf || isDigit(before[start-1])) {
		return ""
	}
	word := strings.ToLower(before[start:end])
	if counterWords[word] || counterWords[strings.TrimSuffix(word, "s")] || word == "batches" || word == "epochs" {
		return before[start:end]
	}
	return ""
}
