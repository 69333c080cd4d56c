import {
  OPERATIONS,
  type InputOf,
  type OperationKey,
  type OutputOf,
  type reportGet,
  type shadowGet,
  invalidInput,
  Refusal,
} from '@septet/contract'
import { compareText, instant, parseRange, rangeText, type Caller, type Store } from '@septet/domain'
import { firstFew, listed } from '@septet/domain/words'
import { z } from 'zod'

import type { Answer, AnswersOf } from '../answering/answering.ts'
import { isoOf } from '../answering/view.ts'
import { whatSeptetDid } from './what-septet-did.ts'
import { readVersion } from '../../version.ts'
import type { AccessService } from '../access/access-service.ts'
import { listSchedules, putSchedule, removeSchedule } from './report-schedules.ts'

/** Everything that a report says. */
export type Report = OutputOf<typeof reportGet>

/** Nodes and workloads that a report names at most; the totals are beside them. */
const MOST_ROWS = 2000
const MOST_ACTIONS = 500

export type ReportNeeds = {
  /** The answers that the screens show: a report is made of these and of nothing else. */
  readonly answers: Readonly<Partial<Record<OperationKey, Answer>>>
  readonly version: string
  readonly now: () => number
}

/** Everything that a report says, each part as the screen that shows it is answered. */
export async function makeReport(
  { answers, version, now }: ReportNeeds,
  input: InputOf<typeof reportGet>,
  asker: Caller,
): Promise<Report> {
  const { cluster } = input
  const range = rangeText(input.range)
  const askAs =
    (caller: Caller): Ask =>
    async (key, { output }, asked) =>
      z.parse(output, await answers[key]?.({ cluster, ...asked }, caller))
  const caller = await limitedTo(asker, input.namespaces, () => seenNamespaces(askAs(asker), range))
  const ask = askAs(caller)
  const [summary, trend, months, namespace, model, pool, tokens] = await Promise.all([
    ask('summaryGet', OPERATIONS.summaryGet, { range }),
    ask('utilizationTrend', OPERATIONS.utilizationTrend, { range }),
    ask('costMonths', OPERATIONS.costMonths, {}),
    ask('costBreakdown', OPERATIONS.costBreakdown, { range, by: 'namespace' }),
    ask('costBreakdown', OPERATIONS.costBreakdown, { range, by: 'model' }),
    ask('costBreakdown', OPERATIONS.costBreakdown, { range, by: 'pool' }),
    ask('costTokens', OPERATIONS.costTokens, { range, by: 'workload' }),
  ])
  const [prices, partitions, workloads, waits, findings, recommendations, quality, savings] = await Promise.all([
    ask('pricesUsed', OPERATIONS.pricesUsed, { range }),
    ask('partitionsList', OPERATIONS.partitionsList, { limit: MOST_ROWS }),
    ask('workloadsList', OPERATIONS.workloadsList, { range, limit: MOST_ROWS }),
    ask('queueWaits', OPERATIONS.queueWaits, { range, limit: MOST_ROWS }),
    ask('findingsList', OPERATIONS.findingsList, { range }),
    ask('recommendationsList', OPERATIONS.recommendationsList, {}),
    ask('qualityGet', OPERATIONS.qualityGet, {}),
    // Actions are told of a whole cluster.
    caller.namespaces === undefined ? ask('savingsList', OPERATIONS.savingsList, {}) : null,
  ])
  const did = caller.namespaces === undefined ? await askWhatItDid(ask, range) : null
  return {
    source: summary.source,
    asOf: summary.asOf,
    window: summary.window,
    ...(summary.age !== undefined && { age: summary.age }),
    range,
    madeAt: isoOf(instant(now())),
    version,
    scope: { namespaces: caller.namespaces === undefined ? null : [...caller.namespaces] },
    summary,
    trend,
    months,
    cost: { namespace, model, pool, lines: input.lines === 'none' ? null : await linesOf(ask, range, input.lines) },
    tokens,
    prices,
    partitions,
    workloads,
    waits,
    findings,
    recommendations,
    did,
    savings,
    quality,
  }
}

