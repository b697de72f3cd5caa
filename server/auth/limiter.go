package auth

import (
	"math"
	"net/netip"
	"sync"
	"time"
)

// limit is how many attempts one key may make at once, and how soon it gets another.
type limit struct {
	key   string
	burst float64
	every time.Duration
}

// byName slows down guessing one person's password, fromAddress guessing many people's.
func byName(name string) limit {
	return limit{"name " + name[:min(len(name), 64)], 10, 6 * time.Second}
}

func fromAddress(address string) limit {
	if ip, err := netip.ParseAddr(address); err == nil {
		if ip = ip.Unmap(); ip.Is6() { // whoever has one address of a network has them all
			if p, err := ip.WithZone("").Prefix(64); err == nil {
				address = p.String()
			}
		} else {
			address = ip.String()
		}
	}
	return limit{"from " + address, 30, 2 * time.Second}
}

// limiter counts attempts. What it remembers is bounded.
type limiter struct {
	mu   sync.Mutex
	seen map[string]bucket
}

type bucket struct {
	left float64
	full time.Time // when all of it is there again
	at   time.Time
}

const maxRemembered = 20_000

// take takes an attempt from each; where one has none left, nothing is taken and the wait is told.
func (l *limiter) take(now time.Time, limits ...limit) (wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.seen == nil {
		l.seen = map[string]bucket{}
	}
	for _, x := range limits {
		if b, ok := l.seen[x.key]; ok {
			if left := b.now(now, x); left < 1 {
				wait = max(wait, time.Duration((1-left)*float64(x.every)))
			}
		}
	}
	if wait > 0 {
		return wait
	}
	for _, x := range limits {
		b, ok := l.seen[x.key]
		left := x.burst
		if ok {
			left = b.now(now, x)
		} else if len(l.seen) >= maxRemembered {
			l.evict(now)
		}
		l.put(now, x, left-1)
	}
	return 0
}

func (l *limiter) put(now time.Time, x limit, left float64) {
	l.seen[x.key] = bucket{left, now.Add(time.Duration((x.burst - left) * float64(x.every))), now}
}

func (b bucket) now(now time.Time, x limit) float64 {
	return math.Min(x.burst, b.left+float64(now.Sub(b.at))/float64(x.every))
}

// giveBack: the attempt was a good one.
func (l *limiter) giveBack(now time.Time, x limit) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if b, ok := l.seen[x.key]; ok {
		l.put(now, x, math.Min(x.burst, b.now(now, x)+1))
	}
}

// forget gives back all attempts of a key.
func (l *limiter) forget(x limit) {
	l.mu.Lock()
	delete(l.seen, x.key)
	l.mu.Unlock()
}

// evict makes room: first those that may try as often as anybody new, then any, so that a flood of names cannot take the memory.
func (l *limiter) evict(now time.Time) {
	for k, b := range l.seen {
		if !b.full.After(now) {
			delete(l.seen, k)
		}
	}
	for k := range l.seen {
		if len(l.seen) < maxRemembered*3/4 {
			return
		}
		delete(l.seen, k)
	}
}
