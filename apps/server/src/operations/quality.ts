import type { OutputOf, qualityGet } from '@septet/contract'
import { compareText, type JudgedSample, QUALITY_REASONS, type QualityReason } from '@septet/domain'

import type { ClusterFacts } from '../facts.ts'
import { answeredFrom } from './source.ts'
import { statusOf } from './status.ts'
import { isoOrNull } from './view.ts'

const EXAMPLES = 5

/** What can be trusted now, what cannot, and why. */
export function liveQuality(facts: ClusterFacts): OutputOf<typeof qualityGet> {
  const samples = [...facts.samples().entries()]
  const byReason = Map.groupBy(samples, ([, sample]) => reasonOf(sample))
  const reasons = [...byReason].flatMap(([reason, entries]) =>
    reason === undefined
      ? []
      : [{ reason, text: QUALITY_REASONS[reason], devices: entries.length, examples: examplesOf(entries) }],
  )
  return {
    ...answeredFrom(facts, undefined),
    measuredDevices: byReason.get(undefined)?.length ?? 0,
    devices: samples.length,
    reasons: reasons.toSorted((a, b) => b.devices - a.devices || compareText(a.reason, b.reason)),
    targets: facts.targets().map(({ target, node, kind, lastSeen, detail }) => ({
      target,
      node: node ?? null,
      state: kind,
      lastSeen: isoOrNull(lastSeen),
      detail,
    })),
    problems: statusOf(facts).problems,
  }
}

const reasonOf = (sample: JudgedSample): QualityReason | undefined =>
  sample.quality.kind === 'measured' ? undefined : sample.quality.reason

const examplesOf = (entries: ReadonlyArray<readonly [string, JudgedSample]>): string[] =>
  entries
    .map(([partition, sample]) => `${sample.node}: ${partition}`)
    .toSorted()
    .slice(0, EXAMPLES)
