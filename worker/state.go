package worker

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// state is the worker's directory.
//
//	lock         held while a worker lives; its content is that worker's process id
//	host-id      a stable id of this host, where it has none of its own
//	status.json  what `worker status` shows
//	drain        the process id of the worker that is asked to drain
//	jobs/<uuid>  one directory per job: job.json (0600), process/ (the supervisor's), params.json, inputs/, outputs/, files/
type state struct {
	dir  string
	lock *os.File
	as   *account
}

// mode is what directories on the way to a job's files get: jobs of another user must be able to pass through, not to look around.
func (as *account) mode() os.FileMode {
	if as.other {
		return 0o711
	}
	return 0o700
}

func openState(dir string, as *account) (*state, error) {
	if dir == "" {
		return nil, errors.New("a state directory is needed: --state DIR")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(dir, "jobs"), 0o700); err != nil {
		return nil, fmt.Errorf("make the state directory: %w", err)
	}
	for _, d := range []string{dir, filepath.Join(dir, "jobs")} {
		if err := os.Chmod(d, as.mode()); err != nil {
			return nil, fmt.Errorf("the state directory must belong to the user the worker runs as: %w", err)
		}
	}
	lock, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the state directory's lock: %w", err)
	}
	if err := takeLock(int(lock.Fd())); err != nil {
		lock.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("another worker (process %s) is already running on %s: stop it, or give this one another --state directory", lockHolder(dir), dir)
		}
		return nil, fmt.Errorf("lock the state directory: %w", err)
	}
	if err := lock.Truncate(0); err == nil {
		_, _ = lock.WriteAt([]byte(strconv.Itoa(os.Getpid())), 0)
	}
	return &state{dir: dir, lock: lock, as: as}, nil
}

// takeLock tries for a moment: whoever asks for the worker's status holds the lock for an instant, and so does what a killed worker had
// just forked; another worker holds it for good.
func takeLock(fd int) (err error) {
	for range 50 {
		if err = syscall.Flock(fd, syscall.LOCK_EX|syscall.LOCK_NB); !errors.Is(err, syscall.EWOULDBLOCK) {
			return err
		}
		time.Sleep(10 * time.Millisecond)
	}
	return err
}

func (s *state) close() {
	_ = s.lock.Truncate(0)
	s.lock.Close()
}

func lockHolder(dir string) string {
	b, _ := os.ReadFile(filepath.Join(dir, "lock"))
	if len(b) == 0 {
		return "unknown"
	}
	return string(b)
}

func (s *state) jobDir(id string) string { return filepath.Join(s.dir, "jobs", id) }

// readJobs are the jobs on disk. A directory without a readable record is what an interrupted write or removal left: nothing was
// started from it, or all of it was acknowledged.
func (s *state) readJobs() ([]*record, error) {
	entries, err := os.ReadDir(filepath.Join(s.dir, "jobs"))
	if err != nil {
		return nil, fmt.Errorf("read the jobs on disk: %w", err)
	}
	var out []*record
	for _, e := range entries {
		r, err := readRecord(s.jobDir(e.Name()))
		if errors.Is(err, fs.ErrNotExist) || err == nil && r.Job.JobId != e.Name() {
			_ = removeAll(s.jobDir(e.Name()))
			continue
		} else if err != nil {
			return nil, fmt.Errorf("job %s on disk cannot be read: %w", e.Name(), err)
		}
		out = append(out, r)
	}
	return out, nil
}

// removeAll removes a directory even where a job took away its own rights to it.
func removeAll(dir string) error {
	// job.json goes first: a half removed job is one that is over.
	_ = os.Remove(filepath.Join(dir, recordFile))
	err := os.RemoveAll(dir)
	if err == nil {
		return nil
	}
	_ = filepath.WalkDir(dir, func(p string, d fs.DirEntry, _ error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(p, 0o700)
		}
		return nil
	})
	return os.RemoveAll(dir)
}

// writeFile replaces a file at once: a reader sees the old one or the new one.
func writeFile(path string, data []byte, mode os.FileMode) error {
	tmp := path + ".new"
	f, err := os.OpenFile(tmp, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		os.Remove(tmp)
		return err
	}
	return os.Rename(tmp, path)
}

func writeJSON(path string, v any, mode os.FileMode) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return writeFile(path, b, mode)
}

// hostInfo tells this host, and its present boot, from others.
type hostInfo struct{ hostname, hostID, bootID string }

func readHost(s *state) (hostInfo, error) {
	var h hostInfo
	h.hostname, _ = os.Hostname()
	h.bootID = bootID()
	h.hostID = readTrimmed("/etc/machine-id")
	if h.hostID == "" {
		path := filepath.Join(s.dir, "host-id")
		if h.hostID = readTrimmed(path); h.hostID == "" {
			h.hostID = randomID()
			if err := writeFile(path, []byte(h.hostID+"\n"), 0o600); err != nil {
				return h, fmt.Errorf("keep an id for this host: %w", err)
			}
		}
	}
	return h, nil
}

func bootID() string {
	if id := readTrimmed("/proc/sys/kernel/random/boot_id"); id != "" {
		return id
	}
	return "unknown"
}

func readTrimmed(path string) string {
	b, _ := os.ReadFile(path)
	return strings.TrimSpace(string(b))
}

func randomID() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}
