package logframe

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func maskAll(m *Masker, text string, size int) string {
	var out []byte
	for _, p := range pieces(text, size) {
		out = append(out, m.Mask(Stdout, []byte(p), false)...)
	}
	return string(append(out, m.Mask(Stdout, nil, true)...))
}

func TestMask(t *testing.T) {
	pem := "-----BEGIN-----\nabcdefgh\r\nxy\n-----END-----\n"
	for _, c := range []struct {
		secrets    []string
		text, want string
	}{
		{[]string{"secret"}, "no such thing", "no such thing"},
		{[]string{"secret"}, "a secret, secretsecret and secre", "a ***, ****** and secre"},
		{[]string{"abc-def_123/ghi+jkl="}, "token is abc-def_123/ghi+jkl=\n", "token is ***\n"},
		{[]string{"short", ""}, "short stays", "short stays"},
		{[]string{"abcdef", "abcdefghi"}, "abcdefghi abcdefgh", "*** ***gh"},
		{[]string{"abcdef", "defghi"}, "abcdefghi|abcdefgh|xdefghi", "***|***gh|x***"},
		{[]string{"bcdefg", "abcdefghij"}, "abcdefghij abcdefghi", "*** a***hi"},
		{[]string{"aaaaaa"}, "aaaaaaaaa b aaaaa", "*** b aaaaa"},
		{[]string{"abcabc"}, "abcabcabc|ababcabc", "***|ab***"},
		{[]string{"pässwörd夜"}, "x pässwörd夜y", "x ***y"},
		{[]string{"\x00\xff\x00\xff\x00\xff"}, "a\x00\xff\x00\xff\x00\xffb", "a***b"},
		{[]string{pem}, "whole:\n" + pem + ".", "whole:\n***."},
		{[]string{pem}, "abcdefgh|xy|-----END-----", "***|xy|***"},
		{[]string{pem}, strings.TrimRight(pem, "\n") + "|", "***|"},
		{[]string{"line one\nline two\n"}, "line one\nline two|line two\nline one", "***|***\n***"},
	} {
		for size := 1; size <= len(c.text); size++ {
			m := NewMasker(c.secrets...)
			if got := maskAll(m, c.text, size); got != c.want {
				t.Fatalf("%q in %q by %d: %q, want %q", c.secrets, c.text, size, got, c.want)
			}
			if !m.Idle() {
				t.Error("bytes are left")
			}
		}
		if got := NewMasker(c.secrets...).MaskString(c.text); got != c.want {
			t.Errorf("MaskString: %q", got)
		}
	}
}

// The script of cases/log/secret.sh: whole, in two halves, decoded.
func TestMaskCase(t *testing.T) {
	token := "abc-def_123/ghi+jkl="
	decoded, _ := base64.StdEncoding.DecodeString("abc+def/123/ghi+jkl=")
	m := NewMasker(token)
	var out []byte
	for _, p := range []string{"token is " + token + "\n", "half abc-def", "_123/ghi+jkl=\n", string(decoded) + "\n"} {
		out = append(out, m.Mask(Stdout, []byte(p), false)...)
	}
	out = append(out, m.Mask(Stdout, nil, true)...)
	if want := "token is ***\nhalf ***\n" + string(decoded) + "\n"; string(out) != want {
		t.Errorf("%q", out)
	}
}

func TestMaskHoldsOnlyWhatCouldBeginASecret(t *testing.T) {
	m := NewMasker("secret", "seven77")
	for _, c := range []struct{ in, out string }{{"hello\n", "hello\n"}, {"hello s", "hello "}, {"e", ""}, {"v", ""}, {"x", "sevx"}, {"secre", ""}, {"sec", "secre"}} {
		if got := m.Mask(Stderr, []byte(c.in), false); string(got) != c.out {
			t.Errorf("%q: %q, want %q", c.in, got, c.out)
		}
	}
	if got := m.Mask(Stdout, []byte("ret"), false); string(got) != "ret" {
		t.Errorf("the streams run together: %q", got)
	}
	if m.Idle() {
		t.Error("idle")
	}
}

