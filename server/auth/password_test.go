package auth

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"nightshift/server/fault"
)

func TestPasswordIsStoredAsAPHCStringAndChecked(t *testing.T) {
	ctx := context.Background()
	h := new(hasher)
	stored, err := h.hash(ctx, "パスワード十文字以上です")
	if err != nil || !strings.HasPrefix(stored, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Fatal(stored, err)
	}
	if again, _ := h.hash(ctx, "パスワード十文字以上です"); again == stored {
		t.Fatal("the salt is not random")
	}
	for p, want := range map[string]bool{"パスワード十文字以上です": true, "パスワード十文字以上です ": false, "": false, strings.Repeat("x", 1<<20): false} {
		if ok, err := h.check(ctx, p, stored); ok != want || err != nil {
			t.Errorf("%.20q: %v, %v", p, ok, err)
		}
	}
}

func TestPasswordHashedAtAnotherCostStillWorks(t *testing.T) {
	h, ctx, salt := new(hasher), context.Background(), []byte("some salt of sixteen bytes")
	key, err := h.derive(ctx, "password", salt, cost{256, 3, 2}, 24)
	if err != nil {
		t.Fatal(err)
	}
	b64 := base64.RawStdEncoding.EncodeToString
	known := "$argon2id$v=19$m=256,t=3,p=2$" + b64(salt) + "$" + b64(key)
	for p, want := range map[string]bool{"password": true, "Password": false} {
		if ok, err := h.check(ctx, p, known); ok != want || err != nil {
			t.Fatal(p, ok, err)
		}
	}
}

func TestWhatIsNoHashMatchesNoPassword(t *testing.T) {
	for _, stored := range []string{"", "password", "$argon2id$", "$argon2id$v=19$m=19456,t=2,p=1$$", "$argon2i$v=19$m=256,t=2,p=1$c29tc2FsdA$nf65EOgLrQMR",
		"$argon2id$v=19$m=99999999,t=2,p=1$c29tc2FsdA$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4", "$argon2id$v=19$m=256,t=2,p=1$c29tc2FsdA$" + strings.Repeat("A", 22)} {
		for _, p := range []string{"", "password", stored} {
			if ok, err := new(hasher).check(context.Background(), p, stored); ok || err != nil {
				t.Errorf("%q matches %q (%v)", p, stored, err)
			}
		}
	}
}

func TestPasswordHas10To256Characters(t *testing.T) {
	for p, want := range map[string]bool{"123456789": false, "1234567890": true, "十文字十文字十文字十": true, "十文字": false, strings.Repeat("x", 256): true, strings.Repeat("x", 257): false} {
		if err := goodPassword(p); (err == nil) != want {
			t.Errorf("%.12q: %v", p, err)
		}
	}
}

func TestTwoHashesAtATimeAndTheLineIsBounded(t *testing.T) {
	h := new(hasher)
	h.check(context.Background(), "", "") // makes the slots
	h.slots <- struct{}{}
	h.slots <- struct{}{}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, maxInTheLine+10)
	for range maxInTheLine {
		go func() { _, err := h.check(ctx, "x", ""); done <- err }()
	}
	for deadline := time.Now().Add(10 * time.Second); h.line.Load() < maxInTheLine; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("they do not wait")
		}
	}
	if _, err := h.check(context.Background(), "x", ""); !fault.Is(err, fault.Busy) {
		t.Fatal(err)
	}
	cancel()
	for range maxInTheLine {
		if err := <-done; err != context.Canceled {
			t.Fatal(err)
		}
	}
	if h.line.Load() != 0 {
		t.Fatal("somebody is still counted")
	}
}

func TestUnknownUserTakesAsLongAsAWrongPassword(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.userWithPassword("ada")
		w.user("bob", false) // has no password yet
		took := map[string]time.Duration{}
		for _, name := range []string{"ada", "bob", "nobody", "not a name\x00"} {
			best := time.Hour
			for i := range 3 {
				began := time.Now()
				_, err := w.SignIn(w.from(fmt.Sprintf("10.0.0.%d", i)).ctx, name, "wrong password")
				best = min(best, time.Since(began))
				w.wants(err, fault.Unauthenticated)
				if err.Error() != errPassword.Error() {
					t.Fatal(err)
				}
			}
			took[name] = best
		}
		for name, d := range took {
			if d < took["ada"]/4 {
				t.Errorf("%q answers after %v, a wrong password after %v", name, d, took["ada"])
			}
		}
	})
}
