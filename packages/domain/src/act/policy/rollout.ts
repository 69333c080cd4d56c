import type { Instant } from '../../units.ts'
import type { ActionClass } from '../../plan/words/action-class.ts'
import type { ActionRun } from '../action-run.ts'
import { type ActPolicy, classOf } from './act-policy.ts'
import { setbacksOf, wasAutomatic } from './run-times.ts'

/** On how many nodes at once Septet may act by itself. */
const ROLLOUT_STAGES = ['one-node', 'ten-percent', 'all'] as const
export type RolloutStage = (typeof ROLLOUT_STAGES)[number]

/** How far a class has come on auto. */
export type Rollout = {
  readonly stage: RolloutStage
  /** Automatic runs kept in a row at this stage. */
  readonly kept: number
  /** The setback that stopped it until a person lets it go on. */
  readonly halted: { readonly run: string; readonly at: Instant; readonly because: string } | undefined
}

/**
 * How far a class has come, by its runs on one cluster: a stage further each time that enough automatic runs were kept in a
 * row; back to one node and halted at the first run of the class, whoever approved it, that was taken back or failed.
 */
export function rolloutOf(kind: ActionClass, runs: readonly ActionRun[], { auto }: Pick<ActPolicy, 'auto'>): Rollout {
  const since = auto.resumedAt[kind] ?? Number.NEGATIVE_INFINITY
  const marks = runs
    .filter((run) => classOf(run) === kind)
    .flatMap(marksOf)
    .filter(({ at }) => at > since)
    .toSorted((a, b) => a.at - b.at)
  const setback = marks.find(({ because }) => because !== undefined)
  if (setback !== undefined) {
    const { run, at, because = '' } = setback
    return { stage: 'one-node', kept: 0, halted: { run, at, because } }
  }
  const needed = Math.max(1, auto.keptToAdvance)
  const reached = Math.min(Math.floor(marks.length / needed), ROLLOUT_STAGES.length - 1)
  return { stage: ROLLOUT_STAGES[reached] ?? 'one-node', kept: marks.length - reached * needed, halted: undefined }
}

/** How many of a cluster's nodes a stage allows at once. */
export const nodesAtOnce = (stage: RolloutStage, nodes: number): number =>
  stage === 'all' ? nodes : stage === 'ten-percent' ? Math.max(1, Math.floor(nodes / 10)) : 1

/** What a run says of its class: `because` where it was a setback. */
type Mark = { readonly run: string; readonly at: Instant; readonly because: string | undefined }

function marksOf(run: ActionRun): readonly Mark[] {
  const kept = wasAutomatic(run) ? run.transitions.find(({ state }) => state === 'kept') : undefined
  return [
    ...(kept === undefined ? [] : [{ run: run.id, at: kept.at, because: undefined }]),
    ...setbacksOf(run)
      .slice(0, 1)
      .map(({ at, because }) => ({ run: run.id, at, because })),
  ]
}
