// Package graph is the desk: it takes a request, calls one room and returns. It knows no rules.
package graph

import (
	"context"
	"log/slog"

	"nightshift/server/access"
	"nightshift/server/auth"
	"nightshift/server/db"
	"nightshift/server/feed"
	"nightshift/server/joblog"
	"nightshift/server/pubsub"
	"nightshift/server/queue"
	"nightshift/server/timeline"
)

// Resolver holds the rooms a request may enter.
type Resolver struct {
	DB    *db.DB
	Bus   *pubsub.Bus
	Queue *queue.Room
	Auth  *auth.Room
	Log   *slog.Logger
	// Version is the program's, for the page's footer.
	Version string

	JobLog   *joblog.Room
	Timeline *timeline.Room
	Feed     *feed.Room
	// Renew gives a viewer's rights as they are now, for subscriptions that stay open; an error or nil when they are gone.
	Renew func(ctx context.Context, v *access.Viewer) (*access.Viewer, error)

	loader jobLoader
	actors actorCache
}
