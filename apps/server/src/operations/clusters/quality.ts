import type { OutputOf, qualityGet } from '@septet/contract'
import {
  compareText,
  indexSamples,
  partsOfSnapshot,
  QUALITY_REASONS,
  type QualityReason,
  telemetryOf,
  onceFor,
  type TargetState,
} from '@septet/domain'

import type { ClusterFacts, ClusterPicture } from '../../facts.ts'
import { answeredFrom } from '../answering/source.ts'
import { statusOf } from './status.ts'
import { isoOrNull } from '../answering/view.ts'

const EXAMPLES = 5

/** What can be trusted now, what cannot, and why; the devices are those that the summary counts. */
export function liveQuality(facts: ClusterFacts): Quality {
  return {
    ...answeredFrom(facts, undefined),
    ...countedBy(devicesOf(facts)),
    targets: targetViews(facts.targets()),
    problems: statusOf(facts).problems,
  }
}

type Quality = OutputOf<typeof qualityGet>

// Every page, agent and alert asks for this, and a large fleet has ten thousand devices and as many targets as nodes.
const countedBy = onceFor((devices: readonly Device[]): Pick<Quality, 'measuredDevices' | 'devices' | 'reasons'> => {
  const byReason = Map.groupBy(devices, ({ reason }) => reason)
  const reasons = [...byReason].flatMap(([reason, entries]) =>
    reason === undefined
      ? []
      : [{ reason, text: QUALITY_REASONS[reason], devices: entries.length, examples: examplesOf(entries) }],
  )
  return {
    measuredDevices: byReason.get(undefined)?.length ?? 0,
    devices: devices.length,
    reasons: reasons.toSorted((a, b) => b.devices - a.devices || compareText(a.reason, b.reason)),
  }
})

const targetViews = onceFor((targets: readonly TargetState[]): Quality['targets'] =>
  targets.map(({ target, node, kind, lastSeen, detail }) => ({
    target,
    node: node ?? null,
    state: kind,
    lastSeen: isoOrNull(lastSeen),
    detail,
  })),
)

/** Something that can be held and measured, and why it is not measured; a free replica has nothing to measure. */
type Device = { readonly name: string; readonly reason: QualityReason | undefined }

type Samples = ReturnType<ClusterFacts['samples']>
/** Once for each picture and its samples. */
const NO_DEVICES: readonly Device[] = []
const judged = new WeakMap<ClusterPicture, { readonly samples: Samples; readonly devices: readonly Device[] }>()

function devicesOf(facts: ClusterFacts): readonly Device[] {
  const picture = facts.picture()
  if (picture === undefined) return NO_DEVICES
  const samples = facts.samples()
  const before = judged.get(picture)
  if (before?.samples === samples) return before.devices
  const devices = devicesIn(picture, samples)
  judged.set(picture, { samples, devices })
  return devices
}

function devicesIn(picture: ClusterPicture, samples: Samples): readonly Device[] {
  const index = indexSamples([...samples.values()])
  return partsOfSnapshot({ ...picture, workloads: [] }).flatMap((part) => {
    if (picture.heldByOthers !== undefined && part.kind !== 'held') return []
    const { busy, reason } = telemetryOf(part, index)
    return busy === undefined && reason === undefined ? [] : { name: `${part.node}: ${part.partition}`, reason }
  })
}

const examplesOf = (devices: readonly Device[]): string[] =>
  devices
    .map(({ name }) => name)
    .toSorted()
    .slice(0, EXAMPLES)
