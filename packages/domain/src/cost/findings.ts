import { grouped, wholePercent } from '../words.ts'
import type { DataQuality } from '../analyze/data-quality.ts'
import type { AnalysisPolicy } from '../analyze/policy.ts'
import type { RightSizing } from '../analyze/right-size.ts'
import { QUALITY_REASONS } from '../analyze/sample.ts'
import type { UsageTotal } from '../analyze/usage.ts'
import type { ClusterSnapshot } from '../cluster/inventory.ts'
import { compareText, type Seconds, SECONDS_PER_HOUR } from '../units.ts'
import { type CostedTotal, type CostGroup, type CostParts, costBy, type Parts } from './cost-parts.ts'
import type { Finding } from './finding.ts'
import { perMonth } from './per-month.ts'

export type FindingSources = {
  readonly snapshot: ClusterSnapshot
  /** Grouped by kind, workload, model, profile, pool and node. */
  readonly costed: readonly CostedTotal[]
  /** The held ones of these by workload. */
  readonly workloadCosts: readonly CostGroup[]
  readonly sizing: RightSizing
  readonly quality: DataQuality
  readonly policy: AnalysisPolicy
  /** How long data was there, seconds: what makes a month of a window. */
  readonly observed: Seconds
}

/**
 * Waste and trouble worth a person's time, each with its evidence. Waste under one GPU-hour in the window is left out.
 * Dearest first by cost per month; those without an amount after them, by kind and object.
 */
export function findingsOf(sources: FindingSources): Finding[] {
  const found = [
    ...idleHeld(sources),
    ...oversized(sources),
    ...stranded(sources),
    ...unallocated(sources),
    ...telemetry(sources),
    ...faults(sources.snapshot),
  ]
  return found.toSorted(
    (a, b) =>
      (b.costPerMonth ?? -1) - (a.costPerMonth ?? -1) ||
      (b.gpuHours ?? -1) - (a.gpuHours ?? -1) ||
      compareText(a.kind, b.kind) ||
      compareText(a.object, b.object),
  )
}

function idleHeld(sources: FindingSources): Finding[] {
  const { threshold, minimum } = sources.policy.idle
  return wasteOf(sources.workloadCosts, 'idleHeld').map(({ key, cost, hours }) =>
    finding(sources, {
      kind: 'idle-held',
      object: `workload/${key}`,
      message:
        `${key} held GPUs idle for ${round(hours)} GPU-h, ${wholePercent(hours / cost.hours.capacity)} of what it held: ` +
        `busy at most ${grouped(threshold * 100, 1)}% for ${minimum / 60} min or longer. Ask its owner to release or shrink it.`,
      waste: { part: 'idleHeld', cost },
      evidence: { heldGpuHours: round(cost.hours.capacity), idleThreshold: threshold, idleMinimumSeconds: minimum },
    }),
  )
}

function oversized(sources: FindingSources): Finding[] {
  return wasteOf(sources.workloadCosts, 'oversized').flatMap(({ key, cost, hours }) => {
    const size = sources.sizing.of(key)
    if (size.kind !== 'oversized') return []
    const { memoryMargin, targetUtilization } = sources.policy.rightSize
    return finding(sources, {
      kind: 'oversized',
      object: `workload/${key}`,
      message:
        `Pods of ${key} would fit a ${size.profile}: their memory peaks and sustained compute stayed within it. ` +
        `${round(hours)} GPU-h of what they used were more than they need. Request the smaller profile.`,
      waste: { part: 'oversized', cost },
      evidence: { profile: size.profile, share: size.share, memoryMargin, targetUtilization },
    })
  })
}

function stranded(sources: FindingSources): Finding[] {
  return wasteOf(
    costBy(sources.costed, ({ key }) => key.node),
    'stranded',
  ).map(({ key, cost, hours }) =>
    finding(sources, {
      kind: 'stranded',
      object: `node/${key}`,
      message:
        `${round(hours)} GPU-h of ${key} lay beside its MIG devices in a shape that no profile can use. ` +
        'Cut its GPUs into profiles that fill them.',
      waste: { part: 'stranded', cost },
      evidence: { capacityGpuHours: round(cost.hours.capacity) },
    }),
  )
}

