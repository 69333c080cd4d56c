import {
  adviceOf,
  measureSavings,
  RUN_STATES,
  stateOf,
  type ActionRun,
  type ActionStore,
  type RunSaving,
  type RunState,
  type SavingQuestion,
  type Window,
} from '@septet/domain'

import { keptFor } from '../recently-used.ts'
import { subjectOf, touchesOf, type SavingSubject } from './saving-subject.ts'

/** What one run brought, with the run. */
export type MeasuredRun = {
  readonly run: ActionRun
  readonly saving: RunSaving
  /** At which price its GPU-hours are counted, and from where that is; undefined: none was known when it was approved. */
  readonly price: { readonly usdPerGpuHour: number; readonly source: string } | undefined
}

/** Nothing was changed by them, so that there is nothing to measure. */
const NEVER_BEGUN: ReadonlySet<RunState> = new Set(['rejected', 'expired', 'cancelled'])
const STATES = RUN_STATES.filter((state) => !NEVER_BEGUN.has(state))
const MOST_RUNS = 1000

/**
 * What every run of a cluster brought, newest first: one computation for every screen, so that no two of them disagree. Of the
 * hours `within` a window, and of all that were measured where none is given.
 */
export async function clusterSavings(
  actions: Pick<ActionStore, 'list' | 'measured'>,
  cluster: string,
  within?: Window,
): Promise<readonly MeasuredRun[]> {
  const runs = await actions.list({ cluster, states: STATES, limit: MOST_RUNS })
  const counted = runs.flatMap((run) => {
    const subject = subjectOf(run)
    return subject === undefined ? [] : [{ run, subject }]
  })
  const kept = await actions.measured(counted.map(({ run }) => run.id))
  const touches = touchesOf(counted)
  const questions = counted.map(({ run, subject }): SavingQuestion => {
    const measured = kept.get(run.id)
    return { ...questionOf(run, subject), touches: touches.get(run.id) ?? [], ...(measured ?? NOT_MEASURED) }
  })
  const savings = new Map(measureSavings(questions, within).map((saving) => [saving.run, saving]))
  return counted.flatMap(({ run }) => {
    const saving = savings.get(run.id)
    const { usdPerGpuHour, priceSource = '' } = kept.get(run.id)?.baseline ?? {}
    const price = usdPerGpuHour === undefined ? undefined : { usdPerGpuHour, source: priceSource }
    return saving === undefined ? [] : [{ run, saving, price }]
  })
}

const NOT_MEASURED = { baseline: undefined, after: undefined }

function questionOf(
  run: ActionRun,
  subject: SavingSubject,
): Pick<SavingQuestion, 'run' | 'state' | 'effect' | 'estimate' | 'appliedAt'> {
  const saving = adviceOf(run)?.saving
  return {
    run: run.id,
    state: stateOf(run).state,
    effect: subject.kind === 'removed-node' ? 'bill-reduced' : 'capacity-freed',
    estimate: saving?.kind === 'estimated' ? saving : undefined,
    appliedAt: run.transitions.find(({ state }) => state === 'applied')?.at,
  }
}

/** What the actions of a cluster saved. */
export type RecentSavings = (cluster: string) => Promise<readonly MeasuredRun[]>

/** What is measured changes by the hour, and screens ask all the time. */
const MAX_AGE_MS = 60_000

/** The same as `clusterSavings`, at most a minute old. */
export function recentSavings(actions: Pick<ActionStore, 'list' | 'measured'>, now: () => number): RecentSavings {
  const kept = keptFor<readonly MeasuredRun[]>(MAX_AGE_MS, now)
  return (cluster) => kept.get(cluster, () => clusterSavings(actions, cluster))
}
