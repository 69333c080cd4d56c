-- A server that leads fewer clusters asks for this one.
ALTER TABLE "leads" ADD COLUMN "asked" text;
