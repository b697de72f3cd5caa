package auth

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"

	"nightshift/server/fault"
)

// argon2id with 19 MiB and two passes (decisions.md). Two at a time: a flood of sign-ins must not take the server's memory.
const (
	argonMemory = 19 * 1024
	argonTime   = 2
	argonKey    = 32
)

var slots = make(chan struct{}, 2)

func derive(ctx context.Context, password string, salt []byte) ([]byte, error) {
	select {
	case slots <- struct{}{}:
		defer func() { <-slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return argon2.IDKey([]byte(password), salt, argonTime, argonMemory, 1, argonKey), nil
}

func hashPassword(ctx context.Context, password string) (string, error) {
	salt := make([]byte, 16)
	rand.Read(salt)
	key, err := derive(ctx, password, salt)
	if err != nil {
		return "", err
	}
	b64 := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=19$m=%d,t=%d,p=1$%s$%s", argonMemory, argonTime, b64.EncodeToString(salt), b64.EncodeToString(key)), nil
}

// checkPassword takes as long for a user that does not exist as for a wrong password.
func checkPassword(ctx context.Context, password, stored string) (bool, error) {
	parts := strings.Split(stored, "$")
	salt, want := make([]byte, 16), []byte(nil)
	if len(parts) == 6 && parts[1] == "argon2id" {
		b64 := base64.RawStdEncoding
		s, err1 := b64.DecodeString(parts[4])
		k, err2 := b64.DecodeString(parts[5])
		if err1 == nil && err2 == nil {
			salt, want = s, k
		}
	}
	got, err := derive(ctx, password, salt)
	return err == nil && len(want) > 0 && subtle.ConstantTimeCompare(got, want) == 1, err
}

func goodPassword(p string) error {
	if n := utf8.RuneCountInString(p); n < 10 || n > 256 {
		return fault.Invalid("newPassword", "A password has 10 to 256 characters.")
	}
	return nil
}
