package logframe

import (
	"bytes"
	"time"
	"unicode/utf8"
)

const (
	partialEvery = 250 * time.Millisecond
	partialMax   = 4 << 10 // bytes of a partial line that are shown; all of them come with the line itself
	keepArena    = 1 << 20 // a larger one was an exception, and is given back
)

// Assembler makes lines of the output of one process, as it comes, in pieces of any size. What it makes depends only on the bytes and
// the order in which the streams printed them, never on how they were cut into pieces, so after a crash the same spool gives the
// same lines under the same numbers. It keeps at most MaxLine and a little of an unfinished line. Not for use by several goroutines
// at once.
//
//	stdout ─┐                       ┌─ complete lines, in the order they ended
//	        ├─ Feed ─► per stream ──┤
//	stderr ─┘                       └─ the one printed last, unfinished: Partial, at most every 250 ms
type Assembler struct {
	open   [streams]openLine
	recent Stream // the stream that printed last

	lines []Line
	arena []byte // holds the Texts of lines
	spare struct {
		lines []Line
		arena []byte
	}

	shownAt   time.Time // when a Partial line was last given out
	shown     []byte    // its text
	preview   []byte    // memory for the next one
	shownLast bool      // nothing has been completed since, so it still stands under its number
}

// openLine is the unfinished line of one stream.
type openLine struct {
	text  []byte
	time  time.Time // of its last byte
	cut   bool      // it continues a line that was cut
	level Level     // of that line
	leveler
}

// NewAssembler makes an Assembler.
func NewAssembler() *Assembler { return &Assembler{} }

// Feed takes bytes that were printed at a time. p is not kept.
func (a *Assembler) Feed(at time.Time, stream Stream, p []byte) {
	if len(p) == 0 {
		return
	}
	at = at.UTC().Truncate(time.Microsecond)
	o := &a.open[stream]
	a.recent = stream
	for {
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			break
		}
		if len(o.text) == 0 && i <= MaxLine {
			a.add(o, at, stream, p[:i], false)
		} else {
			a.grow(o, at, stream, p[:i])
			a.finish(o, at, stream, false)
		}
		p = p[i+1:]
	}
	if len(p) > 0 {
		a.grow(o, at, stream, p)
	}
}

// Say adds a line of Nightshift's own among the others.
func (a *Assembler) Say(at time.Time, level Level, text string) {
	if len(text) > MaxLine {
		text = text[:MaxLine]
	}
	at = at.UTC().Truncate(time.Microsecond)
	a.lines = append(a.lines, Line{Time: at, Stream: System, Level: level, Text: a.keep([]byte(text))})
}

// Buffered is how many bytes of complete lines wait to be taken.
func (a *Assembler) Buffered() int { return len(a.arena) }

// Idle says that no stream is in the middle of a line and nothing waits to be taken.
func (a *Assembler) Idle() bool {
	for i := range a.open {
		if len(a.open[i].text) > 0 {
			return false
		}
	}
	return len(a.lines) == 0
}

// Take gives the lines completed since it was last called and, when it changed and 250 ms have passed since one was last given, the
// unfinished line as a Partial one at the end. The lines and their Texts are good until the next call but one of Take or Finish.
func (a *Assembler) Take(now time.Time) []Line {
	if len(a.lines) > 0 {
		a.shownLast = false
	}
	if l, ok := a.partial(now); ok {
		a.lines = append(a.lines, l)
	}
	return a.swap()
}

// Finish ends the output: lines still open become the last ones, without a newline. Then all that is left is given.
func (a *Assembler) Finish() []Line {
	for range a.open { // in the order in which they stopped
		oldest := -1
		for i := range a.open {
			if o := &a.open[i]; len(o.text) > 0 && (oldest < 0 || o.time.Before(a.open[oldest].time)) {
				oldest = i
			}
		}
		if oldest < 0 {
			break
		}
		o := &a.open[oldest]
		a.finish(o, o.time, Stream(oldest), true)
	}
	a.shownLast, a.shown = false, a.shown[:0]
	return a.swap()
}

// swap gives out the lines and goes on in the memory of those given out before.
func (a *Assembler) swap() []Line {
	given, arena := a.lines, a.arena
	a.lines, a.arena = a.spare.lines[:0], a.spare.arena[:0]
	if cap(arena) > keepArena {
		given, arena = given[:len(given):len(given)], nil
	}
	a.spare.lines, a.spare.arena = given, arena
	return given
}

