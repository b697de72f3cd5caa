package graph

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/extension"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/99designs/gqlgen/graphql/handler/transport"
	"github.com/coder/websocket"
	"github.com/vektah/gqlparser/v2/ast"

	"nightshift/graph/model"
	"nightshift/server/access"
)

const (
	maxBody       = 8 << 20
	maxTokens     = 20_000 // of one document
	maxComplexity = 40_000 // fields, times the rows they are asked for
	pingEvery     = 10 * time.Second
)

// Handler serves the API: POST, GraphQL over WebSocket (graphql-transport-ws) and over server-sent events. identify reads a bearer token
// that a socket sends when it opens, since a browser cannot set its headers.
func Handler(r *Resolver, origins []string, identify func(ctx context.Context, bearer string) (*access.Viewer, error)) http.Handler {
	cfg := Config{Resolvers: r, Directives: DirectiveRoot{Access: r.Access}}
	costs(&cfg.Complexity)
	s := handler.New(NewExecutableSchema(cfg))
	s.AddTransport(transport.Websocket{
		Implementation: transport.CoderWebsocketImplementation{AcceptOptions: websocket.AcceptOptions{OriginPatterns: origins}},
		InitTimeout:    10 * time.Second, KeepAlivePingInterval: pingEvery, PingPongInterval: pingEvery, MissingPongOk: false,
		InitFunc: func(ctx context.Context, payload transport.InitPayload) (context.Context, *transport.InitPayload, error) {
			ctx = WithSubscriptionBudget(ctx)
			bearer := payload.Authorization()
			if bearer == "" || identify == nil {
				return ctx, nil, nil
			}
			v, err := identify(ctx, bearer)
			if err != nil {
				return transport.WithWebsocketCloseCode(ctx, 4403), nil, errors.New("sign in again") // never a nil context: gqlgen would panic
			}
			return access.With(ctx, v), nil, nil
		},
	})
	s.AddTransport(transport.SSE{KeepAlivePingInterval: pingEvery})
	s.AddTransport(transport.POST{})
	s.SetQueryCache(lru.New[*ast.QueryDocument](500))
	s.SetParserTokenLimit(maxTokens)
	s.Use(extension.Introspection{})
	s.Use(extension.FixedComplexityLimit(maxComplexity))
	s.AroundOperations(r.freshViewer)
	s.AroundResponses(withLoads)
	s.SetErrorPresenter(r.PresentError)
	s.SetRecoverFunc(r.Recover)
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.ContentLength > maxBody {
			http.Error(w, `{"errors":[{"message":"The request is larger than 8 MiB: send it in parts.","extensions":{"code":"INVALID_INPUT"}}]}`, http.StatusRequestEntityTooLarge)
			return
		}
		req.Body = http.MaxBytesReader(w, req.Body, maxBody)
		s.ServeHTTP(w, req)
	})
}

// costs says how many rows a list may bring, so that a list inside a list counts as what it costs.
func costs(c *ComplexityRoot) {
	rows := func(child int, first *int) int {
		n := 50
		if first != nil {
			n = max(1, *first)
		}
		return 1 + n*child
	}
	c.Project.Jobs = func(child int, _ *model.JobFilter, first *int, _ *string, last *int, _ *string) int {
		if last != nil {
			first = last
		}
		return rows(child, first)
	}
	c.Project.Computers = func(child int, first *int, _ *string) int { return rows(child, first) }
	c.Query.Computers = func(child int, first *int, _ *string) int { return rows(child, first) }
	c.Query.Projects = func(child int) int { return 1 + 20*child }
	c.Job.Events = func(child int, first *int, _ *string) int { return rows(child, first) }
	c.Job.After = func(child int) int { return 1 + 10*child }
	c.Project.Members = func(child int) int { return 1 + 20*child }
	c.Computer.Workers = func(child int, _ *string) int { return 1 + 5*child }
}
