package supervise

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// Stream says where output came from.
type Stream byte

// The streams. Note is the supervisor's own word, such as that output was dropped.
const (
	Stdout Stream = 1
	Stderr Stream = 2
	Note   Stream = 3
)

// A record of the spool is what one read of the pipe gave: many lines, or part of one.
//
//	8 bytes  microseconds since 1970
//	1 byte   stream
//	4 bytes  length n
//	n bytes  as printed
//
// all little endian. It is written with one call, so that the death of the supervisor loses nothing that it had read.
const header = 13

const (
	maxRecord    = 256 << 10
	defaultSpool = 2 << 30
	diskEvery    = 16 << 20 // bytes between two looks at the free disk
	diskAfter    = time.Second
)

type spool struct {
	mu       sync.Mutex
	f        *os.File
	size     int64
	max      int64
	capped   bool // the limit was reached: nothing is kept any more
	minFree  float64
	looked   int64 // size at the last look at the free disk
	lookedAt time.Time
	short    string // why the disk takes nothing, at the last look
	full     string // why output is dropped now
	dropping int64  // bytes since then
	dropped  int64  // bytes in all
}

func openSpool(dir string, spec Spec) (*spool, error) {
	f, err := os.OpenFile(filepath.Join(dir, "spool"), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	s := &spool{f: f, max: spec.MaxSpool, minFree: spec.MinFree}
	if s.max <= 0 {
		s.max = defaultSpool
	}
	if s.minFree <= 0 {
		s.minFree = 5
	}
	return s, nil
}

// copy spools a pipe to its end. It never makes the process wait for anything but the disk's write.
func (s *spool) copy(stream Stream, r *os.File) {
	defer r.Close()
	buf := make([]byte, header+maxRecord)
	for {
		n, err := r.Read(buf[header:])
		if n > 0 {
			s.write(stream, buf[:header+n])
		}
		if err != nil {
			return
		}
	}
}

// write fills in the header of buf and appends it, or drops it and says so.
func (s *spool) write(stream Stream, buf []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := int64(len(buf))
	if why := s.refuses(n); why != "" {
		s.drop(n-header, why)
		return
	}
	if s.dropping > 0 {
		s.tellDropped()
	}
	if err := s.append(stream, buf); err != nil {
		s.short = "output cannot be written: " + err.Error() // until the next look
		s.looked, s.lookedAt = s.size, time.Now()
		s.drop(n-header, s.short)
	}
}

// refuses says why n more bytes may not be kept. The disk is looked at by bytes for a flood and by time for a job that prints little.
func (s *spool) refuses(n int64) string {
	if s.capped = s.capped || s.size+n > s.max; s.capped {
		return fmt.Sprintf("the limit of %d bytes of output is reached", s.max)
	}
	if s.size-s.looked >= diskEvery || time.Since(s.lookedAt) >= diskAfter {
		s.looked, s.lookedAt = s.size, time.Now()
		s.short = s.noRoom()
	}
	return s.short
}

// drop counts what is not kept, and says so where it begins: the end of the job may be days away.
func (s *spool) drop(n int64, why string) {
	if s.full != why {
		s.note(fmt.Sprintf("[nightshift: output is dropped from here on: %s]\n", why))
	}
	s.full = why
	s.dropping += n
	s.dropped += n
}

func (s *spool) append(stream Stream, buf []byte) error {
	binary.LittleEndian.PutUint64(buf, uint64(time.Now().UnixMicro()))
	buf[8] = byte(stream)
	binary.LittleEndian.PutUint32(buf[9:], uint32(len(buf)-header))
	n, err := s.f.Write(buf)
	if err != nil {
		if n > 0 { // half a record would spoil what follows
			s.f.Truncate(s.size)
			s.f.Seek(s.size, io.SeekStart)
		}
		return err
	}
	s.size += int64(n)
	return nil
}

// tellDropped says how much is missing at this place.
func (s *spool) tellDropped() {
	s.note(fmt.Sprintf("[nightshift: %d bytes of output were dropped here: %s]\n", s.dropping, s.full))
	s.full, s.dropping = "", 0
}

func (s *spool) note(text string) {
	s.append(Note, append(make([]byte, header), text...))
}

// noRoom says why nothing more may be kept; empty when it may.
func (s *spool) noRoom() string {
	var st unix.Statfs_t
	if unix.Fstatfs(int(s.f.Fd()), &st) == nil && st.Blocks > 0 && 100*float64(st.Bavail)/float64(st.Blocks) < s.minFree {
		return "the disk is almost full"
	}
	return ""
}

// close ends the spool and tells how many bytes were dropped.
func (s *spool) close() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dropping > 0 {
		s.tellDropped()
	}
	s.f.Close()
	return s.dropped
}

// Record is a piece of output.
type Record struct {
	Time   time.Time
	Stream Stream
	Data   []byte // valid until the next call of Next
}

// Spool reads a job's output from an offset that an earlier reader had reached.
type Spool struct {
	f      *os.File
	r      *bufio.Reader
	offset int64
	buf    []byte
	head   [header]byte
}

// OpenSpool opens the output of a job at the start of a record. Its error is fs.ErrNotExist as long as there is none.
func OpenSpool(dir string, offset int64) (*Spool, error) {
	f, err := os.Open(filepath.Join(dir, "spool"))
	if err != nil {
		return nil, err
	}
	if _, err := f.Seek(offset, io.SeekStart); err != nil {
		f.Close()
		return nil, err
	}
	return &Spool{f: f, r: bufio.NewReaderSize(f, 512<<10), offset: offset}, nil
}

// Offset is where the next record starts.
func (s *Spool) Offset() int64 { return s.offset }

// Next is the next record; io.EOF when there is none yet. A record that is written in part counts as not there.
func (s *Spool) Next() (Record, error) {
	h := s.head[:]
	if _, err := io.ReadFull(s.r, h); err != nil {
		return s.again(err)
	}
	n := binary.LittleEndian.Uint32(h[9:])
	if n > maxRecord || h[8] == 0 || h[8] > byte(Note) {
		return Record{}, fmt.Errorf("the spool is damaged at byte %d", s.offset)
	}
	if cap(s.buf) < int(n) {
		s.buf = make([]byte, maxRecord)
	}
	b := s.buf[:n]
	if _, err := io.ReadFull(s.r, b); err != nil {
		return s.again(err)
	}
	s.offset += int64(header) + int64(n)
	return Record{Time: time.UnixMicro(int64(binary.LittleEndian.Uint64(h))).UTC(), Stream: Stream(h[8]), Data: b}, nil
}

// again goes back to the start of the record that is not whole yet.
func (s *Spool) again(err error) (Record, error) {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		if _, serr := s.f.Seek(s.offset, io.SeekStart); serr != nil {
			return Record{}, serr
		}
		s.r.Reset(s.f)
		return Record{}, io.EOF
	}
	return Record{}, err
}

// Close closes the reader.
func (s *Spool) Close() error { return s.f.Close() }
