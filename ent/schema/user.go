package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// User is a person with a local account.
type User struct{ ent.Schema }

func (User) Fields() []ent.Field {
	return []ent.Field{
		id(),
		field.String("name").MaxLen(64).Unique(),
		field.String("display_name").MaxLen(128),
		field.String("password_hash").Optional().Sensitive(),
		field.Bool("is_global_admin").Default(false),
		field.Enum("language").NamedValues("En", "EN", "Ja", "JA").Default("EN"),
		field.Enum("theme").NamedValues("System", "SYSTEM", "Light", "LIGHT", "Dark", "DARK").Default("SYSTEM"),
		field.Time("disabled_at").Optional().Nillable(),
		createdAt(),
	}
}

func (User) Edges() []ent.Edge {
	return []ent.Edge{edge.To("memberships", Membership.Type)}
}

// Session is a signed-in browser. The cookie holds the secret, the row its hash.
type Session struct{ ent.Schema }

func (Session) Fields() []ent.Field {
	return []ent.Field{
		id(),
		field.String("hash").MaxLen(64).Unique().Sensitive(),
		field.Int64("user_id"),
		field.Bool("from_link").Default(false).Comment("a one-time link opened it: a password may be set without the old one"),
		field.String("user_agent").MaxLen(256).Default(""),
		createdAt(),
		field.Time("last_seen_at").Default(now),
		field.Time("expires_at"),
	}
}

func (Session) Edges() []ent.Edge {
	return []ent.Edge{edge.To("user", User.Type).Field("user_id").Unique().Required()}
}

func (Session) Indexes() []ent.Index {
	return []ent.Index{index.Fields("user_id"), index.Fields("expires_at")}
}

// SignInLink is a secret that signs a person in once.
type SignInLink struct{ ent.Schema }

func (SignInLink) Fields() []ent.Field {
	return []ent.Field{
		id(),
		field.String("hash").MaxLen(64).Unique().Sensitive(),
		field.Int64("user_id"),
		createdAt(),
		field.Time("expires_at"),
	}
}

func (SignInLink) Edges() []ent.Edge {
	return []ent.Edge{edge.To("user", User.Type).Field("user_id").Unique().Required()}
}

// Token is a bearer secret: a person's API token, a worker's, or a running job's own.
type Token struct{ ent.Schema }

func (Token) Fields() []ent.Field {
	return []ent.Field{
		id(),
		field.Enum("kind").NamedValues("Api", "API", "Worker", "WORKER", "Job", "JOB").Immutable(),
		field.String("hash").MaxLen(64).Unique().Sensitive(),
		field.String("name").MaxLen(128).Default(""),
		field.String("prefix").MaxLen(16).Default(""),
		field.Int64("user_id").Comment("whose rights it has; for a worker token who made it"),
		field.Int64("project_id").Optional().Nillable(),
		field.Int64("job_id").Optional().Nillable(),
		field.JSON("computer_ids", []int64{}).Optional(),
		field.Strings("scopes").Optional(),
		createdAt(),
		field.Time("expires_at").Optional().Nillable(),
		field.Time("last_used_at").Optional().Nillable(),
		field.Time("revoked_at").Optional().Nillable(),
	}
}

func (Token) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().Required(),
		edge.To("project", Project.Type).Field("project_id").Unique(),
	}
}

func (Token) Indexes() []ent.Index {
	return []ent.Index{index.Fields("user_id"), index.Fields("project_id"), index.Fields("job_id")}
}
