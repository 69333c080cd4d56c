import type { FigureView, OPERATIONS, OutputOf } from '@septet/contract'
import { duration, listed, plural, short } from '@septet/domain/words'

import { table, type Family, type Reply, type SlotName, type Slots } from '../family.ts'
import { cell, figure, over, path, quoted } from '../phrases.ts'

type List = OutputOf<typeof OPERATIONS.workloadsList>
type Row = List['workloads'][number]

/** One way to list workloads. */
type Listing = Pick<Family, 'id' | 'about' | 'asks' | 'leads'> & {
  readonly status: 'running' | 'queued' | 'all'
  readonly sort: 'cost' | 'idleCost' | 'duration' | 'busy' | 'holds'
  readonly order?: 'up'
  readonly idle?: true
  /** What they are put in order by, where the answer is which of them is first: unknown comes last, so then all are. */
  readonly by?: (row: Row) => Pick<FigureView, 'value' | 'because'>
  /** What the first of them is. */
  readonly first: (row: Row) => string
  readonly none: string
}

const FILTERS: readonly SlotName[] = ['range', 'namespace', 'tenant', 'class', 'model', 'count']

const LISTINGS: readonly Listing[] = [
  {
    id: 'idle-now',
    about: 'what is held and idle now',
    asks: [
      'Which notebooks are idle in {namespace} since Monday?',
      'What sits idle right now?',
      'What is idle?',
      'Which {class} are idle?',
      'How many workloads are idle now?',
      'Which GPUs are idle now?',
      'Which running workloads are idle?',
      'Where is nothing running on a held GPU?',
    ],
    status: 'running',
    sort: 'idleCost',
    idle: true,
    by: ({ holds, idleCost }) => ({
      value: holds !== null && holds.idle > 0 ? holds.idle : null,
      because: idleCost.because,
    }),
    first: ({ id, holds }) => `${quoted(id)} holds ${gpusWords(holds?.idle ?? 0)} idle now`,
    none: 'no such workload holds an idle GPU now',
  },
  {
    id: 'idle-most',
    about: 'who idles most',
    asks: [
      'Who idles most?',
      'Which workloads idle most in namespace {namespace}?',
      'Who wastes most?',
      'Most expensive idle workloads',
      'Which workloads hold GPUs idle?',
      'Who holds idle GPUs?',
      'Which {class} waste most?',
    ],
    status: 'running',
    sort: 'idleCost',
    by: ({ idleCost }) => idleCost,
    first: ({ id, idleCost }) =>
      idleCost.value === 0
        ? 'no workload held an idle GPU'
        : `${quoted(id)} wasted the most while holding idle GPUs: ${figure(idleCost)}`,
    none: 'no workload holds a GPU',
  },
  {
    id: 'most-expensive',
    about: 'most expensive workloads',
    asks: [
      'What are the most expensive workloads?',
      'Which workloads cost most?',
      'Which job spends most in {namespace}?',
      'Top 5 workloads by cost',
    ],
    status: 'running',
    sort: 'cost',
    by: ({ cost }) => cost,
    first: ({ id, cost }) => `${quoted(id)} cost the most: ${figure(cost)}`,
    none: 'no workload holds a GPU',
  },
  {
    id: 'longest-running',
    about: 'what has run longest',
    asks: ['What has been running longest?', 'Which is the longest running job?', 'Oldest running workloads'],
    status: 'running',
    sort: 'duration',
    first: ({ id, duration: seconds }) => `${quoted(id)} has been running longest: ${lasted(seconds)}`,
    none: 'nothing runs',
  },
  {
    id: 'longest-waiting',
    about: 'what has waited longest',
    asks: ['What has been waiting longest?', 'Which job is stuck longest in the queue?', 'Longest pending workloads'],
    status: 'queued',
    sort: 'duration',
    first: ({ id, duration: seconds }) => `${quoted(id)} has been waiting longest: ${lasted(seconds)}`,
    none: 'nothing waits',
  },
  {
    id: 'busiest',
    about: 'busiest workloads',
    asks: ['Which workloads are busiest?', 'Which jobs have the highest utilization?', 'Busiest pods'],
    status: 'running',
    sort: 'busy',
    by: ({ busy }) => busy,
    first: ({ id, busy }) => `${quoted(id)} was busiest: ${figure(busy)}`,
    none: 'nothing runs',
  },
  {
    id: 'least-busy',
    about: 'least busy workloads',
    asks: ['Which workloads are least busy?', 'Which jobs have the lowest utilization?'],
    status: 'running',
    sort: 'busy',
    order: 'up',
    by: ({ busy }) => busy,
    first: ({ id, busy }) => `${quoted(id)} was least busy: ${figure(busy)}`,
    none: 'nothing runs',
  },
  {
    id: 'holds-most',
    about: 'who holds most GPUs',
    asks: ['Who holds most GPUs?', 'Which workloads hold the biggest number of GPUs?', 'Who occupies the GPUs?'],
    status: 'running',
    sort: 'holds',
    first: ({ id, holds }) => `${quoted(id)} holds the most: ${gpusWords(holds?.gpus ?? 0)}`,
    none: 'nothing holds a GPU',
  },
  {
    id: 'running',
    about: 'what runs',
    asks: [
      'How many workloads are running?',
      'What runs in {namespace}?',
      'Running jobs',
      'Which {class} are running?',
      'What runs on {model}?',
    ],
    status: 'running',
    sort: 'holds',
    first: ({ id, holds }) => `${quoted(id)} holds the most: ${gpusWords(holds?.gpus ?? 0)}`,
    none: 'nothing runs',
  },
  {
    id: 'waiting',
    about: 'what waits',
    asks: [
      'How many workloads are waiting?',
      'Which workloads wait in {namespace}?',
      'Is anything stuck?',
      'How many jobs are in the queue?',
    ],
    status: 'queued',
    sort: 'duration',
    leads: { why: 'wait-causes', start: 'queue' },
    first: ({ id, duration: seconds }) => `${quoted(id)} has been waiting longest: ${lasted(seconds)}`,
    none: 'nothing waits',
  },
]

