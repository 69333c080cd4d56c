ALTER TABLE "action_baselines" ADD COLUMN "after" json;
