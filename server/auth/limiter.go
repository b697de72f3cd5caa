package auth

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// limiter slows down guessing: ten attempts at once per name and per address, then one every six seconds. What it remembers is bounded.
type limiter struct {
	mu   sync.Mutex
	seen map[string]*rate.Limiter
}

const maxRemembered = 20_000

// allow takes an attempt; else it says how long to wait.
func (l *limiter) allow(keys ...string) (time.Duration, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.seen == nil || len(l.seen) > maxRemembered {
		l.seen = map[string]*rate.Limiter{}
	}
	now := time.Now()
	for _, k := range keys {
		x := l.seen[k]
		if x == nil {
			x = rate.NewLimiter(rate.Every(6*time.Second), 10)
			l.seen[k] = x
		}
		if r := x.ReserveN(now, 1); r.DelayFrom(now) > 0 {
			d := r.DelayFrom(now)
			r.CancelAt(now)
			return d, false
		}
	}
	return 0, true
}

// clear forgets a name after it has signed in.
func (l *limiter) clear(key string) {
	l.mu.Lock()
	delete(l.seen, key)
	l.mu.Unlock()
}
