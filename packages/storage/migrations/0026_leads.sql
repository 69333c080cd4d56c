-- Which server watches each cluster, and, under the empty name, which one sends what goes out by itself. Times are this
-- database's. Nobody leads where "holder" is null; the row stays, since a token is never given twice.
CREATE TABLE "leads" (
  "cluster" text PRIMARY KEY NOT NULL,
  "token" bigint NOT NULL,
  "holder" text,
  "until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "leads" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
-- A connection that was opened under a lead (septet.lead) writes nothing once the lead is another's. What it is writing is
-- finished before the lead can be taken: the row stays locked until its transaction ends.
CREATE OR REPLACE FUNCTION "septet_fence"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  held text := current_setting('septet.token', true);
BEGIN
  IF coalesce(held, '') <> '' THEN
    PERFORM 1 FROM leads
    WHERE cluster = current_setting('septet.lead') AND token = held::bigint AND holder IS NOT NULL
    FOR KEY SHARE;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'another server leads' USING ERRCODE = 'SPT01';
    END IF;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY[
    'action_actors', 'action_baselines', 'action_runs', 'action_stops', 'action_transitions', 'action_writes',
    'admission_answers', 'agent_past', 'agent_readings', 'alerts', 'cluster_agents', 'cluster_events', 'clusters',
    'deliveries', 'delivery_attempts', 'dismissals', 'mails', 'notes', 'prices', 'read_model', 'recommendations', 'settings',
    'snapshots', 'usage_1d', 'usage_1h', 'usage_5m', 'usage_packed', 'usage_pending', 'waits', 'words'
  ] LOOP
    EXECUTE format('CREATE TRIGGER "written_by_the_lead" BEFORE INSERT OR UPDATE OR DELETE ON %I '
      'FOR EACH STATEMENT EXECUTE FUNCTION septet_fence()', name);
  END LOOP;
END $$;
--> statement-breakpoint
-- A server that knows no leads would watch a cluster, and act on it, beside the one that leads it.
INSERT INTO "schema_floor" ("oldest") VALUES (1796025600000);
