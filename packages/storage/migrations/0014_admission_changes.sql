-- Counted every second for the limits of an hour and of a day, among many times as many warnings.
CREATE INDEX "admission_answers_changed_index" ON "admission_answers" ("cluster","at") WHERE "kind" = 'changed';
