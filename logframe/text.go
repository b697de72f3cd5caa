package logframe

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"
)

// timeLayout is RFC 3339 with all six digits, so that rows sort as text.
const timeLayout = "2006-01-02T15:04:05.000000Z07:00"

// ParseText reads the TEXT encoding: a line each, time TAB level TAB message, with \t \n \r \\ for those characters inside the
// message. The time is RFC 3339 or empty for now; the level INFO, WARNING, ERROR or empty for INFO. Lines count as standard output.
// The error says which line is wrong and how; it is ErrMalformed, or ErrTooLarge for a message over MaxLine or more than maxLines.
func ParseText(data string, now time.Time, maxLines int) ([]Line, error) {
	data = strings.TrimSuffix(data, "\n")
	if data == "" {
		return nil, nil
	}
	n := strings.Count(data, "\n") + 1
	if n > maxLines {
		return nil, fmt.Errorf("%w: %d lines, at most %d are accepted", ErrTooLarge, n, maxLines)
	}
	now = now.UTC().Truncate(time.Microsecond)
	lines := make([]Line, 0, n)
	texts := make([]byte, 0, len(data)) // unescaping only makes shorter, so it never grows and the slices into it stay good
	for row := range strings.SplitSeq(data, "\n") {
		at := len(lines) + 1
		row = strings.TrimSuffix(row, "\r") // a file with CRLF; one that is meant is written \r
		stamp, rest, ok1 := strings.Cut(row, "\t")
		name, message, ok2 := strings.Cut(rest, "\t")
		if !ok1 || !ok2 {
			return nil, textError(at, "is not time TAB level TAB message")
		}
		l := Line{Time: now}
		if stamp != "" {
			t, err := time.Parse(time.RFC3339Nano, stamp)
			if err != nil {
				return nil, textError(at, "has a time that is not RFC 3339: %.40q", stamp)
			}
			l.Time = t.UTC().Truncate(time.Microsecond)
		}
		if us := l.Time.UnixMicro(); us < -maxMicros || us > maxMicros {
			return nil, textError(at, "has a time out of range: %.40q", stamp)
		}
		level, ok := ParseLevel(name)
		if !ok {
			return nil, textError(at, "has an unknown level %.20q: INFO, WARNING or ERROR", name)
		}
		l.Level = level
		start := len(texts)
		if texts, ok = appendUnescaped(texts, message); !ok {
			return nil, textError(at, `has a backslash that is not one of \t \n \r \\`)
		}
		if l.Text = texts[start:len(texts):len(texts)]; len(l.Text) > MaxLine {
			return nil, fmt.Errorf("%w: line %d has %d bytes, at most %d are accepted", ErrTooLarge, at, len(l.Text), MaxLine)
		}
		lines = append(lines, l)
	}
	return lines, nil
}

func textError(line int, format string, args ...any) error {
	return fmt.Errorf("%w: line %d %s", ErrMalformed, line, fmt.Sprintf(format, args...))
}

func appendUnescaped(dst []byte, s string) ([]byte, bool) {
	for {
		i := strings.IndexByte(s, '\\')
		if i < 0 {
			return append(dst, s...), true
		}
		dst = append(dst, s[:i]...)
		if i+1 == len(s) {
			return dst, false
		}
		switch s[i+1] {
		case 't':
			dst = append(dst, '\t')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case '\\':
			dst = append(dst, '\\')
		default:
			return dst, false
		}
		s = s[i+2:]
	}
}

// AppendTSV appends the row of a line, ending in a newline: what ParseText reads, and the readable download. Invalid UTF-8 becomes
// U+FFFD and NUL U+2400, since a text file with either is taken for a binary one; everything else stays as it was printed.
func AppendTSV(dst []byte, l *Line) []byte {
	return append(appendMessage(appendHead(dst, l), l.Text), '\n')
}

func appendHead(dst []byte, l *Line) []byte {
	dst = l.Time.UTC().AppendFormat(dst, timeLayout)
	dst = append(dst, '\t')
	dst = append(dst, l.Level.String()...)
	return append(dst, '\t')
}

