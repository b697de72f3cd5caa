package graph

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"nightshift/graph/model"
	"nightshift/server/access"
	"nightshift/server/auth"
	"nightshift/server/fault"
)

// Access is the directive: the first of the two locks. It stands on every root field (a test proves that none is missing).
func (r *Resolver) Access(ctx context.Context, _ any, next graphql.Resolver, who []model.ViewerKind, scope *model.Scope) (any, error) {
	v := access.From(ctx)
	for _, k := range who {
		if !is(v, k) {
			continue
		}
		if v.Retired && !reports(graphql.GetFieldContext(ctx).Field.Name) {
			return nil, fault.New(fault.Unauthenticated, "This worker token was revoked or has expired: jobs that run already can be reported, new ones need a new token.")
		}
		if scope != nil && !auth.Allows(v, string(*scope)) {
			return nil, fault.Denied("This token lacks the scope %s.", *scope)
		}
		return next(ctx)
	}
	if v.Kind == access.Nobody {
		return nil, fault.New(fault.Unauthenticated, "Sign in first, or send a token that is valid: Authorization: Bearer ….")
	}
	return nil, fault.Denied("This is not for %s.", called(v))
}

func is(v *access.Viewer, k model.ViewerKind) bool {
	switch k {
	case model.ViewerKindAnyone:
		return true
	case model.ViewerKindPerson:
		return v.Person()
	case model.ViewerKindSession:
		return v.Kind == access.Session
	case model.ViewerKindGlobalAdmin:
		return v.Kind == access.Session && v.GlobalAdmin()
	case model.ViewerKindWorker:
		return v.Kind == access.Worker
	case model.ViewerKindJob:
		return v.Kind == access.Job
	}
	return false
}

// reports names the fields by which a worker reports on what it runs: they are left to it when its token has ended (decisions.md).
func reports(field string) bool {
	return slices.Contains([]string{"registerWorker", "releaseJobs", "heartbeat", "recordJobEvents", "startJob", "finishJob", "appendLog"}, field)
}

func called(v *access.Viewer) string {
	switch v.Kind {
	case access.Worker:
		return "worker tokens"
	case access.Job:
		return "job tokens"
	case access.APIToken:
		return "API tokens; sign in with a browser"
	}
	return "your account"
}

// PresentError is what a client sees of an error: a code and a sentence, nothing internal.
func (r *Resolver) PresentError(ctx context.Context, err error) *gqlerror.Error {
	e := graphql.DefaultErrorPresenter(ctx, err)
	ext := map[string]any{}
	var f *fault.Error
	switch {
	case errors.As(err, &f):
		e.Message = f.Text
		ext["code"] = string(f.Code)
		if f.Field != "" {
			ext["field"] = f.Field
		}
		for k, v := range f.Args {
			ext[k] = v
		}
	case ctx.Err() != nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		e.Message, ext["code"] = "The request was given up.", string(fault.Busy)
	case argument(ctx, err) != "":
		e.Message = "The value given for " + argument(ctx, err) + " does not fit its type: the schema says what it may be."
		ext["code"], ext["field"] = string(fault.InvalidInput), argument(ctx, err)
	case internal(err):
		id := fmt.Sprintf("%08x", rand.Uint32())
		r.Log.Error("request failed", "id", id, "path", e.Path.String(), "error", err)
		e.Message = "Something went wrong on the server. Its log says what, under " + id + "."
		ext["code"], ext["errorId"] = string(fault.Internal), id
	default: // a document or its variables do not fit the schema
		ext["code"] = string(fault.InvalidInput)
		for k, v := range e.Extensions {
			if k != "code" {
				ext[k] = v
			}
		}
	}
	e.Extensions = ext
	return e
}

// argument is the one whose value could not be read, empty when that was not it: the error then lies deeper than the field.
func argument(ctx context.Context, err error) string {
	var g *gqlerror.Error
	fc := graphql.GetFieldContext(ctx)
	if fc == nil || !errors.As(err, &g) || len(g.Path) <= len(fc.Path()) {
		return ""
	}
	name := ""
	for _, p := range g.Path[len(fc.Path()):] {
		if n, ok := p.(ast.PathName); ok {
			name = string(n)
		}
	}
	return name
}

// internal tells the errors of our own code from gqlgen's about the request: those say where in it they are.
func internal(err error) bool {
	var g *gqlerror.Error
	if !errors.As(err, &g) {
		return true
	}
	return g.Err != nil && g.Rule == "" && len(g.Locations) == 0 && g.Extensions == nil
}

// Recover turns a panic into an error, and keeps its trace for the log.
func (r *Resolver) Recover(_ context.Context, p any) error {
	return fmt.Errorf("panic: %v\n%s", p, debug.Stack())
}
