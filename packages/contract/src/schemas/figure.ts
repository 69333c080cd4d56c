import { isZone, parseRange, type TimeRange } from '@septet/domain'
import { z } from 'zod'

import { named } from '../named.ts'

/** An instant on the wire: RFC 3339 in UTC. */
export const InstantText = z.iso.datetime()

export const WindowSchema = named('Window', { from: InstantText, to: InstantText })

/** A number that explains itself. `value` is null when it is not known, and `because` then says why; it is never 0 for unknown. */
export const FigureSchema = named('Figure', {
  value: z.number().nullable().describe('null: unknown; see because'),
  unit: z.enum(['ratio', 'USD', 'USD/mo', 'USD/GPU-h', 'GPU-h', 'GPU', 'count', 's', 'MiB', 'W', '°C']),
  quality: z.enum(['measured', 'partial', 'unknown', 'sample', 'estimated']),
  because: z.string().nullable().describe('why it is unknown or partial'),
  coverage: z.number().min(0).max(1).nullable().describe('share of the time range that was measured'),
  interval: z
    .object({ low: z.number(), high: z.number() })
    .optional()
    .describe('90% interval of the true value; left out if nothing is estimated'),
  explain: z.object({
    formula: z.string(),
    window: WindowSchema.nullable(),
    source: z.string().describe('the query or object it comes from'),
  }),
})
export type FigureView = z.output<typeof FigureSchema>

/** Something that is wrong, what still works, and what to do. */
export const ProblemSchema = named('Problem', { code: z.string(), message: z.string(), object: z.string() })

/** RFC 9457 problem document, with a code from one list and what to do next. */
export const ProblemDocumentSchema = named('ProblemDocument', {
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  code: z.string(),
  detail: z.string(),
  todo: z.string(),
  instance: z.string().optional(),
})
export type ProblemDocument = z.output<typeof ProblemDocumentSchema>

const NO_RANGE =
  'a range is 1h, 6h, 24h, 7d, 30d; today, week, month, last-week or last-month, with @ and an IANA time zone where it is not UTC; or two RFC 3339 instants with / between, the earlier first, at most 800 days apart'
const Text = z
  .string()
  .max(120, { error: NO_RANGE, abort: true })
  .meta({ examples: ['24h', 'last-week@Europe/Berlin', '2026-11-01T00:00:00Z/2026-11-08T00:00:00Z'] })

/** A range as it is written: where it is answered, or kept to be asked with later. */
export const RangeText = Text.refine((text) => parseRange(text) !== undefined, { message: NO_RANGE })

/** How far back a caller asks: quick, of the calendar of a time zone, or between two instants. Its text is read here, once. */
const AskedRange = Text.transform((text, { issues }): TimeRange => {
  const range = parseRange(text)
  if (range !== undefined) return range
  issues.push({ code: 'custom', message: NO_RANGE, input: text })
  return z.NEVER
})

/** Every answer about a cluster says which one, of when it is, and over which window. */
export const SourceSchema = named('Source', {
  id: z.string(),
  name: z.string(),
  kind: z.enum(['cluster', 'demo', 'sample']),
})

export const ClusterInput = { cluster: z.string().optional().describe('cluster ID; defaults to the first one') }
/** A time zone, in which days and months begin. */
export const ZoneSchema = z
  .string()
  .max(64)
  .refine(isZone, { message: 'not an IANA time zone, such as Europe/Berlin' })
  .default('UTC')
  .describe('IANA time zone that days and months start in')

const HOW_FAR =
  'how far back from now: 1h, 6h, 24h, 7d, 30d; today, week, month, last-week, last-month (`month@Europe/Berlin`: of that time zone, else of UTC); or `FROM/TO` as RFC 3339 instants'

export const RangeInput = { range: AskedRange.prefault('24h').describe(HOW_FAR) }
/** A period, where all of it is told when none is named. */
export const PeriodInput = { range: AskedRange.optional().describe(`${HOW_FAR}; all of it when left out`) }
/** The same, kept as it was written. */
export const KeptRangeInput = { range: RangeText.default('24h').describe(HOW_FAR) }

export const answered = {
  source: SourceSchema,
  asOf: InstantText.nullable().describe(
    'when the newest data was read; null for sample data or before the first reading',
  ),
  window: WindowSchema.nullable(),
  age: z
    .string()
    .optional()
    .describe(
      'how far the figures reach: how old they are, where the window does not end about at asOf; how much of the past is read, while they reach into what is not; absent where there is nothing to say',
    ),
  unknownDays: z
    .number()
    .optional()
    .describe(
      'days of the window, to now, of which no usage is known: amounts lack them; absent where nothing is summed',
    ),
}

/** The answer in sentences, made where its figures are: every face prints these, and none words them again. */
export const told = {
  ...answered,
  says: z
    .array(
      named('Said', {
        text: z.string(),
        cites: z
          .array(z.object({ ref: z.string().describe('a place in this answer: `groups[0].usd.capacity`') }))
          .min(1)
          .describe('the figures that it is concluded from; where one is unknown, so is what the sentence is about'),
      }),
    )
    .default([])
    .describe('the answer in sentences'),
}

const NOBODYS = 'null for a caller who is limited to namespaces: unallocated capacity belongs to none'

/**
 * used + idleHeld + oversized + unallocated + stranded + broken + unrequested + unobserved = capacity; unmeasured is a part of
 * used. For a caller who is limited to namespaces capacity is what these held, so that used + idleHeld + oversized = capacity.
 */
export const CostPartsSchema = named('CostParts', {
  capacity: z.number(),
  used: z.number(),
  unmeasured: z.number().describe('part of used'),
  idleHeld: z.number(),
  unallocated: z.number().nullable().describe(NOBODYS),
  stranded: z.number().nullable().describe(NOBODYS),
  oversized: z.number(),
  broken: z.number().nullable().describe(`node not ready, device withheld or stopped by a fault; ${NOBODYS}`),
  unrequested: z.number().nullable().describe(`busy with work that no pod’s request explains; ${NOBODYS}`),
  unobserved: z.number().nullable().describe(`known to be there, but not observed; ${NOBODYS}`),
})
