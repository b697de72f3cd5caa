// Package token mints secrets and compares them: random, prefixed so that a leak can be searched for, stored only as a hash.
package token

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"strings"
)

// The prefixes of the kinds of secret.
const (
	API     = "nsa_"
	Worker  = "nsw_"
	Job     = "nsj_"
	Session = "nss_"
	Link    = "nsl_"
	Lease   = "lease_"
)

// Mint makes a secret of 256 random bits with a prefix.
func Mint(prefix string) string {
	b := make([]byte, 32)
	rand.Read(b) // never fails: crypto/rand ends the program instead
	return prefix + base64.RawURLEncoding.EncodeToString(b)
}

// Hash is what is stored of a secret. A plain SHA-256 is enough for 256 random bits; passwords go through argon2id instead.
func Hash(secret string) string {
	h := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(h[:])
}

// Matches compares a secret with a stored hash in constant time.
func Matches(secret, hash string) bool {
	return hash != "" && subtle.ConstantTimeCompare([]byte(Hash(secret)), []byte(hash)) == 1
}

// Hint is the start of a secret that may be shown.
func Hint(secret string) string {
	if len(secret) < 12 {
		return ""
	}
	return secret[:strings.IndexByte(secret, '_')+5]
}
