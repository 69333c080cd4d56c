CREATE TABLE "accounts" (
  "id" text PRIMARY KEY NOT NULL,
  "email" text NOT NULL,
  "password_hash" text,
  "app_metadata" json NOT NULL,
  "user_metadata" json NOT NULL,
  "email_confirmed_at" timestamp with time zone,
  "invited_at" timestamp with time zone,
  "last_sign_in_at" timestamp with time zone,
  "banned_until" timestamp with time zone,
  "new_email" text,
  "mail_sent_at" json NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  CONSTRAINT "accounts_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
  "id" text PRIMARY KEY NOT NULL,
  "account_id" text NOT NULL REFERENCES "accounts"("id") ON DELETE CASCADE,
  "aal" text NOT NULL,
  "factor_id" text,
  "methods" json NOT NULL,
  "refresh_counter" bigint NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "refreshed_at" timestamp with time zone NOT NULL,
  "user_agent" text NOT NULL,
  "ip" text NOT NULL,
  "not_after" timestamp with time zone
);
--> statement-breakpoint
CREATE INDEX "sessions_account_id_index" ON "sessions" ("account_id");
--> statement-breakpoint
CREATE TABLE "mail_codes" (
  "id" text PRIMARY KEY NOT NULL,
  "account_id" text NOT NULL REFERENCES "accounts"("id") ON DELETE CASCADE,
  "kind" text NOT NULL,
  "hash" text NOT NULL,
  "sent_to" text NOT NULL,
  "tries" integer NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "expires_at" timestamp with time zone NOT NULL,
  "challenge" json,
  CONSTRAINT "mail_codes_hash_unique" UNIQUE("hash"),
  CONSTRAINT "mail_codes_account_id_kind_unique" UNIQUE("account_id","kind")
);
--> statement-breakpoint
CREATE INDEX "mail_codes_sent_to_index" ON "mail_codes" ("sent_to");
--> statement-breakpoint
CREATE TABLE "auth_flows" (
  "hash" text PRIMARY KEY NOT NULL,
  "account_id" text NOT NULL REFERENCES "accounts"("id") ON DELETE CASCADE,
  "challenge" json NOT NULL,
  "method" text NOT NULL,
  "expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "auth_flows_account_id_index" ON "auth_flows" ("account_id");
--> statement-breakpoint
CREATE TABLE "factors" (
  "id" text PRIMARY KEY NOT NULL,
  "account_id" text NOT NULL REFERENCES "accounts"("id") ON DELETE CASCADE,
  "friendly_name" text NOT NULL,
  "status" text NOT NULL,
  "secret" "bytea" NOT NULL,
  "last_step" bigint,
  "last_challenged_at" timestamp with time zone,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "factors_account_id_friendly_name_unique" ON "factors" ("account_id","friendly_name") WHERE "friendly_name" <> '';
--> statement-breakpoint
CREATE INDEX "factors_account_id_index" ON "factors" ("account_id");
--> statement-breakpoint
CREATE TABLE "factor_challenges" (
  "id" text PRIMARY KEY NOT NULL,
  "factor_id" text NOT NULL REFERENCES "factors"("id") ON DELETE CASCADE,
  "ip" text NOT NULL,
  "expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "factor_challenges_factor_id_index" ON "factor_challenges" ("factor_id");
--> statement-breakpoint
CREATE TABLE "signing_keys" (
  "kid" text PRIMARY KEY NOT NULL,
  "public_jwk" json NOT NULL,
  "sealed_private_jwk" "bytea",
  "created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "members" (
  "email" text PRIMARY KEY NOT NULL,
  "role" text NOT NULL,
  "namespaces" json,
  "updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_tokens" (
  "id" text PRIMARY KEY NOT NULL,
  "name" text NOT NULL,
  "prefix" text NOT NULL,
  "hash" text NOT NULL,
  "role" text NOT NULL,
  "namespaces" json,
  "clusters" json,
  "created_by" text NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "expires_at" timestamp with time zone,
  "last_used_at" timestamp with time zone,
  "revoked_at" timestamp with time zone,
  CONSTRAINT "api_tokens_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "audit_entries" (
  "seq" bigint PRIMARY KEY NOT NULL,
  "at" timestamp with time zone NOT NULL,
  "actor" text NOT NULL,
  "action" text NOT NULL,
  "object" text NOT NULL,
  "outcome" text NOT NULL,
  "ip" text NOT NULL,
  "details" json NOT NULL,
  "previous_hash" text NOT NULL,
  "hash" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "audit_entries_actor_index" ON "audit_entries" ("actor","seq");
--> statement-breakpoint
CREATE INDEX "audit_entries_action_index" ON "audit_entries" ("action","seq");
--> statement-breakpoint
CREATE FUNCTION "audit_entries_are_only_added"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit entries are only ever added: % is refused', lower(TG_OP)
    USING HINT = 'An entry that was changed or left out breaks the chain of hashes.';
END
$$;
--> statement-breakpoint
CREATE TRIGGER "audit_entries_are_only_added" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_entries"
  FOR EACH STATEMENT EXECUTE FUNCTION "audit_entries_are_only_added"();
--> statement-breakpoint
-- Also where session_replication_role turns ordinary triggers off.
ALTER TABLE "audit_entries" ENABLE ALWAYS TRIGGER "audit_entries_are_only_added";
--> statement-breakpoint
CREATE TABLE "mails" (
  "id" text PRIMARY KEY NOT NULL,
  "at" timestamp with time zone NOT NULL,
  "to" text NOT NULL,
  "kind" text NOT NULL,
  "subject" text NOT NULL,
  "text" text NOT NULL,
  "outcome" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "mails_at_index" ON "mails" ("at");
--> statement-breakpoint
-- Where the database is also served through an API (PostgREST), others may hold grants on every table of `public`.
-- Without a policy nobody but the owner sees a row.
ALTER TABLE "accounts" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "sessions" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "mail_codes" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "auth_flows" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "factors" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "factor_challenges" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "signing_keys" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "members" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "api_tokens" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "audit_entries" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "mails" ENABLE ROW LEVEL SECURITY;
