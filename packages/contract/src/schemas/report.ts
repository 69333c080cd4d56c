import { z } from 'zod'

import { ActionView } from './actions.ts'
import { costBreakdown, findingsList, qualityGet } from './cost.ts'
import { answered, ClusterInput, InstantText, KeptRangeInput, RangeInput, RangeText } from './figure.ts'
import { costLedger } from './ledger.ts'
import { costMonths } from './months.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'
import { partitionsList } from './partitions.ts'
import { pricesUsed } from './prices.ts'
import { recommendationsList } from './recommendations.ts'
import { savingsList } from './savings.ts'
import { summaryGet, utilizationTrend } from './summary.ts'
import { costTokens } from './token-cost.ts'
import { queueWaits } from './waits.ts'
import { workloadsList } from './workloads.ts'
import { EntryName } from './names.ts'

/** The files that a report comes as; `focus` is FOCUS 1.2. */
export const REPORT_FILES = [
  'pdf',
  'json',
  'focus',
  'focus-1.0',
  'focus-1.3',
  'cost',
  'tokens',
  'workloads',
  'waits',
  'partitions',
  'trend',
  'months',
  'findings',
  'recommendations',
  'actions',
  'savings',
] as const
export type ReportFile = (typeof REPORT_FILES)[number]

const NamespacesInput = {
  namespaces: z
    .string()
    .max(4000)
    .optional()
    .describe('only these namespaces, comma-separated; everything the caller may see if left out'),
}

export const reportGet = operation(ROUTES.reportGet, {
  title: 'Cluster report',
  description:
    'What the screens show for one cluster over a range, in one answer: summary, trend, months, cost by namespace, model and pool, what tokens cost by workload, the prices behind it, partitions, workloads, cost of waiting, findings, recommendations, what Septet did, what actions saved, and data quality. The PDF, CSV and FOCUS files are made from it. For a caller limited to namespaces, or a report on some namespaces, it covers what these hold.',
  input: z.strictObject({
    ...ClusterInput,
    ...RangeInput,
    ...NamespacesInput,
    lines: z.enum(['none', 'hour', 'day']).default('none').describe('with the lines of the ledger, by the hour or day'),
  }),
  output: named('Report', {
    ...answered,
    range: RangeText.describe('as it was asked for; window is what it came to'),
    madeAt: InstantText,
    version: z.string().describe('of Septet'),
    scope: z.object({ namespaces: z.array(z.string()).nullable().describe('null: the whole cluster') }),
    summary: summaryGet.output,
    trend: utilizationTrend.output,
    months: costMonths.output,
    cost: z.object({
      namespace: costBreakdown.output,
      model: costBreakdown.output,
      pool: costBreakdown.output,
      lines: costLedger.output.shape.lines
        .nullable()
        .describe('the lines of the ledger, which FOCUS files are made from; null unless asked for'),
    }),
    tokens: costTokens.output,
    prices: pricesUsed.output,
    partitions: partitionsList.output,
    workloads: workloadsList.output,
    waits: queueWaits.output,
    findings: findingsList.output,
    recommendations: recommendationsList.output,
    did: z
      .object({
        says: z.string().describe('what happened to the actions of this range, and what was measured for them in it'),
        would: z
          .string()
          .nullable()
          .describe(
            'what Septet would have done on its own in the range with Reclaim idle on auto, and which part of the range that covers; or why that is unknown',
          ),
        actions: z.array(ActionView).describe('actions that reached their current state in the range, newest first'),
      })
      .nullable()
      .describe('what Septet did; null in a report on some namespaces'),
    savings: savingsList.output.nullable().describe('what actions saved; null in a report on some namespaces'),
    quality: qualityGet.output,
  }),
})

/** When a report is mailed: at a time of day in a time zone, every day, on a day of the week, or on a day of the month. */
const RhythmSchema = z
  .discriminatedUnion('every', [
    z.object({ every: z.literal('day') }),
    z.object({ every: z.literal('week'), weekday: z.number().int().min(1).max(7).describe('1 is Monday') }),
    z.object({ every: z.literal('month'), day: z.number().int().min(1).max(28) }),
  ])
  .meta({ id: 'ReportRhythm' })

const ScheduleInput = {
  id: EntryName.describe('ID of the schedule; setting it again replaces it'),
  ...ClusterInput,
  ...KeptRangeInput,
  ...NamespacesInput,
  files: z.array(z.enum(REPORT_FILES)).min(1).max(REPORT_FILES.length),
  recipients: z.array(z.email()).min(1).max(20),
  rhythm: RhythmSchema,
  time: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/u)
    .describe('of day')
    .meta({ examples: ['08:00'] }),
  zone: z.string().max(64).default('UTC').describe('IANA time zone'),
}

export const ReportScheduleSchema = named('ReportSchedule', {
  ...ScheduleInput,
  next: InstantText.nullable().describe('when the next email is due'),
  last: z.object({ at: InstantText, outcome: z.string() }).nullable().describe('null before the first time'),
})

export const reportSchedulesList = operation(ROUTES.reportSchedulesList, {
  title: 'Scheduled reports',
  description: 'Which reports are emailed to whom and when, and the result of the last run.',
  input: z.strictObject({}),
  output: named('ReportScheduleList', {
    schedules: z.array(ReportScheduleSchema),
    mail: z
      .enum(['sent', 'kept'])
      .describe('kept: no mail server is configured, emails stay in the outbox without attachments'),
  }),
})

export const reportSchedulesPut = operation(ROUTES.reportSchedulesPut, {
  title: 'Schedule a report',
  description: 'Sets a schedule: what to report, as which files, to whom, and when.',
  input: z.strictObject(ScheduleInput),
  output: ReportScheduleSchema,
})

export const reportSchedulesRemove = operation(ROUTES.reportSchedulesRemove, {
  title: 'Stop a scheduled report',
  description: 'Removes a schedule; reports already sent are not affected.',
  input: z.strictObject({ id: z.string().describe('ID of the schedule') }),
  output: named('ReportScheduleRemoved', { removed: z.string() }),
})
