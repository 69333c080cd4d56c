DROP TABLE "auth_flows";
--> statement-breakpoint
ALTER TABLE "mail_codes" DROP COLUMN "challenge";
