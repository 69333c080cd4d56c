CREATE TABLE "cluster_agents" (
  "cluster" text PRIMARY KEY NOT NULL,
  "instance" text NOT NULL,
  "host" text NOT NULL,
  "version" text NOT NULL,
  "since" timestamp with time zone NOT NULL,
  "seen_at" timestamp with time zone NOT NULL,
  "signed_at" timestamp with time zone NOT NULL,
  "received" timestamp with time zone NOT NULL,
  "worked" timestamp with time zone NOT NULL,
  "wish" json
);
--> statement-breakpoint
CREATE TABLE "agent_readings" (
  "cluster" text NOT NULL,
  "at" timestamp with time zone NOT NULL,
  "has_inventory" boolean NOT NULL,
  "body" bytea NOT NULL,
  CONSTRAINT "agent_readings_cluster_at_pk" PRIMARY KEY("cluster","at")
);
--> statement-breakpoint
-- It is compressed already.
ALTER TABLE "agent_readings" ALTER COLUMN "body" SET STORAGE EXTERNAL;
--> statement-breakpoint
CREATE TABLE "agent_past" (
  "cluster" text NOT NULL,
  "wish" text NOT NULL,
  "number" integer NOT NULL,
  "body" bytea NOT NULL,
  CONSTRAINT "agent_past_cluster_wish_number_pk" PRIMARY KEY("cluster","wish","number")
);
--> statement-breakpoint
ALTER TABLE "agent_past" ALTER COLUMN "body" SET STORAGE EXTERNAL;
