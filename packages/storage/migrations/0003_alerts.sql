CREATE TABLE "cluster_events" (
  "cluster" text NOT NULL,
  "id" text NOT NULL,
  "at" timestamp with time zone NOT NULL,
  "kind" text NOT NULL,
  "object" text NOT NULL,
  "namespace" text,
  "message" text NOT NULL,
  "figures" json NOT NULL,
  CONSTRAINT "cluster_events_cluster_id_pk" PRIMARY KEY("cluster","id")
);
--> statement-breakpoint
CREATE INDEX "cluster_events_at_index" ON "cluster_events" ("cluster","at");
--> statement-breakpoint
CREATE INDEX "cluster_events_object_index" ON "cluster_events" ("cluster","object","at");
--> statement-breakpoint
CREATE TABLE "alerts" (
  "id" text PRIMARY KEY NOT NULL,
  "cluster" text NOT NULL,
  "kind" text NOT NULL,
  "fingerprint" text NOT NULL,
  "object" text NOT NULL,
  "namespace" text,
  "severity" text NOT NULL,
  "status" text NOT NULL,
  "since" timestamp with time zone NOT NULL,
  "fired_at" timestamp with time zone,
  "resolved_at" timestamp with time zone,
  "clear_since" timestamp with time zone,
  "seen_at" timestamp with time zone NOT NULL,
  "title" text NOT NULL,
  "message" text NOT NULL,
  "advice" text NOT NULL,
  "figure" json NOT NULL,
  "ending" text,
  "told_firing" timestamp with time zone,
  "told_resolved" timestamp with time zone,
  "acknowledgement" json,
  "silence" json,
  "silenced_until" timestamp with time zone
);
--> statement-breakpoint
CREATE INDEX "alerts_cluster_status_index" ON "alerts" ("cluster","status");
--> statement-breakpoint
CREATE INDEX "alerts_cluster_since_index" ON "alerts" ("cluster","since");
--> statement-breakpoint
CREATE TABLE "deliveries" (
  "id" text PRIMARY KEY NOT NULL,
  "channel" text NOT NULL,
  "cluster" text NOT NULL,
  "about" text NOT NULL,
  "alerts" json NOT NULL,
  "title" text NOT NULL,
  "content" json,
  "created_at" timestamp with time zone NOT NULL,
  "state" text NOT NULL,
  "attempts" integer NOT NULL,
  "next_at" timestamp with time zone,
  "give_up_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "deliveries_state_next_at_index" ON "deliveries" ("state","next_at");
--> statement-breakpoint
CREATE INDEX "deliveries_created_at_index" ON "deliveries" ("created_at");
--> statement-breakpoint
CREATE TABLE "delivery_attempts" (
  "delivery" text NOT NULL REFERENCES "deliveries"("id") ON DELETE CASCADE,
  "attempt" integer NOT NULL,
  "at" timestamp with time zone NOT NULL,
  "outcome" text NOT NULL,
  "status" integer,
  "detail" text NOT NULL,
  "took_ms" integer NOT NULL,
  "next_at" timestamp with time zone,
  CONSTRAINT "delivery_attempts_delivery_attempt_pk" PRIMARY KEY("delivery","attempt")
);
--> statement-breakpoint
-- As in 0002: without a policy nobody but the owner sees a row.
ALTER TABLE "cluster_events" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "alerts" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "deliveries" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "delivery_attempts" ENABLE ROW LEVEL SECURITY;
