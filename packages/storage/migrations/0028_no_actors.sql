-- Leads took its place (0026), and a Septet that knows no leads may not use this database any more.
DROP TABLE "action_actors";
--> statement-breakpoint
INSERT INTO "schema_floor" ("oldest") VALUES (1796025600000);
