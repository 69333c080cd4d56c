import type { OutputOf, workloadsGet } from '@septet/contract'
import type { SizeLimits, SizeStudy } from '@septet/domain'

import { isoOf, windowView } from '../answering/view.ts'

type Size = NonNullable<OutputOf<typeof workloadsGet>['size']>

/** A study of a workload's size on the wire. */
export function sizeView({ held, level, options, advice, proposed, evidence, horizon }: SizeStudy): Size {
  const smaller = advice.kind === 'fits-smaller' ? advice : undefined
  return {
    verdict: advice.kind,
    because: advice.kind === 'fits-smaller' ? null : advice.because,
    level,
    targetUtilization: options.targetUtilization,
    memoryMargin: options.memoryMargin,
    held: limitsView(held),
    proposed: proposed === undefined ? null : limitsView(proposed),
    overrun:
      smaller === undefined
        ? null
        : { memory: smaller.overrun.memory, compute: smaller.overrun.compute ?? null, horizon },
    confidence: smaller?.confidence ?? null,
    evidence: evidence === undefined ? null : evidenceView(evidence),
  }
}

const limitsView = ({ model, profile, share, memory }: SizeLimits): Size['held'] => ({
  model,
  profile,
  share,
  memory: memory ?? null,
})

type Evidence = NonNullable<SizeStudy['evidence']>

const evidenceView = (evidence: Evidence): NonNullable<Size['evidence']> => ({
  window: windowView(evidence.window) ?? { from: '', to: '' },
  samples: evidence.samples,
  coverage: evidence.coverage,
  activity: evidence.activity,
  memoryPeak: evidence.memoryPeak ?? null,
  computePeak: evidence.computePeak ?? null,
  memory: peaksView(evidence.memory),
  compute: peaksView(evidence.compute),
})

const peaksView = (peaks: Evidence['memory']): { at: string; peak: number }[] =>
  peaks.map(({ at, peak }) => ({ at: isoOf(at), peak }))
