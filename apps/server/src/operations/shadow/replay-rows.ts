import {
  DAY_MS,
  compareText,
  instant,
  REPLAYS,
  type UsageRow,
  type UsageStore,
  type UsageTotal,
  type Window,
} from '@septet/domain'
import type { ReplayedClass } from '@septet/domain/action-classes'

/** What of the stored hours is replayed. */
export type ReadRows = {
  readonly rows: readonly UsageRow[]
  /** Workloads whose labels count. */
  readonly workloads: readonly string[]
  /** Workloads that are decided on; undefined: all of the rows. */
  readonly judged: readonly string[] | undefined
  readonly objects: { readonly replayed: number; readonly leftOut: number }
}

type Asked = { readonly cluster: string; readonly class: ReplayedClass; readonly window: Window }

/** As many as recommendations are made from: a month of hours of these is some hundred thousand rows. */
const MOST_WORKLOADS = 300
/** Rows that are held in memory at once, of classes for which all of a GPU is looked at. */
const MOST_ROWS = 450_000
/** Of these at most so many for GPUs that only have room. */
const MOST_ROOM_ROWS = 150_000

type Reads = (typeof REPLAYS)[ReplayedClass]['reads']

const READERS = {
  'idle-work': readIdlers,
  work: readOversized,
  'work-and-room': readOversized,
  nodes: readEmptyNodes,
} satisfies Record<Reads, (usage: UsageStore, asked: Asked) => Promise<ReadRows>>

/** Reads what a class is replayed from: of a large fleet what leaves most unused. */
export const readReplayRows = (usage: UsageStore, asked: Asked): Promise<ReadRows> =>
  READERS[REPLAYS[asked.class].reads](usage, asked)

/** What the workloads held that idled most. */
async function readIdlers(usage: UsageStore, asked: Asked): Promise<ReadRows> {
  const totals = await totalsBy(usage, asked, ['workload'], ['held'])
  const idle = ranked(totals, 'workload', ({ idleGpuSeconds }) => idleGpuSeconds)
  const workloads = idle.slice(0, MOST_WORKLOADS)
  const rows = await rowsOf(usage, asked, { workloads })
  return {
    rows: rows.filter(({ kind }) => kind === 'held'),
    workloads,
    judged: undefined,
    objects: { replayed: workloads.length, leftOut: idle.length - workloads.length },
  }
}

/** All of the GPUs of the workloads that used least of what they held, and of those that were free longest for smaller sizes. */
async function readOversized(usage: UsageStore, asked: Asked): Promise<ReadRows> {
  const held = await totalsBy(usage, asked, ['workload'], ['held'])
  const unused = ranked(held, 'workload', (total) => total.measuredGpuSeconds - total.busyGpuSeconds)
  const wanted = unused.slice(0, MOST_WORKLOADS)
  const [sizes, holding, free] = await Promise.all([
    totalsBy(usage, asked, ['gpu']),
    totalsBy(usage, asked, ['workload', 'gpu'], ['held'], wanted),
    REPLAYS[asked.class].reads === 'work-and-room' ? totalsBy(usage, asked, ['gpu', 'profile'], ['free']) : [],
  ])
  const gpus = new Budget(sizes)
  const own = Map.groupBy(holding, ({ key }) => key.workload ?? '')
  const judged = wanted.filter((id) => gpus.add(gpusOf(own.get(id) ?? []), MOST_ROWS - MOST_ROOM_ROWS))
  const cut = free.filter(({ key }) => key.profile !== '')
  for (const gpu of ranked(cut, 'gpu', ({ gpuSeconds }) => gpuSeconds)) gpus.add([gpu], MOST_ROWS)
  return {
    rows: await rowsOf(usage, asked, { gpus: gpus.chosen() }),
    workloads: judged,
    judged,
    objects: { replayed: judged.length, leftOut: unused.length - judged.length },
  }
}

