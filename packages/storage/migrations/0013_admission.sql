CREATE TABLE "admission_answers" (
  "number" bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY NOT NULL,
  "cluster" text NOT NULL,
  "at" timestamp with time zone NOT NULL,
  "namespace" text NOT NULL,
  "pod" text NOT NULL,
  "workload" text NOT NULL,
  "kind" text NOT NULL,
  "suggested" text,
  "said" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "admission_answers_cluster_at_index" ON "admission_answers" ("cluster","at");
--> statement-breakpoint
-- As in 0002: without a policy nobody but the owner sees a row.
ALTER TABLE "admission_answers" ENABLE ROW LEVEL SECURITY;
