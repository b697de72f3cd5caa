package logframe

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"
)

// A frame, all numbers varints:
//
//	'n' 'l'  version=1  codec  count  size │ payload: size bytes, as they are (codec 0) or one zstd stream (codec 1)
//
//	payload: count × ( microseconds since the line before, zigzag; the first since 1970 │ flags │ length │ text )
//	flags:   bits 0-1 stream, 2-3 level, 4 cut, 5 partial, 6 no newline, 7 always 0
//
// The size stands before the payload so that a reader refuses a bomb without unpacking it, and allocates exactly once.
const (
	version   = 1
	codecRaw  = 0
	codecZstd = 1

	flagCut       = 1 << 4
	flagPartial   = 1 << 5
	flagNoNewline = 1 << 6
	flagReserved  = 1 << 7

	minLine      = 3                           // bytes of the shortest line in a payload
	lineOverhead = 1 + 2*binary.MaxVarintLen32 // more than a line costs beside its text, times being close together
	tooSmall     = 96                          // a payload under this is not worth compressing
)

// DefaultLimit is the decoded size Decode accepts when told no other, in bytes.
const DefaultLimit = 4 << 20

var (
	ErrMalformed = errors.New("log frame is malformed")
	ErrTooLarge  = errors.New("log frame is too large")
)

func malformed(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrMalformed, fmt.Sprintf(format, args...))
}

// One of each for the process: both are made for use by many goroutines at once, and keep their buffers.
var (
	encoder = sync.OnceValue(func() *zstd.Encoder {
		e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(runtime.GOMAXPROCS(0)),
			zstd.WithWindowSize(512<<10), zstd.WithLowerEncoderMem(true))
		if err != nil {
			panic(err) // only for options that are wrong at compile time
		}
		return e
	})
	decoder = sync.OnceValue(func() *zstd.Decoder {
		// The capacity of the buffer handed in, which is the size the frame promised, is the limit.
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(runtime.GOMAXPROCS(0)), zstd.WithDecodeAllCapLimit(true))
		if err != nil {
			panic(err)
		}
		return d
	})
)

// Encode appends the frame of lines to dst. Texts over MaxLine make a frame that Decode refuses; the Assembler makes none.
func Encode(dst []byte, lines []Line) []byte {
	b := builders.Get().(*Builder)
	defer builders.Put(b)
	b.Reset()
	for i := range lines {
		b.Add(&lines[i])
	}
	return b.AppendFrame(dst)
}

var builders = sync.Pool{New: func() any { return new(Builder) }}

// Builder collects lines, one by one or whole batches, into a frame. A line added after a Partial one replaces it.
type Builder struct {
	payload     []byte
	count       int
	first, last int64 // microseconds
	levels      LevelMask
	partialAt   int // where a Partial last line begins in payload
	partial     bool
	beforeLast  int64 // last, before the Partial line
	beforeMask  LevelMask
}

// Reset forgets the lines and keeps the memory.
func (b *Builder) Reset() { *b = Builder{payload: b.payload[:0]} }

func (b *Builder) Len() int          { return b.count }
func (b *Builder) Size() int         { return len(b.payload) } // of the payload, in bytes
func (b *Builder) Levels() LevelMask { return b.levels }
func (b *Builder) First() time.Time  { return micros(b.first) }
func (b *Builder) Last() time.Time   { return micros(b.last) }

// Add adds a line.
func (b *Builder) Add(l *Line) {
	b.dropPartial()
	at := l.Time.UnixMicro()
	flags := byte(l.Stream) | byte(l.Level)<<2
	if l.Cut {
		flags |= flagCut
	}
	if l.NoNewline {
		flags |= flagNoNewline
	}
	if l.Partial {
		flags |= flagPartial
		b.partial, b.partialAt, b.beforeLast, b.beforeMask = true, len(b.payload), b.last, b.levels
	}
	p := binary.AppendVarint(b.payload, at-b.last)
	p = append(p, flags)
	p = binary.AppendUvarint(p, uint64(len(l.Text)))
	b.payload = append(p, l.Text...)
	if b.count == 0 {
		b.first = at
	}
	b.count++
	b.last = at
	b.levels |= 1 << l.Level
}

func (b *Builder) dropPartial() {
	if !b.partial {
		return
	}
	b.payload = b.payload[:b.partialAt]
	b.count--
	b.last, b.levels, b.partial = b.beforeLast, b.beforeMask, false
	if b.count == 0 {
		b.first, b.last = 0, 0
	}
}

