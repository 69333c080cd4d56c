import type { FigureView, OPERATIONS, OutputOf } from '@septet/contract'
import { agree, duration, plural, short } from '@septet/domain/words'

import { cell, figure, now, over, path, quoted } from './phrases.ts'
import { replyTable, type ReplyOf, type Reply } from './reply.ts'

type Row = OutputOf<typeof OPERATIONS.workloadsList>['workloads'][number]

/** One way to list workloads. */
type Listing = {
  readonly about: string
  readonly status: 'running' | 'queued'
  readonly sort: 'idleCost' | 'duration' | 'busy'
  readonly order?: 'up'
  readonly idle?: true
  /** It is known as of now, and not over a window. */
  readonly isOfNow?: true
  /** How many there are, where that is what is asked: it comes first. */
  readonly counts?: (total: number, rows: readonly Row[]) => string
  /** What they are put in order by, where the answer is which of them is first: unknown comes last, so then all are. */
  readonly by?: (row: Row) => Pick<FigureView, 'value' | 'because'>
  /** What the first of them is. */
  readonly first: (row: Row) => string
  readonly none: string
}

const RANGE = '24h'
const SHOWN = 10
/** As many as an answer may hold. */
const ALL = 2000

const listing =
  (one: Listing): ReplyOf =>
  async (reading) => {
    const { about, status, sort, order = 'down', idle } = one
    const at = path('/workloads', { range: RANGE, sort })
    const asked = {
      range: RANGE,
      status,
      sort,
      order,
      idle: idle ? 'true' : 'false',
      limit: idle ? ALL : SHOWN,
    } as const
    const { is, cite } = await reading.from('workloadsList', asked, at)
    const { text, ...found } = standing(one, is)
    return {
      said: [[`${one.isOfNow ? now(is.asOf) : over(RANGE, is.asOf)}, ${text}`, cite]],
      ...found,
      blocks: [
        replyTable(
          `${about} (busy and cost: over the past 24 hours)`,
          ['Workload', 'Holds or asks for', '#Busy', '#Cost', '#Idle cost'],
          is.workloads.slice(0, SHOWN).map((row) => ({
            cells: [row.id, row.gpu, cell(row.busy), cell(row.cost), cell(row.idleCost)],
            page: reading.page(path('/workloads', { range: RANGE, workload: row.id })),
          })),
          is.total,
        ),
      ],
      pages: [['See the workloads', at]],
      further: status === 'queued' ? ['waits-and-why', 'free-partition'] : ['do-first', 'idle-cost'],
    }
  }

/** What is said of them, or why it is unknown which is first. */
function standing(
  { about, by, counts, first, none }: Listing,
  { workloads: rows, total }: { readonly workloads: readonly Row[]; readonly total: number },
): Pick<Reply, 'unknown'> & { readonly text: string } {
  const [top] = rows
  const best = top === undefined ? undefined : by?.(top)
  if (best?.value === null)
    return { text: `${about}: unknown. ${best.because ?? 'It was not measured.'}`, unknown: true }
  if (top === undefined) return { text: `${none}.` }
  if (counts !== undefined) return { text: `${counts(total, rows)}. ${first(top)}.` }
  return { text: `${first(top)}. ${plural(total, 'workload')} in total.` }
}

/** "0.5 GPUs", "1 GPU". */
const gpusWords = (count: number): string => `${short(count)} ${count === 1 ? 'GPU' : 'GPUs'}`

export const idleNowReply = listing({
  about: 'what is held and idle now',
  status: 'running',
  sort: 'idleCost',
  idle: true,
  isOfNow: true,
  by: ({ holds, idleCost }) => ({
    value: holds !== null && holds.idle > 0 ? holds.idle : null,
    because: idleCost.because,
  }),
  counts: (total, rows) => {
    const idle = rows.reduce((sum, { holds }) => sum + (holds?.idle ?? 0), 0)
    return `${plural(total, 'workload')} ${agree(total, 'holds', 'hold')} ${rows.length < total ? 'at least ' : ''}${gpusWords(idle)} idle`
  },
  first: ({ id, holds }) => `${quoted(id)} has the costliest idle time: it holds ${gpusWords(holds?.idle ?? 0)} idle`,
  none: 'no such workload is known to hold an idle GPU',
})

export const mostWaste = listing({
  about: 'who idles most',
  status: 'running',
  sort: 'idleCost',
  by: ({ idleCost }) => idleCost,
  first: ({ id, idleCost }) =>
    idleCost.value === 0
      ? 'no workload held an idle GPU'
      : `${quoted(id)} wasted the most while holding idle GPUs: ${figure(idleCost)}`,
  none: 'no workload holds a GPU',
})

export const leastUsed = listing({
  about: 'least busy workloads',
  status: 'running',
  sort: 'busy',
  order: 'up',
  by: ({ busy }) => busy,
  first: ({ id, busy }) => `${quoted(id)} was least busy: ${figure(busy)}`,
  none: 'nothing runs',
})

export const longestWait = listing({
  about: 'what has waited longest',
  status: 'queued',
  sort: 'duration',
  isOfNow: true,
  first: ({ id, duration: seconds }) =>
    `${quoted(id)} has been waiting longest: ${seconds === null ? 'unknown' : duration(seconds)}`,
  none: 'nothing waits',
})
