ALTER TABLE "action_writes" ADD COLUMN "is_rehearsal" boolean DEFAULT false NOT NULL;