/** By the hour; by the day where that would be more than anybody loads. */
async function linesOf(ask: Ask, range: string, step: 'hour' | 'day'): Promise<Report['cost']['lines']> {
  const parsed = parseRange(range)
  const asked = { range, zone: parsed?.kind === 'calendar' ? parsed.zone : 'UTC' }
  try {
    return (await ask('costLedger', OPERATIONS.costLedger, { ...asked, step })).lines
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'invalid-input' || step === 'day') throw error
    return (await ask('costLedger', OPERATIONS.costLedger, { ...asked, step: 'day' })).lines
  }
}

type Ask = <Output extends z.ZodType>(
  key: OperationKey,
  operation: { readonly output: Output },
  asked: object,
) => Promise<z.output<Output>>

/** Sample data has no actions, and no hours that could be replayed. */
async function askWhatItDid(ask: Ask, range: string): Promise<Report['did']> {
  const { actions, source } = await ask('actionsList', OPERATIONS.actionsList, { state: 'all', limit: MOST_ACTIONS })
  if (source.kind === 'sample') return null
  const [{ says: saved, window }, shadow] = await Promise.all([
    ask('savingsList', OPERATIONS.savingsList, { range }),
    replayed(ask, range),
  ])
  return whatSeptetDid({ actions, saved, shadow, window })
}

/** Looks that a report waits for a replay, each of which waits a moment itself. */
const MOST_LOOKS = 10

/** The report's own time, replayed; as far as that has come, where it takes too long to wait for. */
async function replayed(ask: Ask, range: string): Promise<OutputOf<typeof shadowGet>> {
  let shadow = await ask('shadowGet', OPERATIONS.shadowGet, { range })
  for (let look = 1; look < MOST_LOOKS && shadow.state === 'computing'; look += 1) {
    shadow = await ask('shadowGet', OPERATIONS.shadowGet, { range })
  }
  return shadow
}

/** The same asker with no more than some namespaces before them: what they may not see stays unseen. */
async function limitedTo(
  caller: Caller,
  text: string | undefined,
  seenBy: () => Promise<readonly string[]>,
): Promise<Caller> {
  if (text === undefined) return caller
  const namespaces = [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '')
  if (namespaces.length === 0)
    throw invalidInput('No namespace is named.', 'Name comma-separated namespaces, or omit them for all.')
  const seen = await seenBy()
  const unseen = namespaces.filter((name) => !seen.includes(name))
  // Before anything was seen, nothing is known to be absent.
  if (unseen.length === 0 || (seen.length === 0 && caller.namespaces === undefined)) return { ...caller, namespaces }
  throw invalidInput(
    `No namespace ${listed(
      unseen.map((name) => `“${name}”`),
      'or',
    )} with GPU work was seen in the range, in the past 30 days or now.`,
    seen.length === 0 ? 'Omit the namespaces for all that you may see.' : `Seen: ${firstFew(seen, MOST_NAMES)}.`,
  )
}

const MOST_NAMES = 50

/** Namespaces with GPU work that the caller may see: of the range, of the past month, and of now. */
async function seenNamespaces(ask: Ask, range: string): Promise<readonly string[]> {
  const [{ choices }, ...breakdowns] = await Promise.all([
    ask('workloadsList', OPERATIONS.workloadsList, { range, limit: 1 }),
    ...[range, '30d'].map((each) => ask('costBreakdown', OPERATIONS.costBreakdown, { range: each, by: 'namespace' })),
  ])
  const held = breakdowns.flatMap(({ groups }) => groups.flatMap(({ kind, key }) => (kind === 'named' ? key : [])))
  return [...new Set([...choices.namespaces, ...held])].toSorted(compareText)
}

type Needs = {
  /** Asked late: a report is made of the other answers. */
  readonly answers: () => ReportNeeds['answers']
  readonly store: Pick<Store, 'settings'>
  readonly service: Pick<AccessService, 'keepsMails'>
  readonly now: () => number
}

/** Reports, and who gets them by mail. */
export const reportAnswers = ({
  answers,
  store: { settings },
  service: { keepsMails },
  now,
}: Needs): AnswersOf<'report'> => ({
  reportGet: (input, { caller }) => makeReport({ answers: answers(), version: readVersion(), now }, input, caller),
  reportSchedulesList: () => listSchedules(settings, { now: now(), keepsMails }),
  reportSchedulesPut: (input) => putSchedule(settings, input, now()),
  reportSchedulesRemove: ({ id }) => removeSchedule(settings, id),
})
