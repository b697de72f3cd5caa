package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// Run is the record of one execution.
type Run struct{ ent.Schema }

func (Run) Fields() []ent.Field {
	return []ent.Field{
		id(),
		field.String("uuid").MaxLen(36).Unique().Immutable(),
		field.Int64("project_id"),
		field.Int64("experiment_id"),
		field.String("name").MaxLen(256),
		field.Enum("kind").NamedValues(kinds()...),
		field.JSON("parameters", map[string]any{}),
		field.JSON("tags", map[string]any{}),
		field.Int64("created_by_id"),
		createdAt(),
	}
}

func (Run) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("project", Project.Type).Field("project_id").Unique().Required(),
		edge.To("experiment", Experiment.Type).Field("experiment_id").Unique().Required(),
		edge.To("created_by", User.Type).Field("created_by_id").Unique().Required(),
		edge.To("job", Job.Type).Unique(),
	}
}

func (Run) Indexes() []ent.Index {
	return []ent.Index{index.Fields("project_id", "id")}
}

// Array is a set of the same job that differ only in their index.
type Array struct{ ent.Schema }

func (Array) Fields() []ent.Field {
	return []ent.Field{
		id(),
		field.Int64("project_id"),
		field.Int64("computer_id"),
		field.String("name").MaxLen(256),
		field.Int("size"),
		field.Int64("created_by_id"),
		createdAt(),
	}
}

func (Array) Indexes() []ent.Index {
	return []ent.Index{index.Fields("project_id", "id")}
}

// Job is one attempt to execute a run. Its status changes only in server/queue.
type Job struct{ ent.Schema }

func (Job) Fields() []ent.Field {
	return []ent.Field{
		id(),
		field.String("uuid").MaxLen(36).Unique().Immutable(),
		field.Int64("project_id"),
		field.Int64("run_id"),
		field.String("run_name").MaxLen(256).Comment("the run's name, for search in the list"),
		field.Enum("kind").NamedValues(kinds()...),
		field.Int64("computer_id"),
		field.Int64("created_by_id"),
		field.Int64("array_id").Optional().Nillable(),
		field.Int("array_index").Optional().Nillable(),

		field.Enum("status").NamedValues("Queued", "QUEUED", "Assigned", "ASSIGNED", "Running", "RUNNING",
			"Completed", "COMPLETED", "Failed", "FAILED", "Canceled", "CANCELED").Default("QUEUED"),
		field.Enum("phase").NamedValues("UploadPending", "UPLOAD_PENDING", "Uploading", "UPLOADING", "Holding", "HOLDING",
			"WaitingForJob", "WAITING_FOR_JOB", "WaitingForMachine", "WAITING_FOR_MACHINE", "SyncFailed", "SYNC_FAILED",
			"WaitingManualSubmission", "WAITING_MANUAL_SUBMISSION", "Submitting", "SUBMITTING", "InSchedulerQueue", "IN_SCHEDULER_QUEUE",
			"SyncPending", "SYNC_PENDING", "Syncing", "SYNCING", "Preparing", "PREPARING", "WaitingForGpu", "WAITING_FOR_GPU",
			"SavingOutputs", "SAVING_OUTPUTS", "Stopping", "STOPPING").Optional().Nillable(),
		field.Enum("end_reason").NamedValues("TimedOut", "TIMED_OUT", "QueueTimeout", "QUEUE_TIMEOUT", "SubmissionFailed", "SUBMISSION_FAILED",
			"Preempted", "PREEMPTED", "DependencyFailed", "DEPENDENCY_FAILED", "MachineStopped", "MACHINE_STOPPED",
			"PreparationFailed", "PREPARATION_FAILED", "WorkerLost", "WORKER_LOST", "OutOfMemory", "OUT_OF_MEMORY", "Hung", "HUNG",
			"EarlyStopped", "EARLY_STOPPED", "ParentStopped", "PARENT_STOPPED", "StoppedByUser", "STOPPED_BY_USER").Optional().Nillable(),

		// What the claim reads. ready is kept true exactly while the job is QUEUED and nothing but a free worker is missing.
		field.Bool("ready").Default(false),
		field.Bool("held").Default(false),
		field.Int("waiting_on").Default(0).Comment("predecessors that have not ended as asked"),
		field.Int("priority").Default(0),
		field.String("need").MaxLen(24).Default("").Comment("class of need: empty CPU only, m<mask> chosen GPUs, n<count> any GPUs"),
		field.Int64("gpu_mask").Default(0).Comment("GPUs chosen at launch or held since the claim"),
		field.Int("gpu_count").Default(0),
		field.Time("ready_at").Optional().Nillable(),

		field.String("command"),
		field.String("working_directory").Optional().Nillable(),
		field.JSON("environment", map[string]string{}),
		field.Bytes("secrets").Optional().Sensitive().Comment("secretEnvironment, AES-GCM; deleted when the job has ended"),
		field.Strings("secret_names").Optional(),
		field.Int("time_limit_seconds").Optional().Nillable(),
		field.Int("attempt").Default(1),
		field.Int("max_attempts").Default(3),
		field.Int64("retry_of_id").Optional().Nillable(),
		field.Int64("parent_id").Optional().Nillable(),
		field.String("request_id").MaxLen(64).Optional().Nillable(),
		field.String("request_hash").MaxLen(64).Optional().Nillable(),

		field.Int64("worker_id").Optional().Nillable(),
		field.String("lease_hash").MaxLen(64).Optional().Nillable().Sensitive(),
		field.Bool("no_response").Default(false),
		field.Time("stop_requested_at").Optional().Nillable(),
		field.Int64("stop_requested_by_id").Optional().Nillable(),
		field.Bool("kill_requested").Default(false),

		field.Int("exit_code").Optional().Nillable(),
		field.String("error").Optional().Nillable(),
		field.String("error_code").MaxLen(64).Optional().Nillable(),
		field.JSON("error_args", map[string]any{}).Optional(),
		field.JSON("progress", map[string]any{}).Optional(),
		field.Int64("next_line").Default(1).Comment("the number of the next log line to store"),

		createdAt(),
		field.Time("assigned_at").Optional().Nillable(),
		field.Time("started_at").Optional().Nillable(),
		field.Time("ended_at").Optional().Nillable(),
		field.Time("heartbeat_at").Optional().Nillable(),
	}
}

