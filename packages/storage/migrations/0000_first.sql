CREATE TABLE "clusters" (
  "id" text PRIMARY KEY NOT NULL,
  "name" text NOT NULL,
  "kind" text NOT NULL,
  "created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "findings" (
  "cluster" text NOT NULL,
  "id" text NOT NULL,
  "kind" text NOT NULL,
  "object" text NOT NULL,
  "message" text NOT NULL,
  "found_at" timestamp with time zone NOT NULL,
  "gpu_hours" double precision,
  "cost_per_month" double precision,
  "evidence" json NOT NULL,
  CONSTRAINT "findings_cluster_id_pk" PRIMARY KEY("cluster","id")
);
--> statement-breakpoint
CREATE TABLE "prices" (
  "id" text PRIMARY KEY NOT NULL,
  "cluster" text,
  "pool" text,
  "model" text,
  "price" double precision NOT NULL,
  "source" text NOT NULL,
  "as_of" timestamp with time zone NOT NULL,
  "origin" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "settings" (
  "key" text PRIMARY KEY NOT NULL,
  "value" json
);
--> statement-breakpoint
CREATE TABLE "snapshots" (
  "cluster" text NOT NULL,
  "taken_at" timestamp with time zone NOT NULL,
  "body" "bytea" NOT NULL,
  CONSTRAINT "snapshots_cluster_taken_at_pk" PRIMARY KEY("cluster","taken_at")
);
--> statement-breakpoint
CREATE TABLE "usage_1d" (
  "at" timestamp with time zone NOT NULL,
  "share" double precision NOT NULL,
  "present" double precision NOT NULL,
  "measured" double precision NOT NULL,
  "idle" double precision NOT NULL,
  "busy" double precision,
  "busy_peak" double precision,
  "effective" double precision,
  "memory_used" double precision,
  "memory_peak" double precision,
  "power" double precision,
  "cluster" integer NOT NULL,
  "node" integer NOT NULL,
  "pool" integer NOT NULL,
  "gpu" integer NOT NULL,
  "partition" integer NOT NULL,
  "profile" integer NOT NULL,
  "model" integer NOT NULL,
  "kind" integer NOT NULL,
  "namespace" integer NOT NULL,
  "workload" integer NOT NULL,
  "pod" integer NOT NULL,
  "workload_class" integer NOT NULL,
  "reason" integer,
  "variant" smallint NOT NULL,
  CONSTRAINT "usage_1d_cluster_at_partition_namespace_pod_kind_variant_pk" PRIMARY KEY("cluster","at","partition","namespace","pod","kind","variant")
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE TABLE "usage_1h" (
  "at" timestamp with time zone NOT NULL,
  "share" double precision NOT NULL,
  "present" double precision NOT NULL,
  "measured" double precision NOT NULL,
  "idle" double precision NOT NULL,
  "busy" double precision,
  "busy_peak" double precision,
  "effective" double precision,
  "memory_used" double precision,
  "memory_peak" double precision,
  "power" double precision,
  "cluster" integer NOT NULL,
  "node" integer NOT NULL,
  "pool" integer NOT NULL,
  "gpu" integer NOT NULL,
  "partition" integer NOT NULL,
  "profile" integer NOT NULL,
  "model" integer NOT NULL,
  "kind" integer NOT NULL,
  "namespace" integer NOT NULL,
  "workload" integer NOT NULL,
  "pod" integer NOT NULL,
  "workload_class" integer NOT NULL,
  "reason" integer,
  "variant" smallint NOT NULL,
  CONSTRAINT "usage_1h_cluster_at_partition_namespace_pod_kind_variant_pk" PRIMARY KEY("cluster","at","partition","namespace","pod","kind","variant")
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE TABLE "usage_5m" (
  "at" timestamp with time zone NOT NULL,
  "share" double precision NOT NULL,
  "present" double precision NOT NULL,
  "measured" double precision NOT NULL,
  "idle" double precision NOT NULL,
  "busy" double precision,
  "busy_peak" double precision,
  "effective" double precision,
  "memory_used" double precision,
  "memory_peak" double precision,
  "power" double precision,
  "cluster" integer NOT NULL,
  "node" integer NOT NULL,
  "pool" integer NOT NULL,
  "gpu" integer NOT NULL,
  "partition" integer NOT NULL,
  "profile" integer NOT NULL,
  "model" integer NOT NULL,
  "kind" integer NOT NULL,
  "namespace" integer NOT NULL,
  "workload" integer NOT NULL,
  "pod" integer NOT NULL,
  "workload_class" integer NOT NULL,
  "reason" integer,
  "variant" smallint NOT NULL,
  CONSTRAINT "usage_5m_cluster_at_partition_namespace_pod_kind_variant_pk" PRIMARY KEY("cluster","at","partition","namespace","pod","kind","variant")
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE TABLE "usage_pending" (
  "cluster" integer NOT NULL,
  "span" text NOT NULL,
  "at" timestamp with time zone NOT NULL,
  "times" integer NOT NULL,
  CONSTRAINT "usage_pending_cluster_span_at_pk" PRIMARY KEY("cluster","span","at")
);
--> statement-breakpoint
CREATE TABLE "words" (
  "id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "words_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
  "text" text NOT NULL,
  CONSTRAINT "words_text_unique" UNIQUE("text")
);
--> statement-breakpoint
ALTER TABLE "snapshots" ALTER COLUMN "body" SET STORAGE EXTERNAL;
