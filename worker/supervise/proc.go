package supervise

import (
	"bytes"
	"crypto/rand"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// pids lists the processes of this machine.
func pids() (out []int) {
	d, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer d.Close()
	names, _ := d.Readdirnames(-1)
	for _, n := range names {
		if pid, err := strconv.Atoi(n); err == nil {
			out = append(out, pid)
		}
	}
	return out
}

// closeStrays closes what the worker had itself inherited without close-on-exec: a lock or a pipe of somebody who would wait for the end
// of a job, and which no job may see.
func closeStrays() {
	d, err := os.Open("/proc/self/fd")
	if err != nil {
		return
	}
	defer d.Close()
	names, _ := d.Readdirnames(-1)
	for _, n := range names {
		fd, err := strconv.Atoi(n)
		if err != nil || fd <= 2 {
			continue
		}
		if flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err == nil && flags&unix.FD_CLOEXEC == 0 {
			unix.Close(fd)
		}
	}
}

// stat returns the fields of /proc/PID/stat from the third on; the second, the name, may hold anything.
func stat(pid int) []string {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	i := bytes.LastIndexByte(b, ')')
	if err != nil || i < 0 {
		return nil
	}
	return strings.Fields(string(b[i+1:]))
}

// descendants are the living processes below us.
func descendants() []int { return below(family(), os.Getpid()) }

// family lists the living children of every process.
func family() map[int][]int {
	kids := map[int][]int{}
	for _, pid := range pids() {
		f := stat(pid)
		if len(f) < 2 || f[0] == "Z" || f[0] == "X" {
			continue
		}
		parent, _ := strconv.Atoi(f[1])
		kids[parent] = append(kids[parent], pid)
	}
	return kids
}

func below(kids map[int][]int, pid int) (out []int) {
	for _, k := range kids[pid] {
		out = append(append(out, k), below(kids, k)...)
	}
	return out
}

func signalTree(sig syscall.Signal) {
	for _, pid := range descendants() {
		syscall.Kill(pid, sig)
	}
}

// killMarked kills every process with the variable in its environment, and all below it, whose environment may be another: `env -i`, or a
// server that writes its title over it. It returns those it could kill.
func killMarked(variable string) (killed []int) {
	kids := family()
	seen := map[int]bool{os.Getpid(): true}
	for _, pid := range pids() {
		if seen[pid] || !marked(pid, variable) {
			continue
		}
		for _, p := range append([]int{pid}, below(kids, pid)...) {
			if !seen[p] && syscall.Kill(p, syscall.SIGKILL) == nil {
				killed = append(killed, p)
			}
			seen[p] = true
		}
	}
	return killed
}

func marked(pid int, variable string) bool {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	return err == nil && slices.ContainsFunc(bytes.Split(b, []byte{0}), func(v []byte) bool { return string(v) == variable })
}

// began is when a process was started, in clock ticks after boot; 0 when there is none.
func began(pid int) uint64 {
	f := stat(pid)
	if len(f) < 20 {
		return 0
	}
	n, _ := strconv.ParseUint(f[19], 10, 64)
	return n
}

// BootID tells one boot of the host from another.
func BootID() string {
	b, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(b))
}

// oomKills counts the kernel's out-of-memory kills on this machine.
func oomKills() int64 {
	b, _ := os.ReadFile("/proc/vmstat")
	_, rest, found := strings.Cut(string(b), "\noom_kill ")
	if !found {
		return 0
	}
	line, _, _ := strings.Cut(rest, "\n")
	n, _ := strconv.ParseInt(line, 10, 64)
	return n
}

func newToken() string { return rand.Text() }
