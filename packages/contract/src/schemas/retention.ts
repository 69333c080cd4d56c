import { z } from 'zod'

import { InstantText } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'

/** Days that rows of each length are kept. The least is what the ranges and the roll-up need. */
export const RetentionDaysSchema = z.strictObject({
  '5m': z.number().int().min(2).max(30).describe('five-minute rows, days; 2 to 30'),
  '1h': z.number().int().min(9).max(400).describe('hourly rows, days; 9 to 400'),
  '1d': z.number().int().min(32).max(3660).describe('daily rows and waits, days; 32 to 3660'),
})

const StoredView = z.object({
  from: InstantText,
  to: InstantText,
  rows: z.number().int().describe('about; as the database estimates it'),
  bytes: z.number().int().describe('with indexes'),
})

const SpanView = z.object({
  rows: z.number().int(),
  bytes: z.number().int(),
  first: InstantText.nullable(),
  last: InstantText.nullable(),
  parts: z.array(StoredView).describe('stretches of time that are dropped whole, oldest first'),
})

const RetentionView = named('Retention', {
  days: RetentionDaysSchema,
  defaults: RetentionDaysSchema,
  stored: z.object({ '5m': SpanView, '1h': SpanView, '1d': SpanView }),
  databaseBytes: z.number().int().nullable(),
})

export const retentionGet = operation(ROUTES.retentionGet, {
  title: 'Data retention',
  description:
    'How long usage rows are kept, and how much of each length is stored now, in parts that are dropped whole.',
  input: z.strictObject({}),
  output: RetentionView,
})

export const retentionPut = operation(ROUTES.retentionPut, {
  title: 'Change data retention',
  description:
    'Sets how long usage rows are kept. What is older goes within minutes and cannot be brought back; where that drops stored rows it must be confirmed.',
  input: RetentionDaysSchema.extend({
    confirmed: z.boolean().default(false).describe('that stored rows may be dropped'),
  }),
  output: RetentionView,
})
