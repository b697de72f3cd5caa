// Package helper carries the supervisor as a program of its own inside the product's one binary.
//
// A supervisor is started with every job. The whole product as supervisor costs some 40 ms of processor time before it does anything,
// for the sake of packages that a supervisor never uses; alone it starts in a few. `make build` builds it first and
// embeds it (build tag helper); without it the product's own verb `supervise` does the same, only slower.
package helper

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// ErrNone says that no supervisor is embedded in this build.
var ErrNone = errors.New("this build has no supervisor of its own")

// Put writes the supervisor below dir, once per version, and makes sure that it can be started there.
func Put(dir string) (path string, err error) {
	if len(program) == 0 {
		return "", ErrNone
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	sum := sha256.Sum256(program)
	name := "supervisor-" + hex.EncodeToString(sum[:8])
	path = filepath.Join(dir, name)
	if b, err := os.ReadFile(path); err != nil || sha256.Sum256(b) != sum {
		tmp := path + ".new"
		if err := os.WriteFile(tmp, program, 0o700); err != nil {
			return "", fmt.Errorf("write the supervisor: %w", err)
		}
		if err := os.Rename(tmp, path); err != nil {
			return "", fmt.Errorf("write the supervisor: %w", err)
		}
	}
	if err := os.Chmod(path, 0o700); err != nil {
		return "", err
	}
	if err := exec.Command(path, "probe").Run(); err != nil { // such as a disk mounted noexec
		return "", fmt.Errorf("the supervisor cannot be started from %s: %w", dir, err)
	}
	old, _ := filepath.Glob(filepath.Join(dir, "supervisor-*"))
	for _, p := range old {
		if p != path {
			_ = os.Remove(p) // those that run keep it
		}
	}
	return path, nil
}