function unallocated(sources: FindingSources): Finding[] {
  return wasteOf(costBy(sources.costed, placeOf), 'unallocated').map(({ key, cost, hours }) => {
    const [pool = '', model = ''] = key.split('\u0000')
    const whole = cost.hours.capacity
    return finding(sources, {
      kind: 'unallocated',
      object: `pool/${pool}/${model}`,
      message:
        `${round(hours)} GPU-h of ${model}${pool === '' ? '' : ` in pool ${pool}`} were unallocated, ` +
        `${wholePercent(hours / whole)} of capacity. Schedule more work on it, or remove nodes.`,
      waste: { part: 'unallocated', cost },
      evidence: { capacityGpuHours: round(whole), pool, model },
    })
  })
}

const placeOf = ({ key }: UsageTotal): string => `${key.pool ?? ''}\u0000${key.model ?? ''}`

function telemetry(sources: FindingSources): Finding[] {
  const { silentNodes = [], unmeasured } = sources.quality
  return [
    ...silence(sources, silentNodes),
    ...unmeasured
      .filter(({ hours }) => hours >= WORTH_TELLING)
      .map(({ reason, hours }) => ({
        ...finding(sources, {
          kind: 'telemetry',
          object: `telemetry/${reason}`,
          message: `${round(hours)} GPU-h were held without a trustworthy measurement. ${QUALITY_REASONS[reason]}`,
          evidence: { reason },
        }),
        gpuHours: round(hours),
      })),
  ]
}

/** Nodes without metrics one by one; where there are many, one cause is likelier than many, so it is one finding. */
function silence(sources: FindingSources, nodes: readonly string[]): Finding[] {
  if (nodes.length > MANY_NODES) {
    const message =
      `${nodes.length} nodes report no metrics, among them ${nodes.slice(0, 3).join(', ')}: the use of their GPUs is unknown, ` +
      'and counted as used. Check the metrics source first, then dcgm-exporter on these nodes.'
    const evidence = { reason: 'no-telemetry', nodes: nodes.length }
    return [finding(sources, { kind: 'telemetry', object: 'telemetry/silent-nodes', message, evidence })]
  }
  return nodes.map((node) =>
    finding(sources, {
      kind: 'telemetry',
      object: `node/${node}`,
      message:
        `${node} reports no metrics: the use of its GPUs is unknown, and counted as used. ` +
        'Check that dcgm-exporter runs on it and is scraped.',
      evidence: { reason: 'no-telemetry' },
    }),
  )
}
const MANY_NODES = 5

function faults(snapshot: ClusterSnapshot): Finding[] {
  const { cluster, takenAt } = snapshot
  return snapshot.nodes.flatMap((node) =>
    node.gpus.flatMap(({ fault, id, index }) =>
      fault === undefined
        ? []
        : {
            id: idOf(cluster, 'fault', `gpu/${id}`),
            cluster,
            kind: 'fault',
            object: `gpu/${id}`,
            message: fault.message,
            foundAt: takenAt,
            gpuHours: undefined,
            costPerMonth: undefined,
            evidence: { node: node.name, index },
          },
    ),
  )
}

/** Groups with at least an hour of one kind of waste. */
const wasteOf = (
  groups: readonly CostGroup[],
  part: keyof Parts<number>,
): Array<{ key: string; cost: CostParts; hours: number }> =>
  groups
    .map(({ key, cost }) => ({ key, cost, hours: cost.hours[part] }))
    .filter(({ key, hours }) => key !== '' && hours >= WORTH_TELLING)

type Found = {
  readonly kind: string
  readonly object: string
  readonly message: string
  readonly waste?: { readonly part: keyof Parts<number>; readonly cost: CostParts }
  readonly evidence: Finding['evidence']
}

function finding({ snapshot, observed }: FindingSources, { waste, ...found }: Found): Finding {
  const { cluster, takenAt } = snapshot
  const money = waste === undefined ? undefined : waste.cost.money?.[waste.part]
  return {
    ...found,
    id: idOf(cluster, found.kind, found.object),
    cluster,
    foundAt: takenAt,
    gpuHours: waste === undefined ? undefined : round(waste.cost.hours[waste.part]),
    costPerMonth: money === undefined ? undefined : perMonth(money, observed),
    evidence: { ...found.evidence, observedHours: round(observed / SECONDS_PER_HOUR) },
  }
}

const idOf = (cluster: string, kind: string, object: string): string => `${cluster}/${kind}/${object}`

/** Waste that is smaller is not worth a person's time, GPU-hours in the window. */
const WORTH_TELLING = 1

const round = (value: number): number => Math.round(value * 10) / 10
