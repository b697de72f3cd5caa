package supervise

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestExits(t *testing.T) {
	for _, c := range []struct {
		command, reason, signal string
		code                    int
	}{
		{"true", "exited", "", 0},
		{"exit 3", "exited", "", 3},
		{"exit 255", "exited", "", 255},
		{"kill -9 $$", "signaled", "SIGKILL", 137},
		{"kill -SEGV $$", "signaled", "SIGSEGV", 139},
		{"kill -TERM $$", "signaled", "SIGTERM", 143},
		{"no-such-command", "exited", "", 127},
		{"/etc/passwd", "exited", "", 126},
	} {
		t.Run(c.command, func(t *testing.T) {
			_, e := run(t, shell(t, c.command))
			if e.Reason != c.reason && !(c.signal == "SIGKILL" && e.Reason == "oom") || e.Code == nil || *e.Code != c.code || e.Signal != c.signal {
				t.Errorf("got %+v, code %v", e, e.Code)
			}
			if e.Ended.Before(e.Started) || time.Since(e.Ended) > time.Minute {
				t.Errorf("from %s to %s", e.Started, e.Ended)
			}
		})
	}
}

func TestCommandsReachTheShellAsWritten(t *testing.T) {
	text := "a 'quoted' \"word\" $HOME `x` \\ 夜勤 🌙 \xff\n-n --\n"
	spec := shell(t, "")
	spec.Argv = []string{"printf", "%s", text}
	dir, e := run(t, spec)
	want := strings.ToValidUTF8(text, "\uFFFD") // argv comes as JSON from the server: it is text
	if got := output(t, dir); strings.ToValidUTF8(got, "\uFFFD") != want || *e.Code != 0 {
		t.Errorf("got %q, %+v", got, e)
	}
}

func TestMissingFolderIsNamedAndNothingRan(t *testing.T) {
	dir, e := run(t, shell(t, "echo ran", func(s *Spec) { s.Dir = "/no/such/folder" }))
	if e.Reason != "start_failed" || e.Code != nil || !strings.Contains(e.Error, "/no/such/folder") || output(t, dir) != "" {
		t.Errorf("got %+v", e)
	}
}

func TestProgramThatIsNotThereOrTooLong(t *testing.T) {
	for name, argv := range map[string][]string{
		"no such program":   {"no-such-program-anywhere"},
		"2 MB command line": {"echo", strings.Repeat("x", 2<<20)},
		"a folder":          {"/etc"},
	} {
		_, e := run(t, shell(t, "", func(s *Spec) { s.Argv = argv }))
		if e.Reason != "start_failed" || e.Error == "" {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

// A program is looked for where the job would look: with its own PATH, and in its own folder.
func TestProgramsAreFoundAsTheJobWouldFindThem(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "hello"), []byte("#!/bin/sh\necho hello from $PWD\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Spec){
		"relative to the folder": func(s *Spec) { s.Argv, s.Dir = []string{"./hello"}, folder },
		"by the job's PATH": func(s *Spec) {
			s.Argv, s.Env = []string{"hello"}, []string{"PATH=/nowhere:" + folder + ":/bin:/usr/bin"}
		},
	} {
		if dir, e := run(t, shell(t, "", change)); !strings.HasPrefix(output(t, dir), "hello from /") {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

func TestEnvironmentAndFolderAreTheSpecs(t *testing.T) {
	t.Setenv("SECRET_OF_THE_WORKER", "x")
	spec := shell(t, `pwd -P; env | sort | grep -v -E '^(PWD|OLDPWD|SHLVL|_|NIGHTSHIFT_SUPERVISOR)='; readlink /proc/self/fd/0`, func(s *Spec) {
		s.Env = []string{"A=1 2", "B=é=\"$x\"", "PATH=/bin:/usr/bin"}
	})
	dir, _ := run(t, spec)
	want := spec.Dir + "\nA=1 2\nB=é=\"$x\"\nPATH=/bin:/usr/bin\n/dev/null\n"
	if got := output(t, dir); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A descriptor that the worker had inherited itself without close-on-exec must not reach a job: it may be a lock or somebody's pipe.
func TestNoDescriptorReachesTheProcess(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	leak, err := syscall.Dup(int(w.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	w.Close()
	dir := start(t, shell(t, "ls -1 /proc/self/fd; echo end; sleep 30"))
	syscall.Close(leak)
	says(t, dir, "end")
	// ls has one more: the folder it reads.
	if got := output(t, dir); got != "0\n1\n2\n3\nend\n" {
		t.Errorf("descriptors: %q", got)
	}
	r.SetReadDeadline(time.Now().Add(2 * time.Second))
	if _, err := r.Read(make([]byte, 1)); err == nil || os.IsTimeout(err) {
		t.Errorf("the supervisor or the job keeps the worker's descriptor open: %v", err)
	}
}

func TestSignalsAreAtTheirDefaultInAnOwnSession(t *testing.T) {
	dir, _ := run(t, shell(t, `grep -E '^Sig(Ign|Blk)' /proc/self/status; ps -o sid= -p $$ | tr -d ' ' ; echo $$; yes | head -1`))
	lines := strings.Fields(output(t, dir, Stdout, Stderr))
	if len(lines) != 7 || signals(t, lines[1]) != 0 || signals(t, lines[3]) != 0 || lines[4] != lines[5] || lines[6] != "y" {
		t.Errorf("got %q", lines)
	}
}

// signals reads a set of signals as /proc shows it, without 32 and 33: those are the C library's own, which glibc's posix_spawn leaves
// ignored in whatever it starts (make, for one) and every C program sets for itself.
func signals(t *testing.T, hex string) uint64 {
	t.Helper()
	set, err := strconv.ParseUint(hex, 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	return set &^ (1<<31 | 1<<32)
}

func TestFilesAreForTheOwnerOnly(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	dir := start(t, shell(t, "echo x; sleep 60"))
	says(t, dir, "x")
	if m := mode(t, dir); m != 0o700 {
		t.Errorf("folder: %o", m)
	}
	if err := Stop(dir, true); err != nil {
		t.Fatal(err)
	}
	await(t, dir, 5*time.Second)
	es, _ := os.ReadDir(dir)
	for _, e := range es {
		if m := mode(t, filepath.Join(dir, e.Name())); m != 0o600 {
			t.Errorf("%s: %o", e.Name(), m)
		}
		if e.Name() == "spec.json" {
			t.Error("the environment is still on disk")
		}
	}
}

func TestUsageIsReported(t *testing.T) {
	_, e := run(t, shell(t, `i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done`))
	if e.MaxRSSKiB < 500 || e.UserTime+e.SystemTime <= 0.01 {
		t.Errorf("got %+v", e)
	}
}

func TestNoZombieIsLeft(t *testing.T) {
	dir, _ := run(t, shell(t, "true"))
	pid := Read(dir).State.PID
	eventually(t, 5*time.Second, "the supervisor to be collected", func() bool { return stat(pid) == nil })
}

func TestRunsAsAnotherUser(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can become somebody else")
	}
	dir, e := run(t, shell(t, "id -u; id -g; id -G", func(s *Spec) { s.UID, s.GID, s.Dir = new(uint32(65534)), new(uint32(65533)), "/" }))
	if got := output(t, dir); got != "65534\n65533\n65533\n" {
		t.Errorf("got %q, %+v", got, e)
	}
}
