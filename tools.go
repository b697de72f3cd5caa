//go:build tools

// Package tools pins the programs that write generated code (make generate), so that go.mod keeps their versions.
package tools

import (
	_ "entgo.io/contrib/entgql"
	_ "entgo.io/ent/entc"
	_ "github.com/99designs/gqlgen"
	_ "github.com/99designs/gqlgen/graphql/introspection"
	_ "github.com/Khan/genqlient"
	_ "github.com/hashicorp/go-multierror"
)
