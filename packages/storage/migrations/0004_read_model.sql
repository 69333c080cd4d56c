DROP TABLE "findings";
--> statement-breakpoint
CREATE UNLOGGED TABLE "read_model" (
  "cluster" text NOT NULL,
  "key" text NOT NULL,
  "version" bigint NOT NULL,
  "bytes" bytea NOT NULL,
  CONSTRAINT "read_model_cluster_key_pk" PRIMARY KEY("cluster","key")
);
--> statement-breakpoint
CREATE INDEX "read_model_version" ON "read_model" ("cluster","version");
