-- What a node is paid as stays with its usage when it is gone, and so do the seconds beyond the size that was in force.
INSERT INTO words (text) VALUES ('') ON CONFLICT (text) DO NOTHING;--> statement-breakpoint
DO $$
DECLARE
  unknown integer := (SELECT id FROM words WHERE text = '');
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['usage_5m', 'usage_1h', 'usage_1d'] LOOP
    EXECUTE format('ALTER TABLE %I ADD COLUMN machine integer NOT NULL DEFAULT %s', name, unknown);
    EXECUTE format('ALTER TABLE %I ALTER COLUMN machine DROP DEFAULT', name);
    EXECUTE format('ALTER TABLE %I ADD COLUMN oversized double precision NOT NULL DEFAULT 0', name);
    EXECUTE format('ALTER TABLE %I ALTER COLUMN oversized DROP DEFAULT', name);
  END LOOP;
END $$;
