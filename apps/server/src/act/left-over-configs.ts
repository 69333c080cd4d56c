import {
  decideLeftOverConfigs,
  OPEN_STATES,
  OVER_STATES,
  stateOf,
  type Action,
  type ActionRun,
  type AddedConfig,
  type Instant,
  type RecordedWrite,
} from '@septet/domain'

import type { ActParts, Turn } from './act-parts.ts'
import { workDecision } from './work-step.ts'

const DAY_MS = 86_400_000
/** What a run has added stays for so long after its end: somebody may go back to it by hand. Milliseconds. */
const GRACE_MS = 7 * DAY_MS

export type LeftOver = {
  /** The newest run that has added one of them: its journal says that they were taken out. */
  readonly run: ActionRun
  readonly configs: readonly AddedConfig[]
}

/** Configurations that runs have added which are over for a week, and that no other run names; undefined: there are none. */
export async function leftOverConfigs({
  cluster,
  store,
  clock,
}: Pick<ActParts, 'cluster' | 'store' | 'clock'>): Promise<LeftOver | undefined> {
  const over = (await store.list({ cluster, states: OVER_STATES, limit: 500 })).filter(isCutting)
  const open = await store.list({ cluster, states: OPEN_STATES, limit: 1000 })
  const now = clock()
  const old = over.filter((run) => isLongOver(run, now))
  const others = [...open, ...over.filter((run) => !isLongOver(run, now))]
  const named = new Set(others.flatMap(namesIn))
  const added: { readonly run: ActionRun; readonly config: AddedConfig }[] = []
  for (const run of old) {
    // oxlint-disable-next-line no-await-in-loop -- few runs cut GPUs, and this is looked at once an hour
    const writes = await store.writes(run.id)
    added.push(...addedBy(run, writes).map((config) => ({ run, config })))
  }
  const left = added.filter(({ config }) => !named.has(config.config))
  const [first] = left
  return first && { run: first.run, configs: [...new Map(left.map(({ config }) => [config.config, config])).values()] }
}

/** Takes them out; true: there is nothing more to do for now. */
export async function tidyConfigs(turn: Turn, { run, configs }: LeftOver): Promise<boolean> {
  const now = turn.clock()
  const work = { run, step: 0, isUndo: true, since: now }
  const { operatorNamespace } = turn
  const day = Math.floor(now / DAY_MS)
  const result = await workDecision(turn, work, () => decideLeftOverConfigs(configs, { operatorNamespace, day }))
  if (result.kind === 'failed') {
    turn.log.warn('configurations that no node uses stay', { cluster: turn.cluster, error: result.because })
  }
  return result.kind === 'done' || result.kind === 'failed'
}

const isCutting = ({ plan }: ActionRun): boolean => plan.steps.some(({ action }) => action.kind === 'repartition')
const isLongOver = (run: ActionRun, now: Instant): boolean => now - stateOf(run).at >= GRACE_MS

const configsOf = (actions: readonly Action[]): readonly AddedConfig[] =>
  actions.flatMap((action) => (action.kind === 'repartition' ? [action] : []))

/** What it would cut by, and what the way back would. */
const namesIn = ({ plan }: ActionRun): readonly string[] =>
  plan.steps.flatMap(({ action, inverse }) => configsOf([action, ...inverse]).map(({ config }) => config))

/** What it wrote into the ConfigMap itself: what was there before is somebody else's. */
function addedBy({ plan }: ActionRun, writes: readonly RecordedWrite[]): readonly AddedConfig[] {
  return writes.flatMap(({ key, step, isUndo, outcome }) => {
    const of = plan.steps.find(({ number }) => number === step)
    if (key !== 'config' || outcome?.kind !== 'done' || of === undefined) return []
    return configsOf(isUndo ? of.inverse : [of.action])
  })
}
