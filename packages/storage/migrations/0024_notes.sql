-- What servers on one database note for one another for a while: worth nothing after a crash, so it is not logged.
CREATE UNLOGGED TABLE "notes" (
  "kind" text NOT NULL,
  "id" text NOT NULL,
  "owner" text NOT NULL,
  "at" timestamp with time zone NOT NULL,
  "until" timestamp with time zone NOT NULL,
  "bytes" bytea NOT NULL,
  CONSTRAINT "notes_kind_id_pk" PRIMARY KEY("kind","id")
);
--> statement-breakpoint
CREATE INDEX "notes_kind_at" ON "notes" ("kind","at");
