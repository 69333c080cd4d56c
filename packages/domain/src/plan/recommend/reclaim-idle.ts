import { DEFAULT_POLICY } from '../../analyze/policy.ts'
import type { UsageRow } from '../../analyze/usage.ts'
import { SPAN_SECONDS } from '../../analyze/usage.ts'
import type { Workload } from '../../cluster/workload.ts'
import { compareText, ratio, type Instant } from '../../units.ts'
import { confidenceOf, queryOf, type Proposal } from './proposal.ts'
import type { RecommendContext } from './recommend-context.ts'

/** Idle for this long in a row, hours, before releasing it is proposed: a night is not enough, a day and a night are. */
const LEAST_IDLE_HOURS = 24
/** Share of an hour that must have been idle, and of the hours that must have been measured. */
const IDLE_SHARE = 0.95
const LEAST_COVERAGE = 0.9
/** Kinds that a controller keeps at a number of replicas, so that 0 is a number too. */
const SCALABLE = new Set(['Deployment', 'StatefulSet', 'ReplicaSet'])

/** Workloads that hold GPUs and have done nothing for a day or longer: release them. Unknown is never idle. */
export function reclaimIdle(context: RecommendContext): readonly Proposal[] {
  return [...context.held.keys()].toSorted(compareText).flatMap((id) => {
    const workload = context.workloads.get(id)
    return workload === undefined || !SCALABLE.has(workload.kind) ? [] : (proposalFor(workload, context) ?? [])
  })
}

function proposalFor(workload: Workload, context: RecommendContext): Proposal | undefined {
  const parts = context.held.get(workload.id) ?? []
  const stretch = idleStretch(context.rowsOf.get(workload.id) ?? [])
  const [first] = parts
  if (first === undefined || stretch === undefined || stretch.hours < LEAST_IDLE_HOURS) return undefined
  if (stretch.coverage < LEAST_COVERAGE) return undefined
  const gpus = parts.reduce((sum, { share }) => sum + share, 0)
  const name = `${workload.namespace}/${workload.name}`
  const held = round(gpus)
  return {
    kind: 'reclaim-idle',
    object: `workload/${workload.id}`,
    title: `Scale ${name} to 0 until it is needed`,
    message: `It holds ${held} ${held === 1 ? 'GPU' : 'GPUs'} and has been idle for ${stretch.hours} h in a row. Its controller starts it again when it is scaled up.`,
    rule: { name: 'reclaim-idle', version: 1 },
    evidence: {
      query: queryOf(workload.id),
      window: { from: stretch.from, to: context.window.to },
      samples: stretch.samples,
      coverage: ratio(stretch.coverage),
      figures: {
        'idle in a row, h': stretch.hours,
        'GPUs held': held,
        'busy peak, %': percent(stretch.busyPeak),
      },
    },
    wishes: [{ kind: 'scale', workload: workload.id, to: 0 }],
    gain: {
      gpus,
      pool: first.pool,
      model: first.model,
      shown: { kind: 'number', effect: 'capacity-freed' },
    },
    confidence: confidenceOf(stretch.hours, LEAST_IDLE_HOURS, stretch.coverage),
  }
}

type Stretch = {
  readonly from: Instant
  readonly hours: number
  readonly coverage: number
  readonly samples: number
  readonly busyPeak: number
}

/** The idle stretch that lasts until the newest row; undefined where the newest hour was not idle. */
function idleStretch(rows: readonly UsageRow[]): Stretch | undefined {
  const byHour = Map.groupBy(rows, ({ at }) => at)
  const idle: UsageRow[][] = []
  let newer: number | undefined
  for (const [at, hour] of [...byHour].toSorted(([a], [b]) => b - a)) {
    const [row] = hour
    // A gap is not known to be idle.
    if (row === undefined || !isIdle(hour)) break
    if (newer !== undefined && at + SPAN_SECONDS[row.span] * 1000 !== newer) break
    idle.push(hour)
    newer = at
  }
  const all = idle.flat()
  const first = all.at(-1)
  if (first === undefined) return undefined
  const present = sum(all, (row) => row.present)
  return {
    from: first.at,
    hours: Math.round(sum(idle, (hour) => Math.max(...hour.map((row) => row.present))) / 3600),
    coverage: present === 0 ? 0 : sum(all, (row) => row.measured) / present,
    samples: all.length,
    busyPeak: Math.max(...all.map((row) => row.busyPeak ?? 0)),
  }
}

const isIdle = (hour: readonly UsageRow[]): boolean =>
  sum(hour, quietSeconds) >= IDLE_SHARE * sum(hour, (row) => row.present)

/** Seconds of no work: told idle already, or too short a bucket to be told yet and quiet all the same. */
const quietSeconds = ({ idle, measured, busyPeak }: UsageRow): number =>
  busyPeak !== undefined && busyPeak <= DEFAULT_POLICY.idle.threshold ? Math.max(idle, measured) : idle

const sum = <Item>(items: readonly Item[], valueOf: (item: Item) => number): number =>
  items.reduce((total, item) => total + valueOf(item), 0)

const round = (value: number): number => Math.round(value * 100) / 100
const percent = (value: number): number => Math.round(value * 1000) / 10