func TestNoSecretsCostNothing(t *testing.T) {
	m := NewMasker("", "short")
	p := []byte("text")
	if m != nil || &m.Mask(Stdout, p, false)[0] != &p[0] || m.MaskString("x") != "x" || !m.Idle() {
		t.Error("not free")
	}
	m = NewMasker("secret")
	if n := testing.AllocsPerRun(100, func() { m.Mask(Stdout, p, false) }); n > 1 {
		t.Errorf("%v allocations", n)
	}
}

func TestMaskSecretOfEveryByte(t *testing.T) {
	var all []byte
	for i := range 256 {
		all = append(all, byte(i))
	}
	if got := NewMasker(string(all)).MaskString("x" + string(all) + "y"); got != "x***y" {
		t.Errorf("%q", got)
	}
}

func FuzzMask(f *testing.F) {
	f.Add("secret", "crets3", []byte("a secrets3 secre"), []byte{1, 3})
	f.Add("aaaaaa", "aabaaabaa", []byte("aaaabaaabaaabaaaaaaa"), []byte{2})
	f.Add("abcdef\nghijkl", "fghijk", []byte("abcdef\nghijklabcdefghijk"), []byte{5, 1})
	f.Fuzz(func(t *testing.T, a, b string, text, sizes []byte) {
		if strings.Contains(a+b, "*") { // the mask itself could complete such a one
			return
		}
		text = bytes.ReplaceAll(text, []byte("A"), []byte(a))
		text = bytes.ReplaceAll(text, []byte("B"), []byte(b))
		if len(text) > 10_000 {
			return
		}
		m := NewMasker(a, b)
		if m == nil {
			return
		}
		var out []byte
		for i, k := 0, 0; i < len(text); k++ {
			size := 1
			if len(sizes) > 0 {
				size += int(sizes[k%len(sizes)]) % 16
			}
			j := min(i+size, len(text))
			out = append(out, m.Mask(Stdout, text[i:j], false)...)
			i = j
		}
		out = append(out, m.Mask(Stdout, nil, true)...)
		words := secretWords([]string{a, b})
		for _, w := range words {
			if bytes.Contains(out, []byte(w)) {
				t.Fatalf("%q is left in %q", w, out)
			}
		}
		if want := slowMask(text, words); string(out) != want {
			t.Fatalf("%q, want %q", out, want)
		}
	})
}

// Secrets of two letters overlap in every way there is.
func TestMaskOverlaps(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	word := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = "aaabb\n"[r.IntN(6)]
		}
		return string(b)
	}
	for range 3000 {
		secrets := []string{word(6 + r.IntN(6)), word(6 + r.IntN(3)), word(r.IntN(20))}
		text := word(40) + secrets[0][:r.IntN(6)] + secrets[1] + word(5) + secrets[2] + word(r.IntN(9))
		m := NewMasker(secrets...)
		want := slowMask([]byte(text), secretWords(secrets))
		var out []byte
		for rest := text; rest != ""; {
			n := min(len(rest), 1+r.IntN(9))
			out = append(out, m.Mask(Stderr, []byte(rest[:n]), false)...)
			rest = rest[n:]
		}
		out = append(out, m.Mask(Stderr, nil, true)...)
		if string(out) != want {
			t.Fatalf("%q in %q: %q, want %q", secrets, text, out, want)
		}
	}
}

// slowMask says what masking means: every byte of every occurrence; overlapping ones are one.
func slowMask(text []byte, words []string) string {
	start, inside := make([]bool, len(text)), make([]bool, len(text)) // inside: joined with the byte before
	hit := make([]bool, len(text))
	for _, w := range words {
		for i := range text {
			if bytes.HasPrefix(text[i:], []byte(w)) {
				start[i] = true
				for j := range len(w) {
					hit[i+j] = true
					if j > 0 {
						inside[i+j] = true
					}
				}
			}
		}
	}
	var out strings.Builder
	for i, c := range text {
		switch {
		case !hit[i]:
			out.WriteByte(c)
		case !inside[i]:
			out.WriteString(masked)
		}
	}
	return out.String()
}

func ExampleMasker() {
	m := NewMasker("hunter22")
	fmt.Printf("%s|", m.Mask(Stdout, []byte("password hunt"), false))
	fmt.Printf("%s|", m.Mask(Stdout, []byte("er22 accepted"), false))
	// Output: password |*** accepted|
}
