package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// LogChunk is a batch of numbered log lines, compressed (package logframe). Read and written with plain SQL by server/joblog.
type LogChunk struct{ ent.Schema }

func (LogChunk) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Annotation{Table: "log_chunks"}}
}

func (LogChunk) Fields() []ent.Field {
	return []ent.Field{
		id(),
		field.Int64("job_id"),
		field.Int64("first_line"),
		field.Int("line_count"),
		field.Int("level_mask").Comment("bit per level present: 1 info, 2 warning, 4 error"),
		field.Int("raw_size").Comment("bytes before compression"),
		field.Bytes("data"),
	}
}

func (LogChunk) Indexes() []ent.Index {
	return []ent.Index{index.Fields("job_id", "first_line").Unique()}
}

// JobEvent is one line of a job's timeline: a code with arguments.
type JobEvent struct{ ent.Schema }

func (JobEvent) Fields() []ent.Field {
	return []ent.Field{
		id(),
		field.Int64("job_id"),
		field.String("key").MaxLen(128).Optional().Nillable().Comment("a sender's own key: the same one is stored once"),
		field.String("type").MaxLen(64),
		field.String("source").MaxLen(64).Default("system"),
		field.Enum("severity").NamedValues("Info", "INFO", "Warning", "WARNING", "Error", "ERROR").Default("INFO"),
		field.Time("time").Default(now),
		field.Float("duration_seconds").Optional().Nillable(),
		field.Int("attempt").Default(1),
		field.JSON("args", map[string]any{}).Optional(),
		field.Int64("actor_id").Optional().Nillable(),
	}
}

func (JobEvent) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("job_id", "id"),
		index.Fields("job_id", "key").Unique().Annotations(entsql.IndexWhere("key IS NOT NULL")).StorageKey("job_events_key"),
		index.Fields("time"),
	}
}

// Outbox is the change feed: one row per changed job, written in the transaction that changed it. Deleted after an hour.
type Outbox struct{ ent.Schema }

func (Outbox) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Annotation{Table: "outbox"}}
}

func (Outbox) Fields() []ent.Field {
	return []ent.Field{
		id(),
		field.Int64("project_id"),
		field.Int64("job_id"),
		field.Time("at").Default(now),
	}
}