// AddBatch adds every line of a batch: a copy, nothing is taken apart.
func (b *Builder) AddBatch(batch *Batch) {
	if batch.count == 0 {
		return
	}
	if batch.partial || batch.count == 1 {
		for _, l := range batch.All() {
			b.Add(&l)
		}
		return
	}
	b.dropPartial()
	if b.count == 0 {
		b.first = batch.first
	}
	_, n := binary.Varint(batch.payload)
	b.payload = binary.AppendVarint(b.payload, batch.first-b.last) // only the first line's time depends on what stands before it
	b.payload = append(b.payload, batch.payload[n:]...)
	b.count += batch.count
	b.last = batch.last
	b.levels |= batch.levels
}

// AppendFrame appends the compressed frame to dst; the lines stay.
func (b *Builder) AppendFrame(dst []byte) []byte {
	if len(b.payload) < tooSmall {
		return b.AppendRawFrame(dst)
	}
	start := len(dst)
	dst = b.header(dst, codecZstd)
	body := len(dst)
	dst = encoder().EncodeAll(b.payload, dst)
	if len(dst)-body >= len(b.payload) { // random bytes
		return b.AppendRawFrame(dst[:start])
	}
	return dst
}

// AppendRawFrame appends the frame without compression.
func (b *Builder) AppendRawFrame(dst []byte) []byte {
	return append(b.header(dst, codecRaw), b.payload...)
}

func (b *Builder) header(dst []byte, codec byte) []byte {
	dst = append(dst, 'n', 'l', version, codec)
	dst = binary.AppendUvarint(dst, uint64(b.count))
	return binary.AppendUvarint(dst, uint64(len(b.payload)))
}

// EncodeRaw is Encode without compression.
func EncodeRaw(dst []byte, lines []Line) []byte {
	var b Builder
	for i := range lines {
		b.Add(&lines[i])
	}
	return b.AppendRawFrame(dst)
}

// Batch is a decoded frame, checked in full: its lines can be read without errors, any number of times, by many at once.
type Batch struct {
	payload     []byte
	count       int
	first, last int64
	levels      LevelMask
	partial     bool
}

// Decode reads a frame whose payload is at most maxBytes (0: DefaultLimit). The error is ErrMalformed or ErrTooLarge and says why.
// The batch may share the memory of data.
func Decode(data []byte, maxBytes int) (Batch, error) {
	return DecodeInto(nil, data, maxBytes)
}

// DecodeInto is Decode that unpacks into the memory of buf, whatever its length; Batch.Payload gives it back for the next one.
func DecodeInto(buf, data []byte, maxBytes int) (Batch, error) {
	if maxBytes <= 0 {
		maxBytes = DefaultLimit
	}
	if len(data) < 6 || data[0] != 'n' || data[1] != 'l' {
		return Batch{}, malformed("it does not begin like one")
	}
	if data[2] != version {
		return Batch{}, malformed("version %d, this program knows %d", data[2], version)
	}
	codec, rest := data[3], data[4:]
	count, n := binary.Uvarint(rest)
	if n <= 0 {
		return Batch{}, malformed("no line count")
	}
	rest = rest[n:]
	size, n := binary.Uvarint(rest)
	if n <= 0 {
		return Batch{}, malformed("no size")
	}
	rest = rest[n:]
	if size > uint64(maxBytes) {
		return Batch{}, fmt.Errorf("%w: %d bytes of lines, at most %d are accepted", ErrTooLarge, size, maxBytes)
	}
	if count > size/minLine {
		return Batch{}, malformed("%d lines do not fit in %d bytes", count, size)
	}
	payload := rest
	switch codec {
	case codecRaw:
	case codecZstd:
		if size == 0 {
			return Batch{}, malformed("nothing, compressed")
		}
		if cap(buf) < int(size) {
			buf = make([]byte, 0, size)
		}
		var err error
		if payload, err = decoder().DecodeAll(rest, buf[:0:size]); err != nil {
			if errors.Is(err, zstd.ErrDecoderSizeExceeded) {
				return Batch{}, malformed("it unpacks to more than the %d bytes it promised", size)
			}
			return Batch{}, malformed("zstd: %v", err)
		}
	default:
		return Batch{}, malformed("codec %d is unknown", codec)
	}
	if uint64(len(payload)) != size {
		return Batch{}, malformed("%d bytes of lines where %d were promised", len(payload), size)
	}
	b := Batch{payload: payload, count: int(count)}
	return b, b.check()
}

