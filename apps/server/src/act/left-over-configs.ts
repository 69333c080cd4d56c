import {
  DAY_MS,
  configsOf,
  decideLeftOverConfigs,
  OPEN_STATES,
  OVER_STATES,
  stateOf,
  type ActionRun,
  type AddedConfig,
  type Instant,
  type Plan,
  type RecordedWrite,
} from '@septet/domain'

import type { ActParts, ActingTurn } from './act-parts.ts'
import { workDecision } from './work-step.ts'

/** What a run has added stays for so long after its end: somebody may go back to it by hand. Milliseconds. */
const GRACE_MS = 7 * DAY_MS

/** Of one part of the operator. */
export type LeftOver = {
  readonly part: AddedConfig['part']
  /** The newest run that has added one of them: its journal says that they were taken out. */
  readonly run: ActionRun
  readonly configs: readonly AddedConfig[]
}

/** Configurations that runs have added which are over for a week, and that no other run names. */
export async function leftOverConfigs({
  cluster,
  store,
  clock,
}: Pick<ActParts, 'cluster' | 'store' | 'clock'>): Promise<readonly LeftOver[]> {
  const over = (await store.list({ cluster, states: OVER_STATES, limit: 500 })).filter(
    ({ plan }) => addable(plan).length > 0,
  )
  const open = await store.list({ cluster, states: OPEN_STATES, limit: 1000 })
  const now = clock()
  const old = over.filter((run) => isLongOver(run, now))
  const others = [...open, ...over.filter((run) => !isLongOver(run, now))]
  const kept = new Set(others.flatMap(({ plan }) => addable(plan).map(({ name }) => name)))
  const added: { readonly run: ActionRun; readonly config: AddedConfig }[] = []
  for (const run of old) {
    // oxlint-disable-next-line no-await-in-loop -- few runs add any, and this is looked at once an hour
    const writes = await store.writes(run.id)
    added.push(...addedBy(run, writes).map((config) => ({ run, config })))
  }
  const left = added.filter(({ config }) => !kept.has(config.name))
  return [...Map.groupBy(left, ({ config }) => config.part)].flatMap(([part, [first, ...rest]]) => {
    if (first === undefined) return []
    const byName = new Map([first, ...rest].map(({ config }) => [config.name, config]))
    return [{ part, run: first.run, configs: [...byName.values()] }]
  })
}

/** Takes them out; true: there is nothing more to do for now. */
export async function tidyConfigs(turn: ActingTurn, { part, run, configs }: LeftOver): Promise<boolean> {
  const now = turn.clock()
  const work = { run, step: 0, isUndo: true, since: now }
  const { operatorNamespace } = turn
  const day = Math.floor(now / DAY_MS)
  const result = await workDecision(turn, work, () => decideLeftOverConfigs(part, configs, { operatorNamespace, day }))
  if (result.kind === 'failed') {
    turn.log.warn('configurations that no node uses stay', { cluster: turn.cluster, error: result.because })
  }
  return result.kind === 'done' || result.kind === 'failed'
}

const isLongOver = (run: ActionRun, now: Instant): boolean => now - stateOf(run).at >= GRACE_MS

/** What it would go by, and what the way back would. */
const addable = ({ steps }: Plan): readonly AddedConfig[] =>
  steps.flatMap(({ action, inverse }) => [action, ...inverse].flatMap(configsOf))

/** What it wrote into the ConfigMap itself: what was there before is somebody else's. */
const addedBy = ({ plan }: ActionRun, writes: readonly RecordedWrite[]): readonly AddedConfig[] =>
  writes.flatMap(({ key, step, isUndo, outcome, says }) => {
    const of = plan.steps.find(({ number }) => number === step)
    if (key !== 'config' || outcome?.kind !== 'done' || of === undefined) return []
    // Which of those that it may have added: the name is in the sentence, whatever else that says.
    return (isUndo ? of.inverse : [of.action]).flatMap(configsOf).filter(({ name }) => says.includes(name))
  })
