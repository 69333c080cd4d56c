ALTER TABLE "prices" ADD COLUMN "instance_type" text;
--> statement-breakpoint
ALTER TABLE "prices" ADD COLUMN "region" text;
--> statement-breakpoint
ALTER TABLE "prices" ADD COLUMN "capacity" text;
--> statement-breakpoint
ALTER TABLE "prices" ADD COLUMN "effective_from" timestamp with time zone;
--> statement-breakpoint
ALTER TABLE "prices" ADD COLUMN "owned" json;
