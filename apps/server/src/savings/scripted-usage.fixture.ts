import {
  DAY_MS,
  HOUR_MS,
  instant,
  NOTHING_MEASURED,
  ratio,
  seconds,
  usd,
  usdPerGpuHour,
  type ActionRun,
  type Recommendation,
  type RunState,
  type Saving,
  type Span,
  type Store,
  type Transition,
  type UsageKind,
  type UsageRow,
  type WorkReader,
} from '@septet/domain'
import { RECOMMENDATION_KINDS } from '@septet/domain/action-classes'
import { draw, SCRIPT, SCRIPT_BEGINS, scriptedTruth } from '@septet/domain/testing'

import { SavingsKeeper } from './savings-keeper.ts'

export const WORKLOAD = 'ml/Deployment/vllm'

export type RowParts = {
  readonly at: number
  readonly gpu: string
  /** Seconds. */
  readonly present: number
  readonly kind?: UsageKind
  readonly workload?: string
  readonly span?: Span
  readonly node?: string
}

/** What the pipeline writes of one whole GPU in one bucket. */
export const rowOf = ({
  at,
  gpu,
  present,
  kind = 'free',
  workload = '',
  span = '1h',
  node = 'a',
}: RowParts): UsageRow => ({
  at: instant(at),
  span,
  node,
  pool: 'p',
  gpu,
  partition: gpu,
  profile: '',
  model: 'H100-80GB-HBM3',
  machine: '',
  kind,
  share: ratio(1),
  namespace: workload.split('/')[0] ?? '',
  workload,
  pod: kind === 'held' ? `${workload}-0` : '',
  workloadClass: kind === 'held' ? 'inference' : '',
  present: seconds(present),
  measured: seconds(0),
  idle: seconds(0),
  oversized: seconds(0),
  ...NOTHING_MEASURED,
  reason: undefined,
})

/**
 * So many GPUs, of which a workload held this many GPU-hours in an hour, one after the other; null: nobody looked. In hours
 * where `fine` says so as rows of five minutes.
 */
function rowsOfHour(
  at: number,
  held: number | null,
  { gpus, fine }: { readonly gpus: readonly string[]; readonly fine: boolean },
): UsageRow[] {
  if (held === null) return []
  const [span, length, count] = fine ? (['5m', 300, 12] as const) : (['1h', 3600, 1] as const)
  return Array.from({ length: count }, (_, part) => at + part * length * 1000).flatMap((begin) =>
    gpus.flatMap((gpu, order) => {
      const busy = Math.min(1, Math.max(0, held - order)) * length
      return [
        ...(busy > 0 ? [rowOf({ at: begin, gpu, present: busy, kind: 'held', workload: WORKLOAD, span })] : []),
        ...(busy < length ? [rowOf({ at: begin, gpu, present: length - busy, span })] : []),
      ]
    }),
  )
}

type RunParts = {
  readonly class?: ActionRun['class']
  readonly object?: string
  readonly cluster?: string
  readonly saving?: Saving
  readonly pool?: string
  readonly gpus?: Recommendation['gpus']
  /** When it reached which state; proposed an hour before the first. */
  readonly states: readonly (readonly [RunState, number])[]
}

const step = (number: number, state: RunState, at: number): Transition => ({
  number,
  at: instant(at),
  state,
  by: 'ann@septet.local',
  because: 'A test says so.',
})

/** What such a run was recommended by. */
export function recommendationOf(id: string, parts: RunParts): Recommendation {
  const { class: kind = 'reclaim-idle', object = `workload/${WORKLOAD}`, cluster = 'c' } = parts
  const begun = instant((parts.states[0]?.[1] ?? 0) - HOUR_MS)
  const plan = {
    id: `plan-${id}`,
    cluster,
    madeFrom: begun,
    title: id,
    steps: [],
    moves: [],
    refused: [],
    bound: undefined,
  }
  return {
    id: `advice-${id}`,
    cluster,
    kind: RECOMMENDATION_KINDS.find((each) => each === kind) ?? 'repartition',
    object,
    title: `Do ${id}`,
    message: 'A test wants it.',
    rule: { name: kind, version: 1 },
    madeAt: begun,
    evidence: {
      query: '',
      window: { from: begun, to: begun },
      samples: 1,
      coverage: ratio(1),
      figures: parts.pool === undefined ? {} : { pool: parts.pool },
    },
    saving: parts.saving ?? { kind: 'none', brings: 'room', because: 'A test promises nothing.' },
    risk: {
      level: 'low',
      displaced: [],
      duration: { low: seconds(0), high: seconds(0), source: 'assumed' },
      overrun: undefined,
      confidence: ratio(1),
    },
    plan,
    ...(parts.gpus === undefined ? {} : { gpus: parts.gpus }),
    rank: 0,
  }
}

