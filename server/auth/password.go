package auth

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"

	"nightshift/server/fault"
)

// What argon2id costs: 19 MiB and two passes (decisions.md).
type cost struct{ memoryKiB, passes, lanes int }

var usual = cost{19 * 1024, 2, 1}

const (
	keyBytes     = 32
	saltBytes    = 16
	minPassword  = 10
	maxPassword  = 256
	atOnce       = 2  // a flood of sign-ins must not take the server's memory
	maxInTheLine = 64 // nor pile up
)

// hasher derives keys, two at a time.
type hasher struct {
	once  sync.Once
	slots chan struct{}
	line  atomic.Int32
}

func (h *hasher) derive(ctx context.Context, password string, salt []byte, c cost, size int) ([]byte, error) {
	h.once.Do(func() { h.slots = make(chan struct{}, atOnce) })
	if h.line.Add(1) > maxInTheLine {
		h.line.Add(-1)
		return nil, fault.New(fault.Busy, "Too many people sign in at this moment. Try again.")
	}
	defer h.line.Add(-1)
	select {
	case h.slots <- struct{}{}:
		defer func() { <-h.slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return argon2.IDKey([]byte(password), salt, uint32(c.passes), uint32(c.memoryKiB), uint8(c.lanes), uint32(size)), nil
}

// hash is a password as it is stored, in the PHC string format.
func (h *hasher) hash(ctx context.Context, password string) (string, error) {
	salt := make([]byte, saltBytes)
	rand.Read(salt)
	key, err := h.derive(ctx, password, salt, usual, keyBytes)
	if err != nil {
		return "", err
	}
	b64 := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, usual.memoryKiB, usual.passes, usual.lanes, b64.EncodeToString(salt), b64.EncodeToString(key)), nil
}

// check takes as long for a user that does not exist, or has no password, as for a wrong password.
func (h *hasher) check(ctx context.Context, password, stored string) (bool, error) {
	c, salt, want, ok := parse(stored)
	if len(password) > 4*maxPassword {
		password, ok = "", false
	}
	if !ok {
		c, salt, want = usual, make([]byte, saltBytes), make([]byte, keyBytes)
	}
	got, err := h.derive(ctx, password, salt, c, len(want))
	if err != nil {
		return false, err
	}
	return subtle.ConstantTimeCompare(got, want) == 1 && ok, nil
}

// parse reads a PHC string; what would cost far more than ours is not ours.
func parse(stored string) (c cost, salt, key []byte, ok bool) {
	parts := strings.Split(stored, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return c, nil, nil, false
	}
	if n, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &c.memoryKiB, &c.passes, &c.lanes); err != nil || n != 3 {
		return c, nil, nil, false
	}
	salt, err1 := base64.RawStdEncoding.DecodeString(parts[4])
	key, err2 := base64.RawStdEncoding.DecodeString(parts[5])
	fair := c.memoryKiB >= 8 && c.memoryKiB <= 256*1024 && c.passes >= 1 && c.passes <= 10 && c.lanes >= 1 && c.lanes <= 8
	return c, salt, key, fair && err1 == nil && err2 == nil && len(salt) >= 8 && len(key) >= 16 && len(key) <= 64
}

func goodPassword(p string) error {
	if n := utf8.RuneCountInString(p); n < minPassword || n > maxPassword {
		return fault.Invalid("newPassword", "A password has %d to %d characters.", minPassword, maxPassword)
	}
	return nil
}
