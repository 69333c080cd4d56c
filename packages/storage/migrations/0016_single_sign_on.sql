CREATE TABLE "external_identities" (
  "issuer" text NOT NULL,
  "subject" text NOT NULL,
  "account_id" text NOT NULL REFERENCES "accounts"("id") ON DELETE CASCADE,
  "created_at" timestamp with time zone NOT NULL,
  CONSTRAINT "external_identities_issuer_subject_pk" PRIMARY KEY("issuer","subject")
);
--> statement-breakpoint
CREATE INDEX "external_identities_account_id_index" ON "external_identities" ("account_id");
--> statement-breakpoint
ALTER TABLE "external_identities" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "provider_session" text;
--> statement-breakpoint
CREATE INDEX "sessions_provider_session_index" ON "sessions" ("provider_session");
--> statement-breakpoint
ALTER TABLE "members" ADD COLUMN "until" timestamp with time zone;
