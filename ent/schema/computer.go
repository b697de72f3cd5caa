package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// Computer is a place where jobs run.
type Computer struct{ ent.Schema }

func (Computer) Fields() []ent.Field {
	return []ent.Field{
		id(),
		field.String("name").MaxLen(64),
		field.Enum("kind").NamedValues("Local", "LOCAL", "Ssh", "SSH", "Site", "SITE"),
		field.Enum("visibility").NamedValues("Public", "PUBLIC", "Private", "PRIVATE"),
		field.Int64("owner_id").Optional().Nillable(),
		field.Bool("enabled").Default(true),
		field.Int("max_jobs").Optional().Nillable().Comment("jobs at once; null: no limit"),
		field.String("work_folder").Optional().Nillable(),
		field.Strings("runtimes").Optional(),
		field.String("host_id").Optional().Nillable().Comment("a LOCAL computer is bound to the host of its first worker"),
		field.Int("cpu_count").Optional().Nillable(),
		field.Int("memory_mib").Optional().Nillable(),
		field.String("price_amount").Optional().Nillable(),
		field.String("price_currency").Optional().Nillable(),
		createdAt(),
		field.Time("deleted_at").Optional().Nillable(),
	}
}

func (Computer) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("owner", User.Type).Field("owner_id").Unique(),
		edge.To("gpus", Gpu.Type),
		edge.To("workers", Worker.Type),
	}
}

func (Computer) Indexes() []ent.Index {
	return []ent.Index{index.Fields("name")}
}

// Gpu is one GPU of a computer. The row itself is the lock: job_id is the one job that holds it.
type Gpu struct{ ent.Schema }

func (Gpu) Fields() []ent.Field {
	return []ent.Field{
		id(),
		field.Int64("computer_id"),
		field.Int("number").Comment("the computer's index, 0..62"),
		field.String("uuid").Default(""),
		field.String("name").Default("GPU"),
		field.Int("memory_mib").Optional().Nillable(),
		field.Int64("job_id").Optional().Nillable(),
	}
}

func (Gpu) Edges() []ent.Edge {
	return []ent.Edge{edge.From("computer", Computer.Type).Ref("gpus").Field("computer_id").Unique().Required()}
}

func (Gpu) Indexes() []ent.Index {
	return []ent.Index{index.Fields("computer_id", "number").Unique(), index.Fields("job_id")}
}

// Slot is one of a limited computer's places: unique rows make it impossible to pass the limit.
type Slot struct{ ent.Schema }

func (Slot) Fields() []ent.Field {
	return []ent.Field{
		id(),
		field.Int64("computer_id"),
		field.Int("number"),
		field.Int64("job_id").Unique(),
	}
}

func (Slot) Indexes() []ent.Index {
	return []ent.Index{index.Fields("computer_id", "number").Unique()}
}

// Worker is a program that claims and executes the jobs of one project on one computer.
type Worker struct{ ent.Schema }

func (Worker) Fields() []ent.Field {
	return []ent.Field{
		id(),
		field.Int64("computer_id"),
		field.Int64("project_id"),
		field.Int64("token_id"),
		field.String("name").MaxLen(128),
		field.String("hostname").MaxLen(256),
		field.String("host_id"),
		field.String("boot_id"),
		field.String("instance_id"),
		field.String("version"),
		field.Bool("draining").Default(false),
		field.Bool("offline_noted").Default(false),
		field.Time("started_at").Default(now),
		field.Time("last_seen_at").Default(now),
	}
}

func (Worker) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("computer", Computer.Type).Ref("workers").Field("computer_id").Unique().Required(),
		edge.To("project", Project.Type).Field("project_id").Unique().Required(),
	}
}

func (Worker) Indexes() []ent.Index {
	return []ent.Index{index.Fields("computer_id", "project_id", "name").Unique(), index.Fields("project_id"), index.Fields("last_seen_at")}
}
