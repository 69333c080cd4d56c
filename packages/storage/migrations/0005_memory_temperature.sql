ALTER TABLE "usage_5m" ADD COLUMN "memory_temperature" double precision;
--> statement-breakpoint
ALTER TABLE "usage_1h" ADD COLUMN "memory_temperature" double precision;
--> statement-breakpoint
ALTER TABLE "usage_1d" ADD COLUMN "memory_temperature" double precision;
