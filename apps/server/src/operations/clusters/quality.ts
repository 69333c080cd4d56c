import type { OutputOf, qualityGet } from '@septet/contract'
import {
  compareText,
  indexSamples,
  QUALITY_REASONS,
  type QualityReason,
  telemetryOf,
  onceFor,
  type TargetState,
} from '@septet/domain'

import type { ClusterFacts, ClusterPicture } from '../../facts.ts'
import { nodePictures, pictureParts, type NodePicture } from '../answering/node-pictures.ts'
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
type Device = { readonly node: string; readonly partition: string; readonly reason: QualityReason | undefined }

type Samples = ReturnType<ClusterFacts['samples']>
const NO_DEVICES: readonly Device[] = []

/** Once for each picture and its samples. */
const devicesIn = judgedOnce((picture: ClusterPicture, samples) =>
  nodePictures(picture).flatMap((one) => devicesOn(one, samples)),
)

function devicesOf(facts: ClusterFacts): readonly Device[] {
  const picture = facts.picture()
  return picture === undefined ? NO_DEVICES : devicesIn(picture, facts.samples())
}

const devicesOn = judgedOnce((one: NodePicture, samples) =>
  pictureParts(one).flatMap((part) => {
    if (one.heldByOthers !== undefined && part.kind !== 'held') return []
    const { busy, reason } = telemetryOf(part, indexOf(samples))
    return busy === undefined && reason === undefined ? [] : { node: part.node, partition: part.partition, reason }
  }),
)

const indexOf = onceFor((samples: Samples) => indexSamples([...samples.values()]))

/** Asked again only once there are new samples. */
function judgedOnce<Of extends WeakKey>(judge: (of: Of, samples: Samples) => readonly Device[]): typeof judge {
  const judged = new WeakMap<Of, { readonly samples: Samples; readonly devices: readonly Device[] }>()
  return (of, samples) => {
    const before = judged.get(of)
    if (before?.samples === samples) return before.devices
    const devices = judge(of, samples)
    judged.set(of, { samples, devices })
    return devices
  }
}

const examplesOf = (devices: readonly Device[]): string[] =>
  devices
    .map(({ node, partition }) => `${node}: ${partition}`)
    .toSorted()
    .slice(0, EXAMPLES)