// check walks over the lines once, so that readers need not doubt them.
func (b *Batch) check() error {
	p, at := b.payload, int64(0)
	for i := range b.count {
		if b.partial {
			return malformed("line %d follows an unfinished one", i+1)
		}
		delta, n := binary.Varint(p)
		if n <= 0 || len(p) < n+2 {
			return malformed("line %d: no time", i+1)
		}
		flags := p[n]
		size, m := binary.Uvarint(p[n+1:])
		if m <= 0 || size > uint64(len(p)-n-1-m) {
			return malformed("line %d: longer than the frame", i+1)
		}
		if size > MaxLine {
			return fmt.Errorf("%w: line %d has %d bytes, at most %d are accepted", ErrTooLarge, i+1, size, MaxLine)
		}
		if flags&3 >= byte(streams) || flags>>2&3 >= byte(levels) || flags&flagReserved != 0 {
			return malformed("line %d: flags %#x", i+1, flags)
		}
		at += delta
		if at < -maxMicros || at > maxMicros {
			return malformed("line %d: a time outside the years 1 to 9999", i+1)
		}
		if i == 0 {
			b.first = at
		}
		b.levels |= 1 << (flags >> 2 & 3)
		b.partial = flags&flagPartial != 0
		p = p[n+1+m+int(size):]
	}
	if len(p) > 0 {
		return malformed("%d bytes after the last line", len(p))
	}
	b.last = at
	return nil
}

// maxMicros keeps times within what every database and JSON can hold: years 1 to 9999, give or take.
const maxMicros = 253402300799 * 1e6

func micros(us int64) time.Time { return time.UnixMicro(us).UTC() }

func (b *Batch) Len() int          { return b.count }        // lines, a Partial one included
func (b *Batch) Partial() bool     { return b.partial }      // whether the last line is a Partial one
func (b *Batch) Size() int         { return len(b.payload) } // bytes unpacked
func (b *Batch) First() time.Time  { return micros(b.first) }
func (b *Batch) Last() time.Time   { return micros(b.last) }
func (b *Batch) Levels() LevelMask { return b.levels }
func (b *Batch) Payload() []byte   { return b.payload } // for DecodeInto, when the batch is done with

// Finals counts the lines that are final: all but a Partial one.
func (b *Batch) Finals() int {
	if b.partial {
		return b.count - 1
	}
	return b.count
}

// Reader goes over the lines from the one with index from (0 is the first).
func (b *Batch) Reader(from int) Reader {
	r := Reader{rest: b.payload, left: b.count}
	for ; from > 0 && r.left > 0; from-- {
		r.skip()
	}
	return r
}

// All gives every line with its index. Texts share the batch's memory.
func (b *Batch) All() iter.Seq2[int, Line] { return b.From(0) }

// From is All beginning at index from; the lines before it are stepped over, not read.
func (b *Batch) From(from int) iter.Seq2[int, Line] {
	return func(yield func(int, Line) bool) {
		r := b.Reader(from)
		i := b.count - r.left
		for l := (Line{}); r.Next(&l); i++ {
			if !yield(i, l) {
				return
			}
		}
	}
}

// Lines appends the lines to dst. Texts share the batch's memory.
func (b *Batch) Lines(dst []Line) []Line {
	r := b.Reader(0)
	for l := (Line{}); r.Next(&l); {
		dst = append(dst, l)
	}
	return dst
}

// Reader reads the lines of a Batch one after another without allocating.
type Reader struct {
	rest []byte
	left int
	at   int64
}

// Left counts the lines not yet read.
func (r *Reader) Left() int { return r.left }

// Next reads the next line into l; false at the end. Text shares the batch's memory.
func (r *Reader) Next(l *Line) bool {
	if r.left == 0 {
		return false
	}
	flags, text := r.skip()
	l.Time = micros(r.at)
	l.Stream = Stream(flags & 3)
	l.Level = Level(flags >> 2 & 3)
	l.Cut = flags&flagCut != 0
	l.Partial = flags&flagPartial != 0
	l.NoNewline = flags&flagNoNewline != 0
	l.Text = text
	return true
}

func (r *Reader) skip() (flags byte, text []byte) {
	delta, n := binary.Varint(r.rest)
	flags = r.rest[n]
	size, m := binary.Uvarint(r.rest[n+1:])
	start := n + 1 + m
	end := start + int(size)
	text = r.rest[start:end:end]
	r.rest = r.rest[end:]
	r.at += delta
	r.left--
	return flags, text
}