func appendMessage(dst, text []byte) []byte {
	for len(text) > 0 {
		i := 0
		for i < len(text) && plainTSV[text[i]] {
			i++
		}
		dst = append(dst, text[:i]...)
		if text = text[i:]; len(text) == 0 {
			break
		}
		size := 1
		switch c := text[0]; c {
		case '\t':
			dst = append(dst, `\t`...)
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		case '\\':
			dst = append(dst, `\\`...)
		case 0:
			dst = append(dst, "␀"...)
		default:
			var r rune
			r, size = utf8.DecodeRune(text)
			dst = utf8.AppendRune(dst, r)
		}
		text = text[size:]
	}
	return dst
}

var plainTSV = func() (t [256]bool) {
	for c := 1; c < utf8.RuneSelf; c++ {
		t[c] = c != '\t' && c != '\n' && c != '\r' && c != '\\'
	}
	return t
}()

// maxHeld bounds what TSVWriter keeps of other lines while a cut one goes on.
const maxHeld = 1 << 20

// TSVWriter writes the readable download. The pieces of a cut line become one row again, with the first piece's time and level;
// lines of other streams that came between the pieces follow after it. Where more than 1 MiB of those would have to wait, the
// row ends early and its rest makes another row, so memory stays bounded whatever was printed. A Partial line makes a row.
type TSVWriter struct {
	w    io.Writer
	open bool   // a row of cut pieces is being written
	of   Stream // whose
	held []Line // lines of other streams waiting for its end, copied
	size int
	buf  []byte
}

// NewTSVWriter makes a TSVWriter. It writes about 32 KiB at a time; w needs no buffer.
func NewTSVWriter(w io.Writer) *TSVWriter { return &TSVWriter{w: w} }

// Write adds a line; its Text is not kept.
func (t *TSVWriter) Write(l *Line) error {
	t.add(l)
	if t.size > maxHeld {
		t.endRow()
	}
	return t.drain(false)
}

func (t *TSVWriter) add(l *Line) {
	switch {
	case !t.open:
		t.buf = appendMessage(appendHead(t.buf, l), l.Text)
		t.open, t.of = true, l.Stream
	case l.Stream == t.of:
		t.buf = appendMessage(t.buf, l.Text)
	default:
		c := *l
		c.Text = bytes.Clone(l.Text)
		t.held = append(t.held, c)
		t.size += len(c.Text) + lineOverhead
		return
	}
	if !l.Cut {
		t.endRow()
	}
}

// endRow ends the open row, then adds the lines that waited for its end. One of them may open the next row and the others wait on:
// each time those of one stream fewer, so this calls itself no deeper than there are streams.
func (t *TSVWriter) endRow() {
	t.buf = append(t.buf, '\n')
	t.open = false
	held := t.held
	t.held, t.size = nil, 0
	for i := range held {
		t.add(&held[i])
	}
}

func (t *TSVWriter) drain(all bool) error {
	if len(t.buf) == 0 || !all && len(t.buf) < 32<<10 {
		return nil
	}
	_, err := t.w.Write(t.buf)
	t.buf = t.buf[:0]
	return err
}

// Close writes what is left. It does not close the writer below.
func (t *TSVWriter) Close() error {
	for t.open {
		t.endRow()
	}
	return t.drain(true)
}

// RawWriter writes what was printed, byte for byte: one stream exactly, or both in the order in which lines were completed. Lines of
// Nightshift's own are left out.
type RawWriter struct {
	w       io.Writer
	streams [streams]bool
	buf     []byte
}

// NewRawWriter makes a RawWriter of these streams; none means standard output and standard error.
func NewRawWriter(w io.Writer, only ...Stream) *RawWriter {
	r := &RawWriter{w: w}
	if len(only) == 0 {
		only = []Stream{Stdout, Stderr}
	}
	for _, s := range only {
		r.streams[s] = true
	}
	return r
}

// Write adds a line; its Text is not kept.
func (r *RawWriter) Write(l *Line) error {
	if !r.streams[l.Stream] {
		return nil
	}
	r.buf = append(r.buf, l.Text...)
	if l.EndsInNewline() {
		r.buf = append(r.buf, '\n')
	}
	return r.drain(false)
}

func (r *RawWriter) drain(all bool) error {
	if len(r.buf) == 0 || !all && len(r.buf) < 32<<10 {
		return nil
	}
	_, err := r.w.Write(r.buf)
	r.buf = r.buf[:0]
	return err
}

// Close writes what is left. It does not close the writer below.
func (r *RawWriter) Close() error { return r.drain(true) }
