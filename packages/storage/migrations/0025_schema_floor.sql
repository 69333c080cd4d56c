-- The oldest Septet that can use this database, by the date of the newest migration that it knows. A migration that older
-- ones cannot live with adds a row: INSERT INTO "schema_floor" ("oldest") VALUES (the date of a migration, as the journal has it).
CREATE TABLE "schema_floor" ("oldest" bigint NOT NULL);
