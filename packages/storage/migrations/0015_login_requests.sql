CREATE TABLE "login_requests" (
  "id" text PRIMARY KEY NOT NULL,
  "code_hash" text NOT NULL,
  "machine" text NOT NULL,
  "ip" text NOT NULL,
  "challenge" text NOT NULL,
  "callback" json,
  "role" text,
  "decision" json,
  "created_at" timestamp with time zone NOT NULL,
  "expires_at" timestamp with time zone NOT NULL,
  CONSTRAINT "login_requests_code_hash_unique" UNIQUE("code_hash")
);
--> statement-breakpoint
ALTER TABLE "login_requests" ENABLE ROW LEVEL SECURITY;
