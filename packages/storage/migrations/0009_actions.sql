CREATE TABLE "action_runs" (
  "id" text PRIMARY KEY NOT NULL,
  "cluster" text NOT NULL,
  "proposed_at" timestamp with time zone NOT NULL,
  "state" text NOT NULL,
  "number" integer NOT NULL,
  "body" bytea NOT NULL
);
--> statement-breakpoint
CREATE INDEX "action_runs_cluster_proposed_at_index" ON "action_runs" ("cluster","proposed_at");
--> statement-breakpoint
CREATE INDEX "action_runs_state_index" ON "action_runs" ("state");
--> statement-breakpoint
CREATE TABLE "action_transitions" (
  "run" text NOT NULL REFERENCES "action_runs"("id") ON DELETE CASCADE,
  "number" integer NOT NULL,
  "at" timestamp with time zone NOT NULL,
  "state" text NOT NULL,
  "by" text NOT NULL,
  "because" text NOT NULL,
  "step" integer,
  "until" timestamp with time zone,
  CONSTRAINT "action_transitions_run_number_pk" PRIMARY KEY("run","number")
);
--> statement-breakpoint
CREATE TABLE "action_writes" (
  "run" text NOT NULL REFERENCES "action_runs"("id") ON DELETE CASCADE,
  "number" integer NOT NULL,
  "at" timestamp with time zone NOT NULL,
  "step" integer NOT NULL,
  "is_undo" boolean NOT NULL,
  "key" text NOT NULL,
  "what" text NOT NULL,
  "says" text NOT NULL,
  "outcome" text,
  "settled_at" timestamp with time zone,
  "because" text,
  CONSTRAINT "action_writes_run_number_pk" PRIMARY KEY("run","number")
);
--> statement-breakpoint
CREATE TABLE "action_baselines" (
  "run" text PRIMARY KEY NOT NULL REFERENCES "action_runs"("id") ON DELETE CASCADE,
  "baseline" json NOT NULL
);
--> statement-breakpoint
CREATE TABLE "action_actors" (
  "cluster" text PRIMARY KEY NOT NULL,
  "token" bigint NOT NULL,
  "holder" text,
  "heard_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "action_stops" (
  "cluster" text PRIMARY KEY NOT NULL,
  "at" timestamp with time zone NOT NULL,
  "by" text NOT NULL,
  "because" text NOT NULL
);
--> statement-breakpoint
-- As in 0002: without a policy nobody but the owner sees a row.
ALTER TABLE "action_runs" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "action_transitions" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "action_writes" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "action_baselines" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "action_actors" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "action_stops" ENABLE ROW LEVEL SECURITY;
