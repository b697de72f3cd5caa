package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// Project is the unit of membership, permission and storage.
type Project struct{ ent.Schema }

func (Project) Fields() []ent.Field {
	return []ent.Field{
		id(),
		field.String("key").MaxLen(40).Unique(),
		field.String("name").MaxLen(128),
		field.Int("lost_after_seconds").Optional().Nillable().Comment("end jobs without response as WORKER_LOST after this; null: never"),
		createdAt(),
	}
}

func (Project) Edges() []ent.Edge {
	return []ent.Edge{edge.To("memberships", Membership.Type), edge.To("experiments", Experiment.Type)}
}

// Membership is a user's role in a project.
type Membership struct{ ent.Schema }

func (Membership) Fields() []ent.Field {
	return []ent.Field{
		id(),
		field.Int64("user_id"),
		field.Int64("project_id"),
		field.Enum("role").NamedValues("Viewer", "VIEWER", "Editor", "EDITOR", "Admin", "ADMIN"),
		createdAt(),
	}
}

func (Membership) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("user", User.Type).Ref("memberships").Field("user_id").Unique().Required(),
		edge.From("project", Project.Type).Ref("memberships").Field("project_id").Unique().Required(),
	}
}

func (Membership) Indexes() []ent.Index {
	return []ent.Index{index.Fields("user_id", "project_id").Unique(), index.Fields("project_id")}
}

// Experiment is a named group of runs.
type Experiment struct{ ent.Schema }

func (Experiment) Fields() []ent.Field {
	return []ent.Field{
		id(),
		field.Int64("project_id"),
		field.String("name").MaxLen(128),
		field.Bool("is_default").Default(false),
		createdAt(),
	}
}

func (Experiment) Edges() []ent.Edge {
	return []ent.Edge{edge.From("project", Project.Type).Ref("experiments").Field("project_id").Unique().Required()}
}

func (Experiment) Indexes() []ent.Index {
	return []ent.Index{index.Fields("project_id", "name").Unique()}
}