func (Job) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("project", Project.Type).Field("project_id").Unique().Required(),
		edge.From("run", Run.Type).Ref("job").Field("run_id").Unique().Required(),
		edge.To("computer", Computer.Type).Field("computer_id").Unique().Required(),
		edge.To("created_by", User.Type).Field("created_by_id").Unique().Required(),
		edge.To("stop_requested_by", User.Type).Field("stop_requested_by_id").Unique(),
		edge.To("array", Array.Type).Field("array_id").Unique(),
		edge.To("retried_by", Job.Type).Unique().From("retry_of").Field("retry_of_id").Unique(),
		edge.To("children", Job.Type).From("parent").Field("parent_id").Unique(),
	}
}

func (Job) Indexes() []ent.Index {
	ready := func() *entsql.IndexAnnotation { return entsql.IndexWhere("ready") }
	return []ent.Index{
		// The claim: the head of each class of need of one project on one computer.
		index.Fields("computer_id", "project_id", "need", "priority", "id").
			Annotations(ready(), entsql.DescColumns("priority")).StorageKey("jobs_ready"),
		// Place in the computer's queue.
		index.Fields("computer_id", "priority", "id").
			Annotations(ready(), entsql.DescColumns("priority")).StorageKey("jobs_queue_place"),
		// Open jobs of a worker; kept small.
		index.Fields("worker_id").Annotations(entsql.IndexWhere("worker_id IS NOT NULL")).StorageKey("jobs_worker"),
		// The list, newest first, whole and by each filter.
		index.Fields("project_id", "id"),
		index.Fields("project_id", "status", "id"),
		index.Fields("project_id", "end_reason", "id").Annotations(entsql.IndexWhere("end_reason IS NOT NULL")).StorageKey("jobs_end_reason"),
		index.Fields("project_id", "kind", "id"),
		index.Fields("project_id", "computer_id", "id"),
		index.Fields("project_id", "created_by_id", "id"),
		index.Fields("project_id", "run_name"),
		index.Fields("array_id", "array_index").Annotations(entsql.IndexWhere("array_id IS NOT NULL")).StorageKey("jobs_array"),
		index.Fields("parent_id").Annotations(entsql.IndexWhere("parent_id IS NOT NULL")).StorageKey("jobs_parent"),
		index.Fields("created_by_id", "project_id", "request_id").Unique().Annotations(entsql.IndexWhere("request_id IS NOT NULL")).StorageKey("jobs_request"),
	}
}

// Dependency says that job_id waits for after_id.
type Dependency struct{ ent.Schema }

func (Dependency) Fields() []ent.Field {
	return []ent.Field{
		id(),
		field.Int64("job_id"),
		field.Int64("after_id"),
		field.Bool("any").Default(false).Comment("satisfied by any end, not only success"),
		field.Bool("done").Default(false),
	}
}

func (Dependency) Indexes() []ent.Index {
	return []ent.Index{index.Fields("job_id", "after_id").Unique(), index.Fields("after_id", "done")}
}
