// Package schema is the shape of the tables: fields, edges and indexes, no rules.
package schema

import (
	"time"

	"entgo.io/ent"
	"entgo.io/ent/schema/field"
)

// now is UTC in whole microseconds, so that a time reads the same from SQLite (text) and PostgreSQL (microseconds).
func now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

func id() ent.Field        { return field.Int64("id") }
func createdAt() ent.Field { return field.Time("created_at").Default(now).Immutable() }

func kinds() []string {
	return []string{
		"Training", "TRAINING", "FineTuning", "FINE_TUNING", "Inference", "INFERENCE",
		"Evaluation", "EVALUATION", "DataProcessing", "DATA_PROCESSING",
	}
}
