ALTER TABLE "action_transitions" ADD COLUMN "caller" text;--> statement-breakpoint
ALTER TABLE "action_transitions" ADD COLUMN "party" text;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD COLUMN "account" text;--> statement-breakpoint
-- Whoever has the address since a token was made may be someone else.
UPDATE "api_tokens" SET "account" = "accounts"."id" FROM "accounts"
WHERE "accounts"."email" = "api_tokens"."created_by" AND "accounts"."created_at" <= "api_tokens"."created_at";
