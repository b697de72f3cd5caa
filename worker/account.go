package worker

import (
	"fmt"
	"os"
	"os/user"
	"strconv"
)

// account is the user that jobs run as.
type account struct {
	name, home string
	uid, gid   int
	groups     []uint32
	other      bool // not the worker's own: the worker is root
}

// lookUp finds the user jobs run as; the worker's own when name is empty.
func lookUp(name string) (*account, error) {
	if name == "" {
		a := &account{uid: os.Getuid(), gid: os.Getgid()}
		a.home, _ = os.UserHomeDir()
		if u, err := user.Current(); err == nil {
			a.name = u.Username
			if a.home == "" {
				a.home = u.HomeDir
			}
		}
		if a.home == "" {
			a.home = "/"
		}
		return a, nil
	}
	u, err := user.Lookup(name)
	if err != nil {
		return nil, fmt.Errorf("jobs cannot run as %q: there is no such user on this host", name)
	}
	a := &account{name: u.Username, home: u.HomeDir}
	if a.uid, err = strconv.Atoi(u.Uid); err != nil {
		return nil, fmt.Errorf("user %q has the id %q", name, u.Uid)
	}
	if a.gid, err = strconv.Atoi(u.Gid); err != nil {
		return nil, fmt.Errorf("user %q has the group %q", name, u.Gid)
	}
	ids, err := u.GroupIds()
	if err != nil {
		return nil, fmt.Errorf("find the groups of user %q: %w", name, err)
	}
	for _, id := range ids {
		if n, err := strconv.Atoi(id); err == nil {
			a.groups = append(a.groups, uint32(n))
		}
	}
	a.other = a.uid != os.Getuid()
	if a.other && os.Getuid() != 0 {
		return nil, fmt.Errorf("jobs can run as %q only when the worker runs as root", name)
	}
	return a, nil
}

// own gives a file or directory to the user.
func (a *account) own(path string) error {
	if !a.other {
		return nil
	}
	return os.Lchown(path, a.uid, a.gid)
}
