// Package graph is the desk: it takes a request, calls one room and returns. It knows no rules.
package graph

import (
	"log/slog"

	"nightshift/server/db"
	"nightshift/server/pubsub"
)

// Resolver holds the rooms a request may enter.
type Resolver struct {
	DB  *db.DB
	Bus *pubsub.Bus
	Log *slog.Logger
}
