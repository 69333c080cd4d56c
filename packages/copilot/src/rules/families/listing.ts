import type { FigureView, OPERATIONS, OutputOf } from '@septet/contract'
import { duration, listed, plural, short } from '@septet/domain/words'

import { table, type Family, type Reply, type SlotName, type Slots } from '../family.ts'
import { cell, now, over, path, quoted } from '../phrases.ts'
import type { Reading } from '../reading.ts'
import { rangePhrase } from '../times.ts'

type List = OutputOf<typeof OPERATIONS.workloadsList>
type Row = List['workloads'][number]

/** One way to list workloads. */
export type Listing = Pick<Family, 'id' | 'about' | 'asks' | 'leads'> & {
  readonly status: 'running' | 'queued'
  readonly sort: 'cost' | 'idleCost' | 'duration' | 'busy' | 'holds'
  readonly order?: 'up'
  readonly idle?: true
  /** How many there are, where that is what is asked: it comes first. */
  readonly counts?: (total: number, rows: readonly Row[]) => string
  /** What they are put in order by, where the answer is which of them is first: unknown comes last, so then all are. */
  readonly by?: (row: Row) => Pick<FigureView, 'value' | 'because'>
  /** What the first of them is. */
  readonly first: (row: Row) => string
  readonly none: string
}

const FILTERS: readonly SlotName[] = ['range', 'namespace', 'tenant', 'class', 'model', 'count']
/** As many as an answer may hold. */
const ALL = 2000

/** "0.5 GPUs", "1 GPU". */
export const gpusWords = (count: number): string => `${short(count)} ${count === 1 ? 'GPU' : 'GPUs'}`

export const lasted = (seconds: number | null): string => (seconds === null ? 'unknown' : duration(seconds))

const narrowed = (slots: Slots): string => {
  const parts = (['namespace', 'tenant', 'class', 'model'] as const).flatMap((name) =>
    slots[name] === undefined ? [] : [`${name} ${quoted(slots[name])}`],
  )
  return parts.length === 0 ? '' : ` in ${listed(parts)}`
}

/** What is said of them, or why it is unknown which is first. */
function standing(
  { about, by, counts, first, none }: Omit<Listing, 'id' | 'asks' | 'status' | 'sort'>,
  rows: readonly Row[],
  total: number,
): Pick<Reply, 'unknown'> & { readonly text: string } {
  const [top] = rows
  const best = top === undefined ? undefined : by?.(top)
  if (best?.value === null)
    return { text: `${about}: unknown. ${best.because ?? 'It was not measured.'}`, unknown: true }
  if (top === undefined) return { text: `${none}.` }
  if (counts !== undefined) return { text: `${counts(total, rows)}. ${first(top)}.` }
  return { text: `${first(top)}. ${plural(total, 'workload')} in total.` }
}

/** How long something takes, what it holds and what waits is known as of now; what it cost, over a window. */
const isOfNow = ({ sort, counts }: Pick<Listing, 'sort' | 'counts'>): boolean =>
  sort === 'duration' || sort === 'holds' || counts !== undefined

/** Workloads as an answer lists them. */
export const listing = (one: Listing): Family => ({
  id: one.id,
  about: one.about,
  asks: one.asks,
  takes: FILTERS,
  isOfNow: isOfNow(one),
  ...(one.leads === undefined ? {} : { leads: one.leads }),
  answer: async (slots, reading) => {
    const isQueued = one.status === 'queued'
    // A workload that waits asks for no model.
    const { model, ...others } = slots
    const kept: Slots = isQueued ? others : slots
    const { is, cite, at } = await read(one, kept, reading)
    const all = kept.model === undefined ? is.workloads : is.workloads.filter(isOn(kept.model))
    const total = kept.model === undefined ? is.total : all.length
    const { text, ...found } = standing(one, all, total)
    const when = isOfNow(one) ? now(is.asOf) : over(slots, is.asOf)
    return {
      said: [[`${when}${narrowed(kept)}, ${text}`, cite], ...(isQueued ? modelUnknown(model, cite) : [])],
      ...found,
      blocks: [rowsOf(one, { slots, rows: all, total }, reading)],
      pages: [['See the workloads', at]],
      further: isQueued
        ? ['What waits and why?', 'Where is a MIG partition free?']
        : ['What do you recommend?', 'What does idle time cost?'],
    }
  },
})

async function read({ status, sort, order, idle }: Listing, slots: Slots, reading: Reading) {
  const { range = '24h', namespace, tenant, class: kind, model, count = '10' } = slots
  const at = path('/workloads', { range, q: namespace, sort })
  const asked = {
    range,
    namespace,
    tenant,
    class: kind,
    status,
    sort,
    order: order ?? 'down',
    idle: idle ? 'true' : 'false',
    limit: model === undefined && idle === undefined ? Number(count) : ALL,
  } as const
  return { ...(await reading.from('workloadsList', asked, at)), at }
}

const modelUnknown = (model: string | undefined, cite: number): Reply['said'] =>
  model === undefined ? [] : [[`Which of them need ${quoted(model)} is unknown: work that waits names no model.`, cite]]

type Rows = { readonly slots: Slots; readonly rows: readonly Row[]; readonly total: number }

function rowsOf({ about }: Listing, { slots, rows, total }: Rows, reading: Reading) {
  const { range = '24h', count = '10' } = slots
  return table(
    `${about} (busy and cost: ${rangePhrase(range)})`,
    ['Workload', 'Holds or asks for', '#Busy', '#Cost', '#Idle cost'],
    rows.slice(0, Number(count)).map((row) => ({
      cells: [row.id, row.gpu, cell(row.busy), cell(row.cost), cell(row.idleCost)],
      page: reading.page(path('/workloads', { range, workload: row.id })),
    })),
    total,
  )
}

const isOn =
  (model: string) =>
  ({ holds }: Row): boolean =>
    holds?.parts.some((part) => part.model === model) === true