/** "0.5 GPUs", "1 GPU". */
const gpusWords = (count: number): string => `${short(count)} ${count === 1 ? 'GPU' : 'GPUs'}`

const lasted = (seconds: number | null): string => (seconds === null ? 'unknown' : duration(seconds))

const narrowed = (slots: Slots): string => {
  const parts = (['namespace', 'tenant', 'class', 'model'] as const).flatMap((name) =>
    slots[name] === undefined ? [] : [`${name} ${quoted(slots[name])}`],
  )
  return parts.length === 0 ? '' : ` in ${listed(parts)}`
}

/** What is said of the first of them, or why it is unknown which that is. */
function standing(
  { about, by, first, none }: Pick<Listing, 'about' | 'by' | 'first' | 'none'>,
  [top]: readonly Row[],
  total: number,
): Pick<Reply, 'unknown'> & { readonly text: string } {
  const best = top === undefined ? undefined : by?.(top)
  if (best?.value === null)
    return { text: `${about}: unknown. ${best.because ?? 'It was not measured.'}`, unknown: true }
  return { text: top === undefined ? `${none}.` : `${first(top)}. ${plural(total, 'workload')} in total.` }
}

const listing = ({ id, about, asks, leads, status, sort, order, idle, ...says }: Listing): Family => ({
  id,
  about,
  asks,
  takes: FILTERS,
  ...(leads === undefined ? {} : { leads }),
  answer: async (slots, reading) => {
    const { range = '24h', namespace, tenant, class: kind, model } = slots
    const most = Number(slots.count ?? 10)
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
    } as const
    const { is, cite } = await reading.from('workloadsList', { ...asked, limit: model === undefined ? most : 2000 }, at)
    const all = model === undefined ? is.workloads : is.workloads.filter(isOn(model))
    const total = model === undefined ? is.total : all.length
    const { text, ...found } = standing({ about, ...says }, all, total)
    return {
      said: [[`${over(slots, is.asOf)}${narrowed(slots)}, ${text}`, cite]],
      ...found,
      blocks: [
        table(
          about,
          ['Workload', 'Holds or asks for', '#Busy', '#Cost', '#Idle cost'],
          all.slice(0, most).map((row) => ({
            cells: [row.id, row.gpu, cell(row.busy), cell(row.cost), cell(row.idleCost)],
            page: reading.page(path('/workloads', { range, workload: row.id })),
          })),
          total,
        ),
      ],
      pages: [['See the workloads', at]],
      further:
        status === 'queued'
          ? ['What waits and why?', 'Where is a MIG partition free?']
          : ['What do you recommend?', 'What does idle time cost?'],
    }
  },
})

const isOn =
  (model: string) =>
  ({ holds, gpu }: Row): boolean =>
    holds === null ? gpu.includes(model) : holds.parts.some((part) => part.model === model)

/** Lists of workloads. */
export const WORKS: readonly Family[] = LISTINGS.map(listing)