/** All of the nodes that were free most. */
async function readEmptyNodes(usage: UsageStore, asked: Asked): Promise<ReadRows> {
  const [sizes, kinds, own] = await Promise.all([
    totalsBy(usage, asked, ['gpu']),
    totalsBy(usage, asked, ['node', 'kind']),
    totalsBy(usage, asked, ['node', 'gpu']),
  ])
  const whole = sumBy(kinds, 'node')
  const free = kinds.filter(({ key }) => key.kind === 'free')
  const emptiest = ranked(free, 'node', ({ key, gpuSeconds }) => gpuSeconds / (whole.get(key.node ?? '') ?? Infinity))
  const gpus = new Budget(sizes)
  const byNode = Map.groupBy(own, ({ key }) => key.node ?? '')
  const replayed = emptiest.filter((node) => gpus.add(gpusOf(byNode.get(node) ?? []), MOST_ROWS))
  const rows = await rowsOf(usage, asked, { gpus: gpus.chosen() })
  return {
    rows,
    workloads: [...new Set(rows.flatMap(({ workload }) => (workload === '' ? [] : workload)))],
    judged: undefined,
    objects: { replayed: replayed.length, leftOut: emptiest.length - replayed.length },
  }
}

/** GPUs that are read, as many as rows of them fit. */
class Budget {
  readonly #sizes: ReadonlyMap<string, number>
  readonly #gpus = new Set<string>()
  #rows = 0

  constructor(sizes: readonly UsageTotal[]) {
    this.#sizes = new Map(sizes.map(({ key, rows }) => [key.gpu ?? '', rows]))
  }

  /** Whether all of them are among what is read, at most so many rows in all. */
  add(gpus: readonly string[], most: number): boolean {
    const fresh = gpus.filter((gpu) => !this.#gpus.has(gpu))
    const rows = fresh.reduce((sum, gpu) => sum + (this.#sizes.get(gpu) ?? 0), 0)
    if (gpus.length === 0 || this.#rows + rows > most) return false
    for (const gpu of fresh) this.#gpus.add(gpu)
    this.#rows += rows
    return true
  }

  chosen = (): readonly string[] => [...this.#gpus].toSorted(compareText)
}

const gpusOf = (totals: readonly UsageTotal[]): readonly string[] => totals.flatMap(({ key }) => key.gpu ?? [])

const totalsBy = (
  usage: UsageStore,
  { cluster, window }: Asked,
  ...[by, kinds, workloads]: TotalsAsked
): Promise<readonly UsageTotal[]> =>
  usage.totals({
    cluster,
    span: '1h',
    window,
    by,
    ...(kinds === undefined ? {} : { kinds }),
    ...(workloads === undefined ? {} : { workloads }),
  })

type TotalsQuery = Parameters<UsageStore['totals']>[0]
type TotalsAsked = readonly [
  by: TotalsQuery['by'],
  kinds?: NonNullable<TotalsQuery['kinds']>,
  workloads?: NonNullable<TotalsQuery['workloads']>,
]

/** Names with the most of something first, by name where two have as much; those with none of it are left out. */
function ranked(
  totals: readonly UsageTotal[],
  name: 'workload' | 'node' | 'gpu',
  amountOf: (total: UsageTotal) => number,
): readonly string[] {
  const sums = new Map<string, number>()
  for (const total of totals) {
    const key = total.key[name] ?? ''
    if (key !== '') sums.set(key, (sums.get(key) ?? 0) + amountOf(total))
  }
  return [...sums]
    .filter(([, amount]) => amount > 0)
    .toSorted(([a, more], [b, less]) => less - more || compareText(a, b))
    .map(([key]) => key)
}

const sumBy = (totals: readonly UsageTotal[], name: 'node'): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>()
  for (const { key, gpuSeconds } of totals) sums.set(key[name] ?? '', (sums.get(key[name] ?? '') ?? 0) + gpuSeconds)
  return sums
}

/** A day at a time: a month of a large fleet at once would hold the connection for long. */
async function rowsOf(
  usage: UsageStore,
  { cluster, window }: Asked,
  of: { readonly workloads: readonly string[] } | { readonly gpus: readonly string[] },
): Promise<readonly UsageRow[]> {
  const rows: UsageRow[] = []
  if (Object.values(of).flat().length === 0) return rows
  for (let from: number = window.from; from < window.to; from += DAY_MS) {
    const day = { from: instant(from), to: instant(Math.min(from + DAY_MS, window.to)) }
    for (const row of await usage.rows({ cluster, span: '1h', window: day, ...of })) rows.push(row)
  }
  return rows
}
