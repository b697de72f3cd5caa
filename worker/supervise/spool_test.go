package supervise

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Bytes that break stores: NUL, a lone continuation, overlong, a surrogate, BOM, CR, bell, backspace, bidi, escapes; no newline at the end.
const bytesThatBreakStores = "nul>\x00<nul\nlone>\x80<\noverlong>\xc0\xaf<\nsurrogate>\xed\xa0\x80<\n\xef\xbb\xbfbom\ncrlf\r\nbell\x07 back\x08space\n" +
	"rtl \u202eevil\u202c\n夜勤 🌙 \U0010fffd\n\x1b]0;title\x07\x1b]8;;http://example.com\x07link\x1b]8;;\x07\n\rtab\there\tand {\"json\": \"\\u0000\"}\nno newline at the end"

func TestBytesArriveAsTheyWere(t *testing.T) {
	file := filepath.Join(t.TempDir(), "bytes")
	if err := os.WriteFile(file, []byte(bytesThatBreakStores), 0o600); err != nil {
		t.Fatal(err)
	}
	dir, _ := run(t, shell(t, "cat "+file+"; cat "+file+" >&2"))
	for _, s := range []Stream{Stdout, Stderr} {
		if got := output(t, dir, s); got != bytesThatBreakStores {
			t.Errorf("stream %d: %q", s, got)
		}
	}
}

func TestLongLine(t *testing.T) {
	dir, _ := run(t, shell(t, `head -c 50000000 /dev/zero | tr '\0' x; printf '\nafter the long line\n'`))
	if got := output(t, dir); got != strings.Repeat("x", 50_000_000)+"\nafter the long line\n" {
		t.Errorf("%d bytes, the end %q", len(got), got[max(0, len(got)-40):])
	}
}

// printer prints 100 MB as fast as the pipe takes it, then the hash of what it printed on stderr.
const printer = `s=$(mktemp); yes 'the quick brown fox jumps over the lazy dog and over the moon' | head -c 104857600 | tee $s; sha256sum < $s >&2; rm $s`

func TestFloodLosesNothing(t *testing.T) {
	dir := start(t, shell(t, printer))
	await(t, dir, time.Minute)
	sum := sha256.Sum256([]byte(output(t, dir)))
	if want := strings.Fields(output(t, dir, Stderr)); len(want) == 0 || hex.EncodeToString(sum[:]) != want[0] {
		t.Errorf("printed %v, spooled %x", want, sum)
	}
}

func TestLinesShowAsTheyArePrintedWithTheirTime(t *testing.T) {
	dir := start(t, shell(t, `for i in 1 2 3 4 5; do printf "$i"; date +' %s%N'; sleep 0.15; done; sleep 60`))
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	var r *Spool
	var worst time.Duration
	size := int64(0)
	for seen := 0; seen < 5; {
		if err := Changed(ctx, dir, size); err != nil {
			t.Fatal(err)
		}
		now := time.Now()
		if r == nil {
			var err error
			if r, err = OpenSpool(dir, 0); err != nil {
				t.Fatal(err)
			}
			defer r.Close()
		}
		for {
			rec, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if _, after, found := strings.Cut(string(rec.Data), " "); found {
				var ns int64
				fmt.Sscan(after, &ns)
				worst = max(worst, now.Sub(time.Unix(0, ns)))
				if d := rec.Time.Sub(time.Unix(0, ns)); d < -2*time.Millisecond || d > time.Second {
					t.Errorf("time off by %s", d)
				}
				seen++
			}
		}
		size = r.Offset()
	}
	t.Logf("printed to seen: at most %s", worst)
	if worst > time.Second { // a loaded machine; 60 ms is usual
		t.Errorf("a line was seen after %s", worst)
	}
}

func record(stream Stream, data string) []byte {
	b := make([]byte, header, header+len(data))
	binary.LittleEndian.PutUint64(b, 1_700_000_000_000_000)
	b[8] = byte(stream)
	binary.LittleEndian.PutUint32(b[9:], uint32(len(data)))
	return append(b, data...)
}

