package client

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

// Temporary tells whether the same request may well succeed later: the network, a server that is away, busy or ill. A refusal of the
// request itself is not temporary, nor is the end of the caller's own context.
func Temporary(err error) bool {
	if err == nil || errors.Is(err, context.Canceled) {
		return false
	}
	if e := As(err); e != nil {
		return e.Code == Busy || e.Code == Internal || e.Code == RateLimited || e.Status >= 500
	}
	return Unanswered(err)
}

// Backoff is a growing, jittered pause between attempts. The zero value begins at 100 ms and stays under 5 s.
type Backoff struct {
	Min, Max time.Duration
	attempt  int
}

// Next is how long to wait before the next attempt.
func (b *Backoff) Next() time.Duration {
	lo, hi := b.Min, b.Max
	if lo <= 0 {
		lo = 100 * time.Millisecond
	}
	if hi <= 0 {
		hi = 5 * time.Second
	}
	d := min(lo<<min(b.attempt, 20), hi)
	b.attempt++
	return d/2 + rand.N(d/2+1)
}

// Reset begins anew, after a success.
func (b *Backoff) Reset() { b.attempt = 0 }

// Sleep waits for the next attempt; false when ctx ended.
func (b *Backoff) Sleep(ctx context.Context) bool { return Sleep(ctx, b.Next()) }

// Sleep waits; false when ctx ended.
func Sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}

// Retry calls f until it succeeds, fails for good or ctx ends. Use it only for what may be done twice.
func Retry(ctx context.Context, f func(context.Context) error) error {
	var b Backoff
	for {
		err := f(ctx)
		if !Temporary(err) || ctx.Err() != nil {
			return err
		}
		if !b.Sleep(ctx) {
			return err
		}
	}
}
