// Package logframe is the bytes of a job's log: how output becomes numbered lines, how a batch of lines is written so that worker,
// server and command line agree on it, and how a line is shown to a person.
//
//	process ─► Masker ─► Assembler ─► []Line ─► Encode ─► (the wire, the tables) ─► Decode ─► Batch ─► RawWriter   every byte printed
//	           secrets   per stream   numbered  frame                                                TSVWriter   one row a line
//	           as ***    cut, level   by the                                                         Display     what a screen shows
//	                                  caller
//
// # Numbers
//
// Lines are numbered from 1 in the order they were completed; a frame holds lines without their numbers, and the first one's travels
// beside it. Standard output and standard error are assembled apart, so a line gets its number when it ends, not when it begins:
// half a line on one stream never breaks a line of the other.
//
// A batch may end with one Partial line: the unfinished last line of the stream that printed last. It is shown under the number
// the next complete line will get, and the next batch starts at that same number; whatever comes there replaces it. So the number
// of the next line to send is the first number plus Finals(lines).
//
// # Bytes
//
// Text holds exactly what was printed, carriage returns and invalid UTF-8 included, without the ending newline. Writing the Text of
// every line of one stream, each followed by a newline unless Cut, Partial or NoNewline is set, gives back that stream byte for byte.
// With both streams together the order is the one in which lines were completed. A Partial line is a preview (only the latest state
// of a redrawn line, and only the head of a long one); its bytes come again in full.
package logframe

import (
	"fmt"
	"strings"
	"time"
)

// MaxLine is the longest Text of a line in bytes; a longer line is cut into several.
const MaxLine = 64 << 10

// Stream says where a line came from.
type Stream uint8

const (
	Stdout Stream = iota
	Stderr
	System // written by Nightshift itself, never by the program; not part of what was printed
	streams
)

func (s Stream) String() string {
	switch s {
	case Stdout:
		return "STDOUT"
	case Stderr:
		return "STDERR"
	case System:
		return "SYSTEM"
	}
	return fmt.Sprintf("STREAM(%d)", uint8(s))
}

// Level is how bad a line is.
type Level uint8

const (
	Info Level = iota
	Warning
	Error
	levels
)

func (l Level) String() string {
	switch l {
	case Info:
		return "INFO"
	case Warning:
		return "WARNING"
	case Error:
		return "ERROR"
	}
	return fmt.Sprintf("LEVEL(%d)", uint8(l))
}

// ParseLevel reads a level's name in any case; WARN is accepted for WARNING, and DEBUG and nothing at all for INFO.
func ParseLevel(s string) (Level, bool) {
	switch strings.ToUpper(s) {
	case "INFO", "DEBUG", "":
		return Info, true
	case "WARNING", "WARN":
		return Warning, true
	case "ERROR":
		return Error, true
	}
	return Info, false
}

// LevelMask is a set of levels, kept beside a stored chunk so that a filter can pass over it unread.
type LevelMask uint8

// MaskOf is the set of these levels.
func MaskOf(ls ...Level) (m LevelMask) {
	for _, l := range ls {
		m |= 1 << l
	}
	return m
}

// Has says whether the level is in the set.
func (m LevelMask) Has(l Level) bool { return m&(1<<l) != 0 }

// Line is one line of a log.
type Line struct {
	Time      time.Time // UTC, whole microseconds: when the line's last byte was printed, so times rise with numbers
	Stream    Stream
	Level     Level
	Cut       bool   // the line was too long and goes on in the next one of the same stream
	Partial   bool   // the unfinished last line: a preview, replaced by what comes next under its number
	NoNewline bool   // the output ended here without a newline
	Text      []byte // as printed, without the newline; carriage returns are kept
}

// EndsInNewline says whether a newline was printed after the Text.
func (l *Line) EndsInNewline() bool { return !l.Cut && !l.Partial && !l.NoNewline }

// Finals counts the lines that are final: all but a Partial one at the end.
func Finals(lines []Line) int {
	if n := len(lines); n > 0 && lines[n-1].Partial {
		return n - 1
	}
	return len(lines)
}

// Fit counts the leading lines that make a batch of at most maxLines lines and maxBytes of Text; at least one where there is one,
// so that a loop over the rest always ends.
func Fit(lines []Line, maxLines, maxBytes int) int {
	size := 0
	for i := range lines {
		size += len(lines[i].Text) + lineOverhead
		if i > 0 && (i >= maxLines || size > maxBytes) {
			return i
		}
	}
	return len(lines)
}
