import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { FOLDER, newestKnown, readJournal } from './migrate.ts'

/** What the next version adds: every kind of change that this one must be able to live with. */
export const ADDED = `
ALTER TABLE "clusters" ADD COLUMN "region" text;
--> statement-breakpoint
ALTER TABLE "settings" ADD COLUMN "changed_at" timestamp with time zone NOT NULL DEFAULT now();
--> statement-breakpoint
ALTER TABLE "usage_5m" ADD COLUMN "fan_speed" double precision;
--> statement-breakpoint
ALTER TABLE "usage_1h" ADD COLUMN "fan_speed" double precision;
--> statement-breakpoint
ALTER TABLE "usage_1d" ADD COLUMN "fan_speed" double precision;
--> statement-breakpoint
ALTER TABLE "usage_packed" ADD COLUMN "fan_speed" double precision[];
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "locale" text NOT NULL DEFAULT 'en';
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "device" json;
--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "tags" text[];
--> statement-breakpoint
ALTER TABLE "alerts" ADD COLUMN "owner" text;
--> statement-breakpoint
ALTER TABLE "action_runs" ADD COLUMN "wave" integer NOT NULL DEFAULT 0;
--> statement-breakpoint
ALTER TABLE "waits" ADD COLUMN "note" text;
--> statement-breakpoint
CREATE INDEX "future_clusters" ON "clusters" ("region");
--> statement-breakpoint
CREATE TABLE "future_things" ("id" text PRIMARY KEY NOT NULL, "cluster" text REFERENCES "clusters"("id") ON DELETE CASCADE);
`

/** What it may not do without saying so. */
export const contracting = (oldest: number): string => `
ALTER TABLE "clusters" RENAME COLUMN "name" TO "title";
--> statement-breakpoint
INSERT INTO "schema_floor" ("oldest") VALUES (${oldest});
`

/** The migrations of the next version, in a folder that is removed afterwards. */
export async function nextVersion(
  sql: (when: number) => string,
): Promise<{ readonly folder: string; readonly remove: () => Promise<void> }> {
  const parent = await mkdtemp(join(tmpdir(), 'septet-future-'))
  const folder = join(parent, 'migrations')
  await cp(FOLDER, folder, { recursive: true })
  const [journal, when] = [await readJournal(), (await newestKnown()) + 3_600_000]
  const last = JSON.parse(await readFile(join(folder, 'meta/_journal.json'), 'utf8')).entries.at(-1)
  const entries = [...journal.entries, { ...last, idx: last.idx + 1, when, tag: '9999_future' }]
  await writeFile(join(folder, 'meta/_journal.json'), JSON.stringify({ ...journal, entries }))
  await writeFile(join(folder, '9999_future.sql'), sql(when))
  return { folder, remove: () => rm(parent, { recursive: true, force: true }) }
}
