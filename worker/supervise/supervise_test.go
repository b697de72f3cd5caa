package supervise

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// self is the binary that is started as the supervisor.
func self(t testing.TB) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return exe
}

// shell is a job that runs a command in a folder of its own with a short grace.
func shell(t testing.TB, command string, change ...func(*Spec)) Spec {
	s := Spec{Argv: []string{"sh", "-c", command}, Dir: t.TempDir(), Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=/"}, Grace: time.Second, MinFree: 0.01}
	for _, f := range change {
		f(&s)
	}
	return s
}

// start runs a job and sees to it that nothing of it outlives the test.
func start(t testing.TB, spec Spec) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "job")
	if err := Start(context.Background(), self(t), dir, spec); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = Stop(dir, true)
		eventually(t, 10*time.Second, "the job to be over", func() bool { p := Read(dir).Phase; return p == Exited || p == Lost })
		Reap(dir)
	})
	return dir
}

func await(t testing.TB, dir string, limit time.Duration) Exit {
	t.Helper()
	eventually(t, limit, "an exit", func() bool { return Read(dir).Phase == Exited })
	return *Read(dir).Exit
}

func run(t testing.TB, spec Spec) (string, Exit) {
	t.Helper()
	dir := start(t, spec)
	return dir, await(t, dir, 30*time.Second)
}

func eventually(t testing.TB, limit time.Duration, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(limit); ; time.Sleep(2 * time.Millisecond) {
		if ok() {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("waited %s for %s", limit, what)
		}
	}
}

// output is what was printed until now, of the streams named; of stdout when none is.
func output(t testing.TB, dir string, streams ...Stream) string {
	t.Helper()
	if len(streams) == 0 {
		streams = []Stream{Stdout}
	}
	r, err := OpenSpool(dir, 0)
	if err != nil {
		return ""
	}
	defer r.Close()
	var out bytes.Buffer
	for {
		rec, err := r.Next()
		if err == io.EOF {
			return out.String()
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range streams {
			if rec.Stream == s {
				out.Write(rec.Data)
			}
		}
	}
}

// says waits until the job has printed something and returns all of it.
func says(t testing.TB, dir, what string) string {
	t.Helper()
	eventually(t, 20*time.Second, fmt.Sprintf("%q in the output", what), func() bool { return strings.Contains(output(t, dir), what) })
	return output(t, dir)
}

// number is the value that the job printed as «name value».
func number(t testing.TB, text, name string) int {
	t.Helper()
	_, rest, _ := strings.Cut(text, name+" ")
	n, err := strconv.Atoi(strings.Fields(rest + " x")[0])
	if err != nil {
		t.Fatalf("no %s in %q", name, text)
	}
	return n
}

// alive tells whether a process is there and no zombie.
func alive(pid int) bool {
	f := stat(pid)
	return len(f) > 0 && f[0] != "Z" && f[0] != "X"
}

func gone(t testing.TB, pids ...int) {
	t.Helper()
	for _, pid := range pids {
		eventually(t, 5*time.Second, fmt.Sprintf("process %d to be gone", pid), func() bool { return !alive(pid) })
	}
}

func mode(t testing.TB, name string) os.FileMode {
	t.Helper()
	fi, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	return fi.Mode().Perm()
}

func signalled(dir string, sig syscall.Signal) error { return syscall.Kill(Read(dir).State.PID, sig) }
