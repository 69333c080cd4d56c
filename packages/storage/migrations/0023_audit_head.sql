-- Where the audit log ends, signed with the master secret: one row, written with every entry. A log that ends before it was cut.
CREATE TABLE "audit_head" (
  "one" boolean PRIMARY KEY DEFAULT true NOT NULL CHECK ("one"),
  "seq" bigint NOT NULL,
  "hash" text NOT NULL,
  "signature" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "audit_head" ENABLE ROW LEVEL SECURITY;
