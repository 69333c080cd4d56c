import {
  isCommon,
  onceFor,
  signOf,
  type ActionRun,
  type Baseline,
  type ClusterSnapshot,
  type HeldElsewhere,
  type HeldWork,
  type UsageTotal,
  type WorkloadClass,
  type WorkloadId,
  type WorkSign,
} from '@septet/domain'

import type { WorkById } from '../known-work.ts'
import { readTotals, type filterOf, type HoursAsked, type Usage } from './read-hours.ts'
import type { SavingSubject } from './saving-subject.ts'

type Parts = {
  readonly store: { readonly usage: Usage }
  /** What is known of workloads that run, or ran. */
  readonly known: WorkById
}

/** Of a node that was held by more workloads in a week, those that held most. */
const MOST_WORKS = 50
const BY = ['workload', 'workloadClass', 'model'] as const

/** What held a subject's GPUs, by what it can be known again: a workload itself, or all work of a node. */
export async function readWorks(parts: Parts, asked: HoursAsked): Promise<readonly HeldWork[]> {
  const { subject } = asked
  const own = subject.kind === 'workload' ? { workloads: [subject.workload] } : { gpus: subject.gpus }
  const held = await readHeldWork(parts, asked, own)
  if (subject.kind !== 'workload' || held.length > 0) return held.slice(0, MOST_WORKS)
  return [{ ...knownOf(parts, subject.workload), class: '', models: [] }]
}

/** Everything that held GPUs in a window, those that held most first. */
export async function readHeldWork(
  parts: Parts,
  asked: HoursAsked,
  own: Partial<Pick<ReturnType<typeof filterOf>, 'workloads' | 'gpus'>> = {},
): Promise<readonly HeldWork[]> {
  const totals = await readTotals(parts.store.usage, asked, { by: BY, kinds: ['held'], ...own })
  const sized = [...Map.groupBy(totals, ({ key }) => key.workload ?? '')].filter(([workload]) => workload !== '')
  return sized
    .toSorted(([, a], [, b]) => sizeOf(b) - sizeOf(a))
    .map(([workload, of]) => ({
      ...knownOf(parts, workload),
      class: classOf(of[0]?.key.workloadClass ?? ''),
      models: [...new Set(of.map(({ key }) => key.model ?? ''))],
    }))
}

const sizeOf = (totals: readonly UsageTotal[]): number => totals.reduce((sum, { gpuSeconds }) => sum + gpuSeconds, 0)
const knownOf = ({ known }: Parts, workload: WorkloadId) => known.get(workload) ?? { workload }

const CLASSES: readonly WorkloadClass[] = ['training', 'inference', 'analytics', 'notebook', 'unknown']
const classOf = (text: string): HeldWork['class'] => CLASSES.find((each) => each === text) ?? ''

/** Workloads of other names whose pods stop or move by the plan. */
export function displacedBy(
  { plan }: ActionRun,
  subject: SavingSubject,
  { pods }: Pick<ClusterSnapshot, 'pods'>,
): readonly WorkloadId[] {
  const moved = new Set([...plan.moves.map(({ pod }) => pod), ...plan.steps.flatMap(({ displaced }) => displaced)])
  const own = subject.kind === 'workload' ? subject.workload : undefined
  return [...new Set(pods.flatMap(({ id, workload }) => (moved.has(id) && workload !== own ? [workload] : [])))]
}

/** All pools that had GPUs in a window. */
export async function readPools(usage: Usage, asked: HoursAsked): Promise<readonly string[]> {
  const totals = await readTotals(usage, asked, { by: ['pool'] })
  return [...new Set(totals.map(({ key }) => key.pool ?? ''))]
}

export type Candidate = Pick<HeldElsewhere, 'workload' | 'sign'>

/**
 * By what work is known again. Beside what a node's change moved itself, what runs elsewhere is like the work of a node by chance;
 * on GPUs that came for it, it is no chance.
 */
const SIGNS: Readonly<Record<SavingSubject['kind'], readonly WorkSign[] | 'all'>> = {
  workload: 'all',
  node: [],
  'removed-node': ['start', 'model', 'app', 'name'],
}

/** Which of these do the work of a subject: those that the change moved, and those that are known again. */
export function candidatesOf(
  { works = [], displaced = [] }: Pick<Baseline, 'works' | 'displaced'>,
  held: readonly HeldWork[],
  { subject, known }: { readonly subject: SavingSubject } & Pick<Parts, 'known'>,
): readonly Candidate[] {
  const moved = new Set([...displaced, ...(subject.kind === 'workload' ? [] : works.map(({ workload }) => workload))])
  const wanted = SIGNS[subject.kind]
  const commonOf = onceFor((work: HeldWork) => isCommon(work, known.values()))
  const signFor = (work: HeldWork, other: HeldWork): WorkSign | undefined => {
    const compared = { work, other, beganThen: true }
    const sign = signOf(compared)
    return sign !== undefined && commonOf(work) ? signOf({ ...compared, common: true }) : sign
  }
  return held.flatMap((other): readonly Candidate[] => {
    const { workload } = other
    if (subject.kind === 'workload' && workload === subject.workload) return []
    if (moved.has(workload)) return [{ workload, sign: 'displaced' }]
    if (wanted.length === 0) return []
    const sign = works.flatMap((work) => signFor(work, other) ?? [])[0]
    return sign === undefined || (wanted !== 'all' && !wanted.includes(sign)) ? [] : [{ workload, sign }]
  })
}
