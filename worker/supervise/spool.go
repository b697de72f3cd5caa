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
)

type spool struct {
	mu       sync.Mutex
	f        *os.File
	size     int64
	max      int64
	minFree  float64
	looked   int64
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
	s.full = s.noRoom()
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

// write fills in the header of buf and appends it.
func (s *spool) write(stream Stream, buf []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := int64(len(buf))
	if s.size+n-s.looked > diskEvery || s.full != "" && s.dropping > diskEvery {
		s.looked = s.size
		was := s.full
		if s.full = s.noRoom(); was != "" && s.full == "" {
			s.resume()
		}
	}
	if s.full == "" && s.size+n > s.max {
		s.full = fmt.Sprintf("the limit of %d bytes of output is reached", s.max)
	}
	if s.full != "" {
		s.dropping += n - header
		s.dropped += n - header
		return
	}
	if err := s.append(stream, buf); err != nil {
		s.full = "output cannot be written: " + err.Error()
		s.dropping += n - header
		s.dropped += n - header
	}
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

// resume says what is missing where output goes on.
func (s *spool) resume() {
	s.note(fmt.Sprintf("[nightshift: %d bytes of output were dropped here: the disk was full]\n", s.dropping))
	s.dropping = 0
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
		s.note(fmt.Sprintf("[nightshift: %d bytes of output were dropped here: %s]\n", s.dropping, s.full))
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

// OpenSpool opens the output of a job at the start of a record. A spool that is not there yet is empty.
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
