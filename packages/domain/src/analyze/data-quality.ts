import { agree, grouped, plural } from '../words.ts'
import type { ClusterSnapshot } from '../cluster/inventory.ts'
import { compareText, type GpuHours } from '../units.ts'
import { type Figure, hoursOf, known, unknown } from './figure.ts'
import type { GpuPart } from './gpu-parts.ts'
import { indexSamples, telemetryOf } from './part-telemetry.ts'
import { type JudgedSample, QUALITY_REASONS, type QualityReason } from './sample.ts'
import { kindOf, sumByKind, sumUsage } from './usage-sum.ts'
import type { UsageTotal } from './usage.ts'
import { NOTHING_HELD } from './utilization.ts'

/** How far the numbers can be trusted. */
export type DataQuality = {
  /** Measured share of the allocated GPU-hours of the window. */
  readonly coverage: Figure
  /** GPU-hours held without trustworthy telemetry, by reason; most first. */
  readonly unmeasured: ReadonlyArray<{ readonly reason: QualityReason; readonly hours: GpuHours }>
  /** Devices of the last reading by reason; absent without a reading. */
  readonly devices: readonly DeviceQuality[] | undefined
  /** Nodes, by name, that have GPUs and gave no sample in the last reading; absent without a reading. */
  readonly silentNodes: readonly string[] | undefined
  /** "3 of 40 nodes report no metrics." and its like; empty when all is well. */
  readonly sentences: readonly string[]
}
type DeviceQuality = { readonly reason: QualityReason | 'measured'; readonly devices: number }

export type QualitySources = {
  readonly snapshot: ClusterSnapshot
  readonly parts: readonly GpuPart[]
  /** Grouped by kind, reason and node. */
  readonly totals: readonly UsageTotal[]
  /** The newest reading; undefined when there is none, as for a report of the past. */
  readonly samples: readonly JudgedSample[] | undefined
}

/** How much of the window and of the last reading can be trusted, and why not the rest. */
export function dataQuality({ snapshot, parts, totals, samples }: QualitySources): DataQuality {
  const kinds = sumByKind(totals)
  const { held } = kinds
  const devices = samples === undefined ? undefined : devicesByQuality(parts, samples)
  const silentNodes = samples === undefined ? undefined : silentNodesOf(snapshot, samples)
  return {
    coverage: held.gpuSeconds > 0 ? coverageOf(held.measuredGpuSeconds / held.gpuSeconds) : unknown(NOTHING_HELD),
    unmeasured: unmeasuredByReason(totals),
    devices,
    silentNodes,
    sentences: [
      ...sentencesOf({ snapshot, devices: devices ?? [], silentNodes: silentNodes ?? [] }),
      ...unknownNodes(snapshot, totals),
      ...unexplainedTime({
        unobserved: hoursOf(kinds.unobserved.gpuSeconds),
        unrequested: hoursOf(kinds.unrequested.gpuSeconds),
      }),
    ],
  }
}

/** What nobody saw and what no pod asked for, in GPU-hours, each in a sentence; less than the least is not worth one. */
export function unexplainedTime({ unobserved, unrequested }: Unexplained): string[] {
  return [
    ...(unobserved > LEAST_TOLD
      ? [
          `${grouped(unobserved, 2)} GPU-h were not observed: Septet did not read the cluster then, and no metrics engine has that time.`,
        ]
      : []),
    ...(unrequested > LEAST_TOLD ? [`GPUs worked ${grouped(unrequested, 2)} GPU-h that no pod requested.`] : []),
  ]
}
type Unexplained = { readonly unobserved: GpuHours; readonly unrequested: GpuHours }
/** GPU-hours. */
const LEAST_TOLD = 0.01

const coverageOf = (share: number): Figure => {
  const { coverage } = known(0, share)
  return known(coverage)
}

function unmeasuredByReason(totals: readonly UsageTotal[]): DataQuality['unmeasured'] {
  return REASONS.flatMap((reason) => {
    const { gpuSeconds, measuredGpuSeconds } = sumUsage(
      totals.filter((total) => total.key.reason === reason && kindOf(total) === 'held'),
    )
    const missing = gpuSeconds - measuredGpuSeconds
    return missing > 0 ? { reason, hours: hoursOf(missing) } : []
  }).toSorted((a, b) => b.hours - a.hours || compareText(a.reason, b.reason))
}

function devicesByQuality(parts: readonly GpuPart[], samples: readonly JudgedSample[]): DeviceQuality[] {
  const index = indexSamples(samples)
  const counts = new Map<DeviceQuality['reason'], number>()
  for (const part of parts) {
    const { busy, reason } = telemetryOf(part, index)
    const quality = busy === undefined ? reason : 'measured'
    if (quality !== undefined) counts.set(quality, (counts.get(quality) ?? 0) + 1)
  }
  return [...counts]
    .map(([reason, devices]) => ({ reason, devices }))
    .toSorted((a, b) => b.devices - a.devices || compareText(a.reason, b.reason))
}

function silentNodesOf({ nodes }: ClusterSnapshot, samples: readonly JudgedSample[]): string[] {
  const seen = new Set(samples.map(({ gpu }) => gpu))
  return nodes
    .filter(({ ready, gpus }) => ready && gpus.length > 0 && !gpus.some(({ id }) => seen.has(id)))
    .map(({ name }) => name)
}

function sentencesOf({
  snapshot,
  devices,
  silentNodes,
}: {
  readonly snapshot: ClusterSnapshot
  readonly devices: readonly DeviceQuality[]
  readonly silentNodes: readonly string[]
}): string[] {
  const nodes = snapshot.nodes.filter(({ gpus }) => gpus.length > 0).length
  const all = devices.reduce((sum, { devices: count }) => sum + count, 0)
  const silent = silentNodes.length
  const down = snapshot.nodes.filter(({ ready }) => !ready).length
  return [
    ...(silent > 0 ? [`${silent} of ${plural(nodes, 'node')} ${agree(silent, 'reports', 'report')} no metrics.`] : []),
    ...(down > 0 ? [`${down} of ${plural(snapshot.nodes.length, 'node')} ${agree(down, 'is', 'are')} not ready.`] : []),
    ...devices.flatMap(({ reason, devices: some }) =>
      reason === 'measured' || reason === 'no-telemetry'
        ? []
        : [`${some} of ${plural(all, 'device')}: ${QUALITY_REASONS[reason]}`],
    ),
  ]
}

/** Ready nodes that no usage is known of, where there is some of others. */
function unknownNodes(snapshot: ClusterSnapshot, totals: readonly UsageTotal[]): string[] {
  const seen = new Set(totals.map(({ key }) => key.node))
  const all = snapshot.nodes.filter(({ gpus }) => gpus.length > 0)
  const missing = all.filter(({ name, ready }) => ready && !seen.has(name)).map(({ name }) => name)
  if (missing.length === 0 || totals.length === 0) return []
  const named = missing.slice(0, 3).join(', ') + (missing.length > 3 ? ', …' : '')
  return [
    `No usage of ${missing.length} of ${all.length} nodes is known in this window (${named}): it is in no figure of time.`,
  ]
}

const isReason = (text: string): text is QualityReason => text in QUALITY_REASONS
const REASONS: readonly QualityReason[] = Object.keys(QUALITY_REASONS).filter(isReason)