func TestTornRecordCountsAsNotThere(t *testing.T) {
	dir := t.TempDir()
	whole, torn := record(Stdout, "whole\n"), record(Stderr, "written in part\n")
	for cut := range torn {
		if err := os.WriteFile(filepath.Join(dir, "spool"), append(bytes.Clone(whole), torn[:cut]...), 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := OpenSpool(dir, 0)
		if err != nil {
			t.Fatal(err)
		}
		if rec, err := r.Next(); err != nil || string(rec.Data) != "whole\n" {
			t.Fatal(rec, err)
		}
		for range 2 {
			if _, err := r.Next(); err != io.EOF || r.Offset() != int64(len(whole)) {
				t.Fatalf("cut at %d: %v at %d", cut, err, r.Offset())
			}
		}
		// The rest comes: the same reader goes on.
		if err := os.WriteFile(filepath.Join(dir, "spool"), append(bytes.Clone(whole), torn...), 0o600); err != nil {
			t.Fatal(err)
		}
		if rec, err := r.Next(); err != nil || string(rec.Data) != "written in part\n" || rec.Stream != Stderr {
			t.Fatalf("cut at %d: %v %v", cut, rec, err)
		}
		r.Close()
	}
}

func TestReadingGoesOnFromAnyRecord(t *testing.T) {
	dir, _ := run(t, shell(t, "for i in 1 2 3 4 5 6; do echo $i; sleep 0.03; done"))
	all := output(t, dir)
	r, err := OpenSpool(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for seen := ""; ; {
		other, err := OpenSpool(dir, r.Offset())
		if err != nil {
			t.Fatal(err)
		}
		for rest := ""; ; {
			rec, err := other.Next()
			if err == io.EOF {
				if seen+rest != all {
					t.Fatalf("from %d: %q", r.Offset(), rest)
				}
				break
			}
			rest += string(rec.Data)
		}
		other.Close()
		rec, err := r.Next()
		if err == io.EOF {
			break
		}
		seen += string(rec.Data)
	}
}

func TestBeyondTheLimitOutputIsDroppedAndCounted(t *testing.T) {
	began := time.Now()
	dir, e := run(t, shell(t, `yes 0123456789 | head -c 60000000; echo end >&2`, func(s *Spec) { s.MaxSpool = 1 << 20 }))
	kept := output(t, dir)
	if int64(len(kept))+e.Dropped != 60_000_004 && int64(len(kept+output(t, dir, Stderr)))+e.Dropped != 60_000_004 {
		t.Errorf("kept %d, dropped %d", len(kept), e.Dropped)
	}
	if len(kept) < 512<<10 || len(kept) > 1<<20 || !strings.HasPrefix(strings.Repeat("0123456789\n", 100_000), kept) {
		t.Errorf("kept %d bytes", len(kept))
	}
	notes := output(t, dir, Note)
	if *e.Code != 0 || !strings.Contains(notes, "limit") || strings.Contains(notes, "disk") || !strings.Contains(notes, fmt.Sprint(e.Dropped)) {
		t.Errorf("%+v, notes %q", e, notes)
	}
	t.Logf("60 MB in %s; %q", time.Since(began), notes)
}

// A person who watches is told when the limit is reached, not when the job ends a day later.
func TestReachingTheLimitIsSaidAtOnce(t *testing.T) {
	dir := start(t, shell(t, `yes | head -c 3000000; sleep 60`, func(s *Spec) { s.MaxSpool = 1 << 20 }))
	eventually(t, 5*time.Second, "a note", func() bool { return strings.Contains(output(t, dir, Note), "limit") })
}

// onSmallDisk mounts a file system of the given size.
func onSmallDisk(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skip("cannot mount a small disk:", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
	return dir
}

func startIn(t *testing.T, dir string, spec Spec) {
	t.Helper()
	if err := Start(context.Background(), self(t), dir, spec); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = Stop(dir, true)
		eventually(t, 10*time.Second, "the job to be over", func() bool { p := Read(dir).Phase; return p == Exited || p == Lost })
	})
}

// A full disk never blocks a job, and its output goes on as soon as there is room, with a word about what is missing.
func TestFullDiskDropsAndGoesOn(t *testing.T) {
	disk := onSmallDisk(t, "4m")
	ballast := filepath.Join(disk, "ballast")
	dir := filepath.Join(disk, "job")
	startIn(t, dir, shell(t, `echo before; i=0; while :; do i=$((i+1)); echo line $i; sleep 0.05; done`, func(s *Spec) { s.MinFree = 20 }))
	says(t, dir, "before")
	if err := os.WriteFile(ballast, make([]byte, 7<<19), 0o600); err != nil {
		t.Fatal(err)
	}
	time.Sleep(1500 * time.Millisecond)
	quiet := Read(dir).SpoolSize
	time.Sleep(500 * time.Millisecond)
	if now := Read(dir).SpoolSize; now != quiet {
		t.Errorf("the spool still grows on a disk that is almost full: %d to %d", quiet, now)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	eventually(t, 10*time.Second, "output to go on", func() bool { return Read(dir).SpoolSize > quiet+100 })
	if notes := output(t, dir, Note); !strings.Contains(notes, "disk") {
		t.Errorf("notes %q", notes)
	}
}

func TestDiskWithoutAByteLeftLosesOutputButNotTheEnd(t *testing.T) {
	disk := onSmallDisk(t, "1m")
	dir := filepath.Join(disk, "job")
	startIn(t, dir, shell(t, `yes | head -c 8000000; exit 9`))
	e := await(t, dir, 20*time.Second)
	if *e.Code != 9 || e.Dropped < 6_000_000 {
		t.Errorf("got %+v", e)
	}
	if got := output(t, dir); strings.Trim(got, "y\n") != "" { // whole records only
		t.Error("the spool is damaged")
	}
}

func TestStopWorksOnAFullDisk(t *testing.T) {
	disk := onSmallDisk(t, "1m")
	dir := filepath.Join(disk, "job")
	startIn(t, dir, shell(t, `echo started; sleep 600`))
	says(t, dir, "started")
	_ = os.WriteFile(filepath.Join(disk, "ballast"), make([]byte, 2<<20), 0o600) // until nothing fits
	if err := Stop(dir, false); err != nil {
		t.Errorf("stop: %v", err)
	}
	gone(t, Read(dir).State.Child)
	eventually(t, 10*time.Second, "the job to be over", func() bool { p := Read(dir).Phase; return p == Exited || p == Lost })
}

func TestKilledSupervisorHasKeptAllThatWasRead(t *testing.T) {
	dir := start(t, shell(t, `i=0; while [ $i -lt 2000 ]; do i=$((i+1)); echo line $i; done; echo all; sleep 600`))
	says(t, dir, "all")
	if err := signalled(dir, unix.SIGKILL); err != nil {
		t.Fatal(err)
	}
	eventually(t, 5*time.Second, "lost", func() bool { return Read(dir).Phase == Lost })
	if got := output(t, dir); strings.Count(got, "\n") != 2001 {
		t.Errorf("%d lines", strings.Count(got, "\n"))
	}
}

// The memory limit of a cgroup makes the kernel kill the process: that is told apart from a kill by hand.
func TestOutOfMemoryIsNamed(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3")
	}
	group := fmt.Sprintf("/sys/fs/cgroup/memory/nightshift-test-%d", os.Getpid())
	if err := os.Mkdir(group, 0o755); err != nil {
		t.Skip("no memory cgroup to make:", err)
	}
	t.Cleanup(func() { _ = os.Remove(group) })
	if err := os.WriteFile(group+"/memory.limit_in_bytes", []byte("33554432"), 0o644); err != nil {
		t.Skip("no memory limit to set:", err)
	}
	_, e := run(t, shell(t, "echo $$ > "+group+"/cgroup.procs && exec python3 -c 'b = bytearray(200 << 20)'"))
	if e.Reason != "oom" || *e.Code != 137 {
		t.Errorf("got %+v", e)
	}
}

func FuzzSpool(f *testing.F) {
	f.Add([]byte{}, 0)
	f.Add(record(Stdout, "a\n"), 0)
	f.Add(append(record(Stdout, "a\n"), record(Note, "")...), 3)
	f.Add(append(record(Stderr, "x"), 0xff, 0xff), 15)
	f.Fuzz(func(t *testing.T, b []byte, offset int) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "spool"), b, 0o600); err != nil {
			t.Fatal(err)
		}
		offset = min(max(offset, 0), len(b))
		r, err := OpenSpool(dir, int64(offset))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		for at := r.Offset(); ; at = r.Offset() {
			rec, err := r.Next()
			if err != nil {
				if r.Offset() != at {
					t.Fatalf("moved from %d to %d on %v", at, r.Offset(), err)
				}
				return
			}
			if want := at + int64(header+len(rec.Data)); r.Offset() != want || want > int64(len(b)) {
				t.Fatalf("from %d to %d of %d with %d bytes of data", at, r.Offset(), len(b), len(rec.Data))
			}
			if !bytes.Equal(rec.Data, b[at+header:r.Offset()]) {
				t.Fatalf("other bytes than in the file at %d", at)
			}
		}
	})
}
