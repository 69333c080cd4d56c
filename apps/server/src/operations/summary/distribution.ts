import { percent } from '@septet/domain/words'
import type { OutputOf, summaryGet } from '@septet/contract'
import { type ClassUsage, type ClusterAnalysis, gpuHours, type GpuHours } from '@septet/domain'

import { numberView, unmeasuredOfHeld, type Explanation, type Seen } from '../answering/view.ts'

type Distribution = OutputOf<typeof summaryGet>['distribution']
type Kind = Distribution['parts'][number]['kind']

/** What the GPUs that were ready did in the window. The parts never overlap and add up to the total; broken time is in neither. */
export function distribution(analysis: Seen): Distribution {
  const ready = analysis.classes.reduce((sum, { hours }) => sum + hours, 0)
  const coverage = measuredOfHeld(analysis)
  const explain = (formula: string): Explanation => ({
    formula,
    source: 'usage rows of this cluster',
    window: analysis.window,
    unread: analysis.unread,
  })
  return {
    total: numberView(ready, {
      unit: 'GPU-h',
      explain: explain(
        analysis.scope === 'namespaces' ? 'Σ share held × time' : 'Σ ready GPUs × time, without broken GPUs',
      ),
    }),
    parts: PARTS.flatMap(({ kind, name, classes, formula }) => {
      const hours = hoursOf(analysis.classes, classes)
      // What does not occur is no part, except for the four that are always asked about.
      if (hours === 0 && !ALWAYS.has(kind)) return []
      // An idle time of 0 where nothing was measured would be a false 0.
      const because = ready === 0 ? 'No GPU was ready in this window.' : 'Nothing that pods held was measured.'
      const isUnknown = ready === 0 || (kind === 'idle' && coverage === 0)
      const shared = {
        explain: explain(formula(analysis)),
        ...(kind === 'unallocated' ? {} : { coverage, leavesOut: unmeasuredOfHeld(coverage) }),
      }
      return {
        kind,
        name: nameOf({ kind, name }, analysis),
        share: numberView(isUnknown ? undefined : hours / ready, { unit: 'ratio', because, ...shared }),
        hours: numberView(isUnknown ? undefined : hours, { unit: 'GPU-h', because, ...shared }),
      }
    }),
  }
}

/** Of what nobody held, beside "Where capacity went", which has stranded time apart. */
const nameOf = ({ kind, name }: Pick<Part, 'kind' | 'name'>, { cost: { fleet } }: ClusterAnalysis): string =>
  kind === 'unallocated' && fleet.hours.stranded > 0 ? `${name} + stranded` : name

type Part = {
  readonly kind: Kind
  readonly name: string
  readonly classes: readonly ClassUsage['class'][]
  readonly formula: (analysis: ClusterAnalysis) => string
}

const held = (of: string) => (): string => `GPU-h that ${of} held and did not idle; time without telemetry counts here`

const PARTS: readonly Part[] = [
  { kind: 'training', name: 'ML Training', classes: ['training'], formula: held('training jobs') },
  { kind: 'inference', name: 'Inference', classes: ['inference'], formula: held('inference services') },
  { kind: 'analytics', name: 'Analytics', classes: ['analytics'], formula: held('analytics jobs') },
  {
    kind: 'other',
    name: 'Other',
    classes: ['notebook', 'unknown'],
    formula: held('notebooks, and workloads whose class is unknown from label and owner,'),
  },
  {
    kind: 'idle',
    name: 'Idle',
    classes: ['idle'],
    formula: ({ policy: { idle } }) =>
      `GPU-h that were held, busy ≤ ${percent(idle.threshold)} for ≥ ${idle.minimum / 60} min in a row, by work of any class`,
  },
  {
    kind: 'unallocated',
    name: 'Unallocated',
    classes: ['unallocated'],
    formula: () => 'GPU-h that no workload held, stranded capacity included',
  },
]

const ALWAYS: ReadonlySet<Kind> = new Set(['training', 'inference', 'analytics', 'idle'])

const hoursOf = (usage: readonly ClassUsage[], classes: readonly ClassUsage['class'][]): GpuHours =>
  gpuHours(usage.reduce((sum, { class: name, hours }) => sum + (classes.includes(name) ? hours : 0), 0))

/** Measured share of the held time, 0 to 1; 1 where nothing was held. */
export function measuredOfHeld({ cost: { fleet } }: ClusterAnalysis): number {
  const { used, idleHeld, oversized, unmeasured } = fleet.hours
  const all = used + idleHeld + oversized
  return all > 0 ? Math.max(0, all - unmeasured) / all : 1
}
