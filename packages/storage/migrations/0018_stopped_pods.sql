ALTER TABLE "action_writes" ADD COLUMN "stops" json;
