-- Create "arrays" table
CREATE TABLE `arrays` (`id` integer NOT NULL PRIMARY KEY AUTOINCREMENT, `project_id` integer NOT NULL, `computer_id` integer NOT NULL, `name` text NOT NULL, `size` integer NOT NULL, `created_by_id` integer NOT NULL, `created_at` datetime NOT NULL);
-- Create index "array_project_id_id" to table: "arrays"
CREATE INDEX `array_project_id_id` ON `arrays` (`project_id`, `id`);
-- Create "computers" table
CREATE TABLE `computers` (`id` integer NOT NULL PRIMARY KEY AUTOINCREMENT, `name` text NOT NULL, `kind` text NOT NULL, `visibility` text NOT NULL, `enabled` bool NOT NULL DEFAULT (true), `max_jobs` integer NULL, `work_folder` text NULL, `runtimes` json NULL, `host_id` text NULL, `cpu_count` integer NULL, `memory_mib` integer NULL, `price_amount` text NULL, `price_currency` text NULL, `created_at` datetime NOT NULL, `deleted_at` datetime NULL, `owner_id` integer NULL, CONSTRAINT `computers_users_owner` FOREIGN KEY (`owner_id`) REFERENCES `users` (`id`) ON DELETE SET NULL);
-- Create index "computer_name" to table: "computers"
CREATE INDEX `computer_name` ON `computers` (`name`);
-- Create "dependencies" table
CREATE TABLE `dependencies` (`id` integer NOT NULL PRIMARY KEY AUTOINCREMENT, `job_id` integer NOT NULL, `after_id` integer NOT NULL, `any` bool NOT NULL DEFAULT (false), `done` bool NOT NULL DEFAULT (false));
-- Create index "dependency_job_id_after_id" to table: "dependencies"
CREATE UNIQUE INDEX `dependency_job_id_after_id` ON `dependencies` (`job_id`, `after_id`);
-- Create index "dependency_after_id_done" to table: "dependencies"
CREATE INDEX `dependency_after_id_done` ON `dependencies` (`after_id`, `done`);
-- Create "experiments" table
CREATE TABLE `experiments` (`id` integer NOT NULL PRIMARY KEY AUTOINCREMENT, `name` text NOT NULL, `is_default` bool NOT NULL DEFAULT (false), `created_at` datetime NOT NULL, `project_id` integer NOT NULL, CONSTRAINT `experiments_projects_experiments` FOREIGN KEY (`project_id`) REFERENCES `projects` (`id`) ON DELETE NO ACTION);
-- Create index "experiment_project_id_name" to table: "experiments"
CREATE UNIQUE INDEX `experiment_project_id_name` ON `experiments` (`project_id`, `name`);
-- Create "gpus" table
CREATE TABLE `gpus` (`id` integer NOT NULL PRIMARY KEY AUTOINCREMENT, `number` integer NOT NULL, `uuid` text NOT NULL DEFAULT (''), `name` text NOT NULL DEFAULT ('GPU'), `memory_mib` integer NULL, `job_id` integer NULL, `computer_id` integer NOT NULL, CONSTRAINT `gpus_computers_gpus` FOREIGN KEY (`computer_id`) REFERENCES `computers` (`id`) ON DELETE NO ACTION);
-- Create index "gpu_computer_id_number" to table: "gpus"
CREATE UNIQUE INDEX `gpu_computer_id_number` ON `gpus` (`computer_id`, `number`);
-- Create index "gpu_job_id" to table: "gpus"
CREATE INDEX `gpu_job_id` ON `gpus` (`job_id`);
-- Create "jobs" table
CREATE TABLE `jobs` (`id` integer NOT NULL PRIMARY KEY AUTOINCREMENT, `uuid` text NOT NULL, `run_name` text NOT NULL, `kind` text NOT NULL, `array_index` integer NULL, `status` text NOT NULL DEFAULT ('QUEUED'), `phase` text NULL, `end_reason` text NULL, `ready` bool NOT NULL DEFAULT (false), `held` bool NOT NULL DEFAULT (false), `waiting_on` integer NOT NULL DEFAULT (0), `priority` integer NOT NULL DEFAULT (0), `need` text NOT NULL DEFAULT (''), `gpu_mask` integer NOT NULL DEFAULT (0), `gpu_count` integer NOT NULL DEFAULT (0), `ready_at` datetime NULL, `command` text NOT NULL, `working_directory` text NULL, `environment` json NOT NULL, `secrets` blob NULL, `secret_names` json NULL, `time_limit_seconds` integer NULL, `attempt` integer NOT NULL DEFAULT (1), `max_attempts` integer NOT NULL DEFAULT (3), `request_id` text NULL, `request_hash` text NULL, `worker_id` integer NULL, `lease_hash` text NULL, `no_response` bool NOT NULL DEFAULT (false), `stop_requested_at` datetime NULL, `kill_requested` bool NOT NULL DEFAULT (false), `exit_code` integer NULL, `error` text NULL, `error_code` text NULL, `error_args` json NULL, `progress` json NULL, `next_line` integer NOT NULL DEFAULT (1), `created_at` datetime NOT NULL, `assigned_at` datetime NULL, `started_at` datetime NULL, `ended_at` datetime NULL, `heartbeat_at` datetime NULL, `project_id` integer NOT NULL, `computer_id` integer NOT NULL, `created_by_id` integer NOT NULL, `stop_requested_by_id` integer NULL, `array_id` integer NULL, `retry_of_id` integer NULL, `parent_id` integer NULL, `run_id` integer NOT NULL, CONSTRAINT `jobs_projects_project` FOREIGN KEY (`project_id`) REFERENCES `projects` (`id`) ON DELETE NO ACTION, CONSTRAINT `jobs_computers_computer` FOREIGN KEY (`computer_id`) REFERENCES `computers` (`id`) ON DELETE NO ACTION, CONSTRAINT `jobs_users_created_by` FOREIGN KEY (`created_by_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION, CONSTRAINT `jobs_users_stop_requested_by` FOREIGN KEY (`stop_requested_by_id`) REFERENCES `users` (`id`) ON DELETE SET NULL, CONSTRAINT `jobs_arrays_array` FOREIGN KEY (`array_id`) REFERENCES `arrays` (`id`) ON DELETE SET NULL, CONSTRAINT `jobs_jobs_retried_by` FOREIGN KEY (`retry_of_id`) REFERENCES `jobs` (`id`) ON DELETE SET NULL, CONSTRAINT `jobs_jobs_children` FOREIGN KEY (`parent_id`) REFERENCES `jobs` (`id`) ON DELETE SET NULL, CONSTRAINT `jobs_runs_job` FOREIGN KEY (`run_id`) REFERENCES `runs` (`id`) ON DELETE NO ACTION);
-- Create index "jobs_uuid_key" to table: "jobs"
CREATE UNIQUE INDEX `jobs_uuid_key` ON `jobs` (`uuid`);
-- Create index "jobs_retry_of_id_key" to table: "jobs"
CREATE UNIQUE INDEX `jobs_retry_of_id_key` ON `jobs` (`retry_of_id`);
-- Create index "jobs_run_id_key" to table: "jobs"
CREATE UNIQUE INDEX `jobs_run_id_key` ON `jobs` (`run_id`);
-- Create index "jobs_ready" to table: "jobs"
CREATE INDEX `jobs_ready` ON `jobs` (`computer_id`, `project_id`, `need`, `priority` DESC, `id`) WHERE ready;
-- Create index "jobs_queue_place" to table: "jobs"
CREATE INDEX `jobs_queue_place` ON `jobs` (`computer_id`, `priority` DESC, `id`) WHERE ready;
-- Create index "jobs_worker" to table: "jobs"
CREATE INDEX `jobs_worker` ON `jobs` (`worker_id`) WHERE worker_id IS NOT NULL;
-- Create index "job_project_id_id" to table: "jobs"
CREATE INDEX `job_project_id_id` ON `jobs` (`project_id`, `id`);
-- Create index "job_project_id_status_id" to table: "jobs"
CREATE INDEX `job_project_id_status_id` ON `jobs` (`project_id`, `status`, `id`);
-- Create index "jobs_end_reason" to table: "jobs"
CREATE INDEX `jobs_end_reason` ON `jobs` (`project_id`, `end_reason`, `id`) WHERE end_reason IS NOT NULL;
-- Create index "job_project_id_kind_id" to table: "jobs"
CREATE INDEX `job_project_id_kind_id` ON `jobs` (`project_id`, `kind`, `id`);
-- Create index "job_project_id_computer_id_id" to table: "jobs"
CREATE INDEX `job_project_id_computer_id_id` ON `jobs` (`project_id`, `computer_id`, `id`);
-- Create index "job_project_id_created_by_id_id" to table: "jobs"
CREATE INDEX `job_project_id_created_by_id_id` ON `jobs` (`project_id`, `created_by_id`, `id`);
-- Create index "job_project_id_run_name" to table: "jobs"
CREATE INDEX `job_project_id_run_name` ON `jobs` (`project_id`, `run_name`);
-- Create index "jobs_array" to table: "jobs"
CREATE INDEX `jobs_array` ON `jobs` (`array_id`, `array_index`) WHERE array_id IS NOT NULL;
-- Create index "jobs_parent" to table: "jobs"
CREATE INDEX `jobs_parent` ON `jobs` (`parent_id`) WHERE parent_id IS NOT NULL;
-- Create index "jobs_request" to table: "jobs"
CREATE UNIQUE INDEX `jobs_request` ON `jobs` (`created_by_id`, `project_id`, `request_id`) WHERE request_id IS NOT NULL;
-- Create "job_events" table
CREATE TABLE `job_events` (`id` integer NOT NULL PRIMARY KEY AUTOINCREMENT, `job_id` integer NOT NULL, `key` text NULL, `type` text NOT NULL, `source` text NOT NULL DEFAULT ('system'), `severity` text NOT NULL DEFAULT ('INFO'), `time` datetime NOT NULL, `duration_seconds` real NULL, `attempt` integer NOT NULL DEFAULT (1), `args` json NULL, `actor_id` integer NULL);
-- Create index "jobevent_job_id_id" to table: "job_events"
CREATE INDEX `jobevent_job_id_id` ON `job_events` (`job_id`, `id`);
-- Create index "job_events_key" to table: "job_events"
CREATE UNIQUE INDEX `job_events_key` ON `job_events` (`job_id`, `key`) WHERE key IS NOT NULL;
-- Create index "jobevent_time" to table: "job_events"
CREATE INDEX `jobevent_time` ON `job_events` (`time`);
-- Create "log_chunks" table
CREATE TABLE `log_chunks` (`id` integer NOT NULL PRIMARY KEY AUTOINCREMENT, `job_id` integer NOT NULL, `first_line` integer NOT NULL, `line_count` integer NOT NULL, `level_mask` integer NOT NULL, `raw_size` integer NOT NULL, `data` blob NOT NULL);
-- Create index "logchunk_job_id_first_line" to table: "log_chunks"
CREATE UNIQUE INDEX `logchunk_job_id_first_line` ON `log_chunks` (`job_id`, `first_line`);
-- Create "memberships" table
CREATE TABLE `memberships` (`id` integer NOT NULL PRIMARY KEY AUTOINCREMENT, `role` text NOT NULL, `created_at` datetime NOT NULL, `project_id` integer NOT NULL, `user_id` integer NOT NULL, CONSTRAINT `memberships_projects_memberships` FOREIGN KEY (`project_id`) REFERENCES `projects` (`id`) ON DELETE NO ACTION, CONSTRAINT `memberships_users_memberships` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION);
-- Create index "membership_user_id_project_id" to table: "memberships"
CREATE UNIQUE INDEX `membership_user_id_project_id` ON `memberships` (`user_id`, `project_id`);
-- Create index "membership_project_id" to table: "memberships"
CREATE INDEX `membership_project_id` ON `memberships` (`project_id`);
-- Create "outbox" table
CREATE TABLE `outbox` (`id` integer NOT NULL PRIMARY KEY AUTOINCREMENT, `project_id` integer NOT NULL, `job_id` integer NOT NULL, `at` datetime NOT NULL);
-- Create "projects" table
CREATE TABLE `projects` (`id` integer NOT NULL PRIMARY KEY AUTOINCREMENT, `key` text NOT NULL, `name` text NOT NULL, `lost_after_seconds` integer NULL, `created_at` datetime NOT NULL);
-- Create index "projects_key_key" to table: "projects"
CREATE UNIQUE INDEX `projects_key_key` ON `projects` (`key`);
-- Create "runs" table
CREATE TABLE `runs` (`id` integer NOT NULL PRIMARY KEY AUTOINCREMENT, `uuid` text NOT NULL, `name` text NOT NULL, `kind` text NOT NULL, `parameters` json NOT NULL, `tags` json NOT NULL, `created_at` datetime NOT NULL, `project_id` integer NOT NULL, `experiment_id` integer NOT NULL, `created_by_id` integer NOT NULL, CONSTRAINT `runs_projects_project` FOREIGN KEY (`project_id`) REFERENCES `projects` (`id`) ON DELETE NO ACTION, CONSTRAINT `runs_experiments_experiment` FOREIGN KEY (`experiment_id`) REFERENCES `experiments` (`id`) ON DELETE NO ACTION, CONSTRAINT `runs_users_created_by` FOREIGN KEY (`created_by_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION);
-- Create index "runs_uuid_key" to table: "runs"
CREATE UNIQUE INDEX `runs_uuid_key` ON `runs` (`uuid`);
-- Create index "run_project_id_id" to table: "runs"
CREATE INDEX `run_project_id_id` ON `runs` (`project_id`, `id`);
-- Create "sessions" table
CREATE TABLE `sessions` (`id` integer NOT NULL PRIMARY KEY AUTOINCREMENT, `hash` text NOT NULL, `from_link` bool NOT NULL DEFAULT (false), `user_agent` text NOT NULL DEFAULT (''), `created_at` datetime NOT NULL, `last_seen_at` datetime NOT NULL, `expires_at` datetime NOT NULL, `user_id` integer NOT NULL, CONSTRAINT `sessions_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION);
-- Create index "sessions_hash_key" to table: "sessions"
CREATE UNIQUE INDEX `sessions_hash_key` ON `sessions` (`hash`);
-- Create index "session_user_id" to table: "sessions"
CREATE INDEX `session_user_id` ON `sessions` (`user_id`);
-- Create index "session_expires_at" to table: "sessions"
CREATE INDEX `session_expires_at` ON `sessions` (`expires_at`);
-- Create "sign_in_links" table
CREATE TABLE `sign_in_links` (`id` integer NOT NULL PRIMARY KEY AUTOINCREMENT, `hash` text NOT NULL, `created_at` datetime NOT NULL, `expires_at` datetime NOT NULL, `user_id` integer NOT NULL, CONSTRAINT `sign_in_links_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION);
-- Create index "sign_in_links_hash_key" to table: "sign_in_links"
CREATE UNIQUE INDEX `sign_in_links_hash_key` ON `sign_in_links` (`hash`);
-- Create "slots" table
CREATE TABLE `slots` (`id` integer NOT NULL PRIMARY KEY AUTOINCREMENT, `computer_id` integer NOT NULL, `number` integer NOT NULL, `job_id` integer NOT NULL);
-- Create index "slots_job_id_key" to table: "slots"
CREATE UNIQUE INDEX `slots_job_id_key` ON `slots` (`job_id`);
-- Create index "slot_computer_id_number" to table: "slots"
CREATE UNIQUE INDEX `slot_computer_id_number` ON `slots` (`computer_id`, `number`);
-- Create "tokens" table
CREATE TABLE `tokens` (`id` integer NOT NULL PRIMARY KEY AUTOINCREMENT, `kind` text NOT NULL, `hash` text NOT NULL, `name` text NOT NULL DEFAULT (''), `prefix` text NOT NULL DEFAULT (''), `job_id` integer NULL, `computer_ids` json NULL, `scopes` json NULL, `created_at` datetime NOT NULL, `expires_at` datetime NULL, `last_used_at` datetime NULL, `revoked_at` datetime NULL, `user_id` integer NOT NULL, `project_id` integer NULL, CONSTRAINT `tokens_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION, CONSTRAINT `tokens_projects_project` FOREIGN KEY (`project_id`) REFERENCES `projects` (`id`) ON DELETE SET NULL);
-- Create index "tokens_hash_key" to table: "tokens"
CREATE UNIQUE INDEX `tokens_hash_key` ON `tokens` (`hash`);
-- Create index "token_user_id" to table: "tokens"
CREATE INDEX `token_user_id` ON `tokens` (`user_id`);
-- Create index "token_project_id" to table: "tokens"
CREATE INDEX `token_project_id` ON `tokens` (`project_id`);
-- Create index "token_job_id" to table: "tokens"
CREATE INDEX `token_job_id` ON `tokens` (`job_id`);
-- Create "users" table
CREATE TABLE `users` (`id` integer NOT NULL PRIMARY KEY AUTOINCREMENT, `name` text NOT NULL, `display_name` text NOT NULL, `password_hash` text NULL, `is_global_admin` bool NOT NULL DEFAULT (false), `language` text NOT NULL DEFAULT ('EN'), `theme` text NOT NULL DEFAULT ('SYSTEM'), `disabled_at` datetime NULL, `created_at` datetime NOT NULL);
-- Create index "users_name_key" to table: "users"
CREATE UNIQUE INDEX `users_name_key` ON `users` (`name`);
-- Create "workers" table
CREATE TABLE `workers` (`id` integer NOT NULL PRIMARY KEY AUTOINCREMENT, `token_id` integer NOT NULL, `name` text NOT NULL, `hostname` text NOT NULL, `host_id` text NOT NULL, `boot_id` text NOT NULL, `instance_id` text NOT NULL, `version` text NOT NULL, `draining` bool NOT NULL DEFAULT (false), `offline_noted` bool NOT NULL DEFAULT (false), `started_at` datetime NOT NULL, `last_seen_at` datetime NOT NULL, `computer_id` integer NOT NULL, `project_id` integer NOT NULL, CONSTRAINT `workers_computers_workers` FOREIGN KEY (`computer_id`) REFERENCES `computers` (`id`) ON DELETE NO ACTION, CONSTRAINT `workers_projects_project` FOREIGN KEY (`project_id`) REFERENCES `projects` (`id`) ON DELETE NO ACTION);
-- Create index "worker_computer_id_project_id_name" to table: "workers"
CREATE UNIQUE INDEX `worker_computer_id_project_id_name` ON `workers` (`computer_id`, `project_id`, `name`);
-- Create index "worker_project_id" to table: "workers"
CREATE INDEX `worker_project_id` ON `workers` (`project_id`);
-- Create index "worker_last_seen_at" to table: "workers"
CREATE INDEX `worker_last_seen_at` ON `workers` (`last_seen_at`);
