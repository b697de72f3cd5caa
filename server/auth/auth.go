// Package auth proves who somebody is: passwords, one-time links, sessions, tokens.
package auth

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"nightshift/ent/session"
	enttoken "nightshift/ent/token"
	"nightshift/server/access"
	"nightshift/server/db"
	"nightshift/server/fault"
	"nightshift/server/pubsub"
	"nightshift/server/token"
)

const (
	sessionLasts = 30 * 24 * time.Hour
	// What was found out about a secret is believed for this long: workers and pages ask many times a second. What was revoked on
	// another server stops within it; what was revoked here, at once.
	believed = 2 * time.Second
	maxKnown = 10_000
)

// Room is the auth room.
type Room struct {
	DB  *db.DB
	Bus *pubsub.Bus
	Log *slog.Logger
	// BaseURL is the server as people reach it, without a slash at the end; BasePath is its path alone.
	BaseURL, BasePath string
	// Secure marks the cookie for https only.
	Secure bool
	// Now is the server's clock; db.Now when nil.
	Now func() time.Time

	mu     sync.Mutex
	known  map[string]proof
	forgot uint64 // how often everything was forgotten

	rate   limiter
	hasher hasher
}

type proof struct {
	viewer *access.Viewer
	until  time.Time
}

func (r *Room) now() time.Time {
	if r.Now != nil {
		return r.Now().UTC().Truncate(time.Microsecond)
	}
	return db.Now()
}

var errSecret = fault.New(fault.Unauthenticated, "Sign in again: the session or token has expired, was revoked, or never existed.")

// Identify finds out who sent a session cookie or a bearer token. A secret that proves nothing is UNAUTHENTICATED; none at all is nobody.
func (r *Room) Identify(ctx context.Context, cookie, bearer string) (*access.Viewer, error) {
	switch {
	case bearer != "":
		if !plausible(bearer, token.API, token.Worker, token.Job) {
			return nil, errSecret
		}
		hash := token.Hash(bearer)
		return r.believe("bearer "+hash, func() (*access.Viewer, error) { return r.byToken(access.AsSystem(ctx), enttoken.Hash(hash)) })
	case cookie != "":
		if !plausible(cookie, token.Session) {
			return nil, errSecret
		}
		hash := token.Hash(cookie)
		return r.believe("cookie "+hash, func() (*access.Viewer, error) { return r.bySession(access.AsSystem(ctx), session.Hash(hash)) })
	}
	return &access.Viewer{}, nil
}

// Renew gives a viewer's rights as they are now; an error when they are gone. Subscriptions ask before each message they send.
func (r *Room) Renew(ctx context.Context, v *access.Viewer) (*access.Viewer, error) {
	switch {
	case v.SessionID != 0:
		return r.believe(fmt.Sprint("session ", v.SessionID), func() (*access.Viewer, error) {
			return r.bySession(access.AsSystem(ctx), session.ID(v.SessionID))
		})
	case v.TokenID != 0:
		return r.believe(fmt.Sprint("token ", v.TokenID), func() (*access.Viewer, error) {
			return r.byToken(access.AsSystem(ctx), enttoken.ID(v.TokenID))
		})
	}
	return v, nil
}

// believe takes what was found out a moment ago, or finds it out. What was asked for before a change of rights is not kept after it.
func (r *Room) believe(key string, find func() (*access.Viewer, error)) (*access.Viewer, error) {
	now := r.now()
	r.mu.Lock()
	p, ok := r.known[key]
	forgot := r.forgot
	r.mu.Unlock()
	if !ok || !now.Before(p.until) {
		v, err := find()
		if err != nil {
			return nil, err
		}
		p = proof{v, now.Add(believed)}
		r.mu.Lock()
		if r.forgot == forgot {
			if r.known == nil || len(r.known) >= maxKnown {
				r.known = map[string]proof{}
			}
			r.known[key] = p
		}
		r.mu.Unlock()
	}
	v := *p.viewer
	return &v, nil
}

// Forget drops what is believed: somebody's rights have changed here.
func (r *Room) Forget() {
	r.mu.Lock()
	r.known = nil
	r.forgot++
	r.mu.Unlock()
}

// plausible spares the database what cannot be a secret of ours.
func plausible(secret string, prefixes ...string) bool {
	return len(secret) <= 64 && slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(secret, p) })
}

// Allows tells whether a viewer's token has a scope; sessions have all.
func Allows(v *access.Viewer, scope string) bool {
	return v.Kind != access.APIToken || v.Scopes[scope]
}
