import { plural } from '../../words.ts'
import type { GpuPart } from '../../analyze/gpu-parts.ts'
import { DEFAULT_POLICY } from '../../analyze/policy.ts'
import type { Workload } from '../../cluster/workload.ts'
import { compareText, type Ratio, ratio } from '../../units.ts'
import { IDLE_SHARE, idleStretch, type IdleStretch } from './idle-stretch.ts'
import { confidenceOf, freedBy, queryOf, type Proposal, inPercent } from './proposal.ts'
import type { RecommendContext } from './recommend-context.ts'

/** Idle for this long in a row, hours, before releasing it is proposed: a night is not enough, a day and a night are. */
const LEAST_IDLE_HOURS = 24
/** Kinds that a controller keeps at a number of replicas, so that 0 is a number too. */
const SCALABLE = new Set(['Deployment', 'StatefulSet', 'ReplicaSet'])

/**
 * Workloads of which every pod has done nothing for a day or longer: release what they hold. Unknown is never idle. What
 * has no number of replicas (a Job, a bare pod) only its owner can end, and the advice says so.
 */
export function reclaimIdle(context: RecommendContext): readonly Proposal[] {
  return [...context.held.keys()].toSorted(compareText).flatMap((id) => {
    const workload = context.workloads.get(id)
    return workload === undefined ? [] : (proposalFor(workload, context) ?? [])
  })
}

function proposalFor(workload: Workload, context: RecommendContext): Proposal | undefined {
  const parts = context.held.get(workload.id) ?? []
  // Work on a broken GPU may hang rather than idle.
  if (parts.length === 0 || parts.some(({ gpu }) => context.faulty.has(gpu))) return undefined
  const pods = new Set(parts.map(({ pod }) => pod))
  const stretch = idleStretch(context.rowsOf.get(workload.id) ?? [], {
    until: context.window.to,
    pods,
    threshold: thresholdOf(context),
  })
  if (stretch === undefined || stretch.hours < LEAST_IDLE_HOURS) return undefined
  return proposalOf(workload, { parts, stretch, context })
}

type Idle = { readonly parts: readonly GpuPart[]; readonly stretch: IdleStretch; readonly context: RecommendContext }

function proposalOf(workload: Workload, { parts, stretch, context }: Idle): Proposal {
  const freed = freedBy(parts)
  const held = round(freed.reduce((sum, { gpus }) => sum + gpus, 0))
  const hours = Math.floor(stretch.hours)
  return {
    kind: 'reclaim-idle',
    object: `workload/${workload.id}`,
    ...wordsFor(workload, `It holds ${plural(held, 'GPU')} and has been idle for ${hours} h in a row.`),
    rule: { name: 'reclaim-idle', version: 1 },
    evidence: {
      query: queryOf(workload.id),
      window: { from: stretch.from, to: context.window.to },
      samples: stretch.samples,
      coverage: ratio(stretch.coverage),
      figures: {
        'idle in a row, h': hours,
        'idle is busy at most, %': inPercent(thresholdOf(context)),
        'share of each hour that was idle at least, %': inPercent(IDLE_SHARE),
        'GPUs held': held,
        'busy peak, %': inPercent(stretch.busyPeak),
      },
    },
    gain: { freed, shown: { kind: 'number', effect: 'capacity-freed' } },
    confidence: confidenceOf(stretch.hours, LEAST_IDLE_HOURS, stretch.coverage),
  }
}

const thresholdOf = ({ policy }: RecommendContext): Ratio => (policy?.analysis ?? DEFAULT_POLICY).idle.threshold

function wordsFor(
  { id, kind, namespace, name }: Workload,
  seen: string,
): Pick<Proposal, 'title' | 'message' | 'wishes' | 'byHand'> {
  if (SCALABLE.has(kind)) {
    return {
      title: `Scale ${namespace}/${name} to 0 until it is needed`,
      message: `${seen} Its controller starts it again when it is scaled up.`,
      wishes: [{ kind: 'scale', workload: id, to: 0 }],
    }
  }
  const because =
    kind === 'Pod'
      ? 'Nothing makes a bare pod again once it is gone, so only its owner may end it.'
      : `A ${kind} has no number of replicas that could be set to 0, so its owner has to suspend or end it.`
  return {
    title: `Ask the owner of ${namespace}/${name} to end it`,
    message: `${seen} ${because}`,
    wishes: [],
    byHand: { code: 'owner-decides', message: because, object: `workload/${id}` },
  }
}

const round = (value: number): number => Math.round(value * 100) / 100
