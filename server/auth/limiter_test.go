package auth

import (
	"fmt"
	"testing"
	"time"
)

func TestLimiterLetsABurstThroughAndThenOneAtATime(t *testing.T) {
	var l limiter
	now := time.Unix(1e9, 0)
	x := limit{"k", 3, 6 * time.Second}
	for i := range 3 {
		if wait := l.take(now, x); wait != 0 {
			t.Fatal(i, wait)
		}
	}
	if wait := l.take(now, x); wait != 6*time.Second {
		t.Fatal(wait)
	}
	if wait := l.take(now.Add(4*time.Second), x); wait.Round(time.Millisecond) != 2*time.Second {
		t.Fatal(wait)
	}
	now = now.Add(6 * time.Second)
	if l.take(now, x) != 0 || l.take(now, x) == 0 {
		t.Fatal("after the wait exactly one is let through")
	}
	now = now.Add(time.Hour)
	for range 3 {
		if l.take(now, x) != 0 {
			t.Fatal("it fills up again")
		}
	}
	if l.take(now, x) == 0 {
		t.Fatal("but not beyond the burst")
	}
}

func TestDeniedAttemptTakesNothingFromTheOtherLimit(t *testing.T) {
	var l limiter
	now := time.Unix(1e9, 0)
	from, name := limit{"from", 1, time.Hour}, limit{"name", 2, time.Hour}
	l.take(now, from, name)
	for range 50 {
		if l.take(now, from, name) == 0 {
			t.Fatal("let through")
		}
	}
	if l.take(now, name) != 0 {
		t.Fatal("a refused address used up somebody's attempts")
	}
}

func TestGoodAttemptIsGivenBack(t *testing.T) {
	var l limiter
	now := time.Unix(1e9, 0)
	x := limit{"k", 2, time.Hour}
	for range 100 {
		if l.take(now, x) != 0 {
			t.Fatal("refused")
		}
		l.giveBack(now, x)
	}
	l.take(now, x)
	l.take(now, x)
	l.forget(x)
	if l.take(now, x) != 0 {
		t.Fatal("forgotten, yet refused")
	}
}

func TestLimiterRemembersABoundedNumberAndKeepsTheBusyOnes(t *testing.T) {
	var l limiter
	now := time.Unix(1e9, 0)
	for i := range 3 * maxRemembered {
		l.take(now.Add(time.Duration(i)*time.Millisecond), byName(fmt.Sprint("name", i)))
	}
	if n := len(l.seen); n > maxRemembered {
		t.Fatal(n)
	}
	huge := byName(string(make([]byte, 1<<20)))
	if len(huge.key) > 100 {
		t.Fatal("a long name is kept whole")
	}
}

func TestAddressesOfOneNetworkCountTogether(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"2001:db8::1", "2001:db8::2", true}, {"2001:db8::1", "2001:db8:0:1::1", false}, {"10.0.0.1", "10.0.0.2", false},
		{"::ffff:10.0.0.1", "10.0.0.1", true}, {"fe80::1%eth0", "fe80::2%eth1", true}, {"", "", true},
	} {
		if same := fromAddress(c.a).key == fromAddress(c.b).key; same != c.same {
			t.Errorf("%s and %s: %v", c.a, c.b, same)
		}
	}
}
