//go:build ignore

// Command entc writes the ent package from ent/schema.
package main

import (
	"log"

	"entgo.io/contrib/entgql"
	"entgo.io/ent/entc"
	"entgo.io/ent/entc/gen"
)

func main() {
	// Only the enum marshalers of entgql are wanted: connections, filters and mutations are our own (docs/architecture.md).
	gql, err := entgql.NewExtension(entgql.WithTemplates(entgql.EnumTemplate))
	if err != nil {
		log.Fatalf("entgql: %v", err)
	}
	err = entc.Generate("./schema", &gen.Config{
		Features: []gen.Feature{
			gen.FeatureExecQuery, gen.FeatureLock, gen.FeatureUpsert, gen.FeatureModifier, gen.FeatureIntercept, gen.FeatureVersionedMigration,
		},
	}, entc.Extensions(gql))
	if err != nil {
		log.Fatalf("ent: %v", err)
	}
}
