CREATE TABLE "dismissals" (
  "cluster" text NOT NULL,
  "id" text NOT NULL,
  "reason" text NOT NULL,
  "at" timestamp with time zone NOT NULL,
  CONSTRAINT "dismissals_cluster_id_pk" PRIMARY KEY("cluster","id")
);
--> statement-breakpoint
CREATE TABLE "recommendations" (
  "cluster" text PRIMARY KEY NOT NULL,
  "made_at" timestamp with time zone NOT NULL,
  "body" bytea NOT NULL
);
--> statement-breakpoint
ALTER TABLE "recommendations" ALTER COLUMN "body" SET STORAGE EXTERNAL;
