package queue

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Vault encrypts secretEnvironment at rest (AES-256-GCM). Its key is a file only the server can read; several servers share one.
type Vault struct{ aead cipher.AEAD }

// OpenVault reads the key file, or makes it at the first start.
func OpenVault(file string) (*Vault, error) {
	key, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		key = make([]byte, 32)
		rand.Read(key)
		f, cerr := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if errors.Is(cerr, fs.ErrExist) { // another server was faster
			key, err = os.ReadFile(file)
		} else if cerr != nil {
			return nil, fmt.Errorf("cannot make the key file for secrets: %w", cerr)
		} else {
			_, err = f.Write(key)
			err = errors.Join(err, f.Sync(), f.Close())
		}
	}
	if err != nil {
		return nil, fmt.Errorf("cannot use the key file for secrets %s: %w", file, err)
	}
	if len(key) != 32 {
		return nil, fmt.Errorf("the key file for secrets %s must hold 32 bytes, it holds %d", file, len(key))
	}
	if st, err := os.Stat(file); err == nil && st.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("the key file for secrets %s can be read by others: run chmod 600 on it", file)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCM(block)
	return &Vault{aead}, err
}

func (v *Vault) seal(secrets map[string]string) ([]byte, error) {
	plain, err := json.Marshal(secrets)
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, v.aead.NonceSize())
	rand.Read(nonce)
	return v.aead.Seal(nonce, nonce, plain, nil), nil
}

func (v *Vault) open(sealed []byte) (map[string]string, error) {
	n := v.aead.NonceSize()
	if len(sealed) < n {
		return nil, errors.New("a sealed secret is cut short")
	}
	plain, err := v.aead.Open(nil, sealed[:n], sealed[n:], nil)
	if err != nil {
		return nil, errors.New("a secret cannot be opened: the key file is not the one it was sealed with")
	}
	var m map[string]string
	return m, json.Unmarshal(plain, &m)
}
