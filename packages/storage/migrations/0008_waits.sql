CREATE TABLE "waits" (
  "cluster" text NOT NULL,
  "waiter" text NOT NULL,
  "begins" bigint NOT NULL,
  "ends" bigint NOT NULL,
  "namespace" text NOT NULL,
  "workload" text NOT NULL,
  "cause" text NOT NULL,
  "asks" text NOT NULL,
  "gpus" double precision,
  "kinds" text NOT NULL,
  "change_kind" text,
  "change" text,
  "over" boolean NOT NULL,
  CONSTRAINT "waits_cluster_waiter_begins_pk" PRIMARY KEY("cluster","waiter","begins")
);
--> statement-breakpoint
CREATE INDEX "waits_ends_index" ON "waits" ("ends");