// grow adds to the unfinished line and cuts off what is too long. The cut needs to see a little beyond the limit to know that it does
// not go through a character, so that much is waited for: this also makes it independent of how the bytes arrived.
func (a *Assembler) grow(o *openLine, at time.Time, stream Stream, p []byte) {
	o.time = at
	for len(o.text)+len(p) >= MaxLine+utf8.UTFMax {
		n := min(len(p), MaxLine+utf8.UTFMax-len(o.text))
		o.text = append(o.text, p[:n]...)
		p = p[n:]
		a.cut(o, at, stream)
	}
	o.text = append(o.text, p...)
}

func (a *Assembler) cut(o *openLine, at time.Time, stream Stream) {
	n := cutAt(o.text)
	a.add(o, at, stream, o.text[:n], true)
	o.text = o.text[:copy(o.text, o.text[n:])]
}

// finish ends the unfinished line.
func (a *Assembler) finish(o *openLine, at time.Time, stream Stream, noNewline bool) {
	for len(o.text) > MaxLine {
		a.cut(o, at, stream)
	}
	a.add(o, at, stream, o.text, false)
	a.lines[len(a.lines)-1].NoNewline = noNewline
	o.text = o.text[:0]
}

// add makes a line; its pieces all have the level of the first.
func (a *Assembler) add(o *openLine, at time.Time, stream Stream, text []byte, cut bool) {
	level := o.level
	if !o.cut {
		level = o.leveler.level(stream, text)
	}
	o.cut, o.level = cut, level
	a.lines = append(a.lines, Line{Time: at, Stream: stream, Level: level, Cut: cut, Text: a.keep(text)})
}

// keep copies text into the arena. When the arena grows, the Texts made before stay in its old memory.
func (a *Assembler) keep(text []byte) []byte {
	start := len(a.arena)
	a.arena = append(a.arena, text...)
	return a.arena[start:len(a.arena):len(a.arena)]
}

// cutAt says where to cut a line that is too long: at the start of its last redraw where there is one near the end, so that both
// pieces show whole states, and never within a character, an escape sequence, or CR LF.
func cutAt(text []byte) int {
	n := MaxLine
	if i := bytes.LastIndexByte(text[n-n/8:n], '\r'); i >= 0 {
		return n - n/8 + i
	}
	if n+1 == len(text) && text[n] == '\r' { // reached only when a newline follows
		n--
	}
	for i := n - 1; i >= n-(utf8.UTFMax-1); i-- {
		if !utf8.RuneStart(text[i]) {
			continue
		}
		if _, size := utf8.DecodeRune(text[i:]); size > 1 && i+size > n {
			n = i
		}
		break
	}
	if i := bytes.LastIndexByte(text[n-32:n], esc); i >= 0 {
		if start := n - 32 + i; !wholeEscape(text[start:n]) {
			n = start
		}
	}
	return n
}

// wholeEscape says that the CSI sequence text begins with is complete; of other kinds it says so too.
func wholeEscape(text []byte) bool {
	if len(text) < 2 {
		return false
	}
	if text[1] != '[' {
		return true
	}
	for _, c := range text[2:] {
		if c < 0x20 || c >= 0x40 {
			return true
		}
	}
	return false
}

// partial shows the unfinished line of the stream that printed last, or, where that one is not in the middle of a line, of the other:
// a progress bar on standard error stays in view while standard output prints lines.
func (a *Assembler) partial(now time.Time) (Line, bool) {
	stream := a.recent
	for s := range streams {
		if len(a.open[stream].text) == 0 {
			stream = s
		}
	}
	o := &a.open[stream]
	if len(o.text) == 0 || now.Sub(a.shownAt) < partialEvery {
		return Line{}, false
	}
	text := o.text
	for i := 1; i < utf8.UTFMax && i <= len(text); i++ { // a character of which not every byte has come
		if c := text[len(text)-i:]; utf8.RuneStart(c[0]) {
			if !utf8.FullRune(c) {
				text = text[:len(text)-i]
			}
			break
		}
	}
	a.preview = AppendDisplay(a.preview[:0], text, true, partialMax)
	if a.shownLast && bytes.Equal(a.preview, a.shown) {
		return Line{}, false
	}
	a.preview, a.shown = a.shown, a.preview
	a.shownAt, a.shownLast = now, true
	level := o.level
	if !o.cut {
		v := o.leveler // a copy: the line will be judged again when it is complete
		v.scratch = nil
		level = v.level(stream, text)
	}
	return Line{Time: o.time, Stream: stream, Level: level, Partial: true, Text: a.keep(a.shown)}, true
}
