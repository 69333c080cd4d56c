import { z } from 'zod'

import { InstantText } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'

/** Days that rows of each length are kept. The least is what the ranges and the roll-up need. */
export const RetentionDaysSchema = z.strictObject({
  '5m': z.number().int().min(2).max(30).describe('five-minute rows, in days; 2 to 30'),
  '1h': z.number().int().min(9).max(400).describe('hourly rows, in days; 9 to 400'),
  '1d': z.number().int().min(32).max(3660).describe('daily rows and waits, in days; 32 to 3660'),
})

const StoredView = z.object({
  from: InstantText,
  to: InstantText,
  rows: z.number().int().describe('approximate; the database’s estimate'),
  bytes: z.number().int().describe('including indexes'),
})

const SpanView = z.object({
  rows: z.number().int(),
  bytes: z.number().int(),
  first: InstantText.nullable(),
  last: InstantText.nullable(),
  parts: z.array(StoredView).describe('time segments that are dropped as a whole, oldest first'),
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
    'How long usage rows are kept, and how much of each resolution is stored now, in segments that are dropped as a whole.',
  input: z.strictObject({}),
  output: RetentionView,
})

export const retentionPut = operation(ROUTES.retentionPut, {
  title: 'Change data retention',
  description:
    'Sets how long usage rows are kept. Older rows are dropped within minutes and cannot be restored; if that drops stored rows, it must be confirmed.',
  input: RetentionDaysSchema.extend({
    confirmed: z.boolean().default(false).describe('confirms that stored rows may be dropped'),
  }),
  output: RetentionView,
})