/** A run that is on its way as far as these states say. */
export function runOf(id: string, parts: RunParts): ActionRun {
  const { class: kind = 'reclaim-idle', object = `workload/${WORKLOAD}`, cluster = 'c', states } = parts
  const recommendation = recommendationOf(id, parts)
  const { plan, madeAt: begun } = recommendation
  return {
    id,
    cluster,
    class: kind,
    object,
    title: `Do ${id}`,
    cause: { kind: 'advice', recommendation },
    plan,
    digest: 'd',
    proposedAt: begun,
    proposedBy: 'ann@septet.local',
    proposer: 'person',
    transitions: [step(1, 'proposed', begun), ...states.map(([state, at], order) => step(order + 2, state, at))],
  }
}

/** The way of a run that was approved, carried out at once, and kept. */
export const keptFrom = (at: number): RunParts['states'] =>
  (['approved', 'checked', 'rehearsed', 'applying', 'applied', 'verified', 'kept'] as const).map(
    (state, order) => [state, at + (order + 1) * 10_000] as const,
  )

export const estimated = (
  gpuHoursPerMonth: number,
  effect: 'capacity-freed' | 'bill-reduced' = 'capacity-freed',
): Saving => ({
  kind: 'estimated',
  gpuHoursPerMonth,
  usdPerMonth: usd(gpuHoursPerMonth * 2),
  price: {
    kind: 'known',
    price: usdPerGpuHour(2),
    source: 'a contract',
    asOf: instant(0),
    origin: 'operator',
    scope: 'cluster',
  },
  effect,
})

/** GPUs of a node as a plan that takes them names them. */
export const plannedGpus = (node: string, ids: readonly string[]): NonNullable<Recommendation['gpus']> =>
  ids.map((id, index) => ({
    node,
    before: {
      gpu: {
        id,
        node,
        index,
        model: 'H100-80GB-HBM3',
        identified: 'label',
        migEnabled: false,
        partitions: [],
        fault: undefined,
      },
      holders: {},
    },
    after: undefined,
  }))

/** When the change of `writeWorld` is approved, two weeks after the script begins, and two weeks later. */
export const CHANGE = SCRIPT_BEGINS + 2 * 168 * HOUR_MS
export const END = CHANGE + 2 * 168 * HOUR_MS
export const GPUS = Array.from({ length: 8 }, (_, index) => `GPU-a-${index}`)

/** Hours from the beginning of the script; those of the last two days as five minutes, as they are before they are rolled up. */
export async function writeHours(
  usage: Store['usage'],
  hours: readonly (number | null)[],
  cluster = 'c',
): Promise<void> {
  const rows = hours.flatMap((held, order) => {
    const at = SCRIPT_BEGINS + order * HOUR_MS
    return rowsOfHour(at, held, { gpus: GPUS, fine: at >= END - 48 * HOUR_MS })
  })
  for (let first = 0; first < rows.length; first += 5000) await usage.write(cluster, rows.slice(first, first + 5000))
}

/** Lets a keeper look at these moments, as the minutes in between bring nothing new. */
export async function look(
  store: Store,
  moments: readonly number[],
  { cluster = 'c', work }: { readonly cluster?: string; readonly work?: WorkReader } = {},
): Promise<void> {
  let now = 0
  const keeper = new SavingsKeeper({ cluster, store, clock: () => instant(now), snapshot: () => SNAPSHOT, work })
  for (const moment of moments) {
    now = moment
    await keeper.turn()
  }
}

const SNAPSHOT = draw`a  H100-80GB-HBM3  [-]`
export const ALL_THE_WAY = [CHANGE + 120_000, CHANGE + 9 * DAY_MS, END - 50 * HOUR_MS, END]

/** Two weeks of four GPUs before a change, and two after it, in a cluster whose GPUs cost two dollars an hour. */
export async function writePricedTruth(store: Store, cluster: string): Promise<void> {
  await store.prices.put({
    id: 'own',
    cluster: undefined,
    pool: undefined,
    model: undefined,
    price: usdPerGpuHour(2),
    source: 'a contract',
    asOf: instant(CHANGE),
    origin: 'operator',
  })
  const truth = scriptedTruth({ ...SCRIPT, level: 4, weeksBefore: 2, weeksAfter: 2 })
  await writeHours(store.usage, [...truth.baseline.heldByHour, ...truth.after.heldByHour], cluster)
}
