import {
  Refusal,
  type actionsApprove,
  type actionsFiles,
  type actionsGet,
  type actionsList,
  type actionsPropose,
  type actionsReject,
  type actionsUndo,
  type ActionView,
  type InputOf,
  type FiguresOf,
  type OutputOf,
} from '@septet/contract'
import {
  canBeUndone,
  firstDue,
  goneNodes,
  instant,
  isBeforeWriting,
  judgeApproval,
  lastBegun,
  SECOND_PERSON,
  setByOthers,
  stateOf,
  wasHandedOver,
  OPEN_STATES,
  whyByHand,
  yesesOf,
  type ActionRun,
  type ActionStore,
  type Caller,
  type RecommendationStore,
  type SettingStore,
  type Transition,
} from '@septet/domain'
import { advisedRun } from '../../new-run.ts'
import { readActPolicy } from '../../act-policies.ts'
import type { ClusterFacts } from '../../facts.ts'
import { exportedFiles } from '../recommendations/exported-files.ts'
import { outlookView } from '../recommendations/recommendation-view.ts'
import { needRecommendation } from '../recommendations/recommendations.ts'
import { answeredFrom } from '../answering/source.ts'
import { actingView } from './acting.ts'
import { actionDetail } from './action-detail.ts'
import { actionView, refuseFailing, undoView } from './action-view.ts'

/** How long an approval and a proposal hold, milliseconds. */
const HOLDS_MS = 86_400_000

export type ActionNeeds = {
  readonly actions: ActionStore
  readonly recommendations: RecommendationStore
  readonly settings: SettingStore
  readonly now: () => number
}

export async function listActions(
  facts: ClusterFacts,
  { actions }: ActionNeeds,
  { state, limit }: InputOf<typeof actionsList>,
): Promise<FiguresOf<typeof actionsList>> {
  const cluster = facts.record.id
  const [runs, stops] = await Promise.all([
    actions.list({ cluster, limit, ...(state === 'open' ? { states: OPEN_STATES } : {}) }),
    actions.stops(),
  ])
  return {
    ...answeredFrom(facts, undefined),
    acting: actingView(facts, stops),
    actions: runs.map(actionView),
  }
}

export async function getAction(
  facts: ClusterFacts,
  needs: ActionNeeds,
  { id, caller }: InputOf<typeof actionsGet> & { readonly caller?: Caller },
): Promise<OutputOf<typeof actionsGet>> {
  const { actions } = needs
  const run = await needRun(facts, actions, id)
  const [writes, rehearsals, { refused, waits }] = await Promise.all([
    actions.writes(id),
    actions.rehearsals(id),
    outlookView(facts, run),
  ])
  // A program may ask for a person, who then approves.
  const isAsked = stateOf(run).state === 'proposed' && caller?.kind === 'account'
  const { mayNot } = isAsked ? await judgedFor(caller, { facts, run, needs }) : {}
  return {
    ...answeredFrom(facts, undefined),
    ...actionDetail(run, { writes, rehearsals }, undoView(facts, run)),
    outlook: { refused: mayNot ?? refused, waits },
  }
}

/** The plan that it carries out, or leaves to others, as a directory. */
export async function actionFiles(
  facts: ClusterFacts,
  { actions }: ActionNeeds,
  { id }: InputOf<typeof actionsFiles>,
): Promise<OutputOf<typeof actionsFiles>> {
  const { plan, title } = await needRun(facts, actions, id)
  return { ...answeredFrom(facts, undefined), files: await exportedFiles(facts, plan, title) }
}

/** Puts the plan of a recommendation up for approval. */
export async function proposeAction(
  facts: ClusterFacts,
  { actions, recommendations, now }: ActionNeeds,
  { recommendation: id, caller }: InputOf<typeof actionsPropose> & { readonly caller: Caller },
): Promise<ActionView> {
  const recommendation = await needRecommendation(facts, recommendations, id)
  const { plan, title } = recommendation
  const byHand = whyByHand(plan)
  if (byHand !== undefined) {
    throw new Refusal(
      'invalid-input',
      `Septet cannot apply "${title}". ${byHand}`,
      'Apply it from its files instead; Septet notices the change either way.',
    )
  }
  const open = await actions.list({ cluster: facts.record.id, states: OPEN_STATES, limit: 1000 })
  const same = open.find((run) => run.plan.id === plan.id)
  if (same !== undefined) return actionView(same)
  const proposer = caller.kind === 'token' ? 'token' : 'person'
  const run = advisedRun(recommendation, { by: decidedBy(caller), proposer, now: instant(now()), holdsMs: HOLDS_MS })
  await refuseFailing(facts, run, 'proposed')
  await actions.propose(run)
  return actionView(run)
}

/** Who decides, as a run keeps it. */
export const decidedBy = ({ name, id, party }: Caller): Pick<Transition, 'by' | 'caller' | 'party'> => ({
  by: name,
  caller: id,
  party,
})

type OfRun = { readonly id: string; readonly caller: Caller }

/** Allows the plan of that digest and no other. */
export async function approveAction(
  facts: ClusterFacts,
  needs: ActionNeeds,
  { id, digest, caller }: InputOf<typeof actionsApprove> & OfRun,
): Promise<ActionView> {
  const run = await needRun(facts, needs.actions, id)
  const { state, until } = stateOf(run)
  const acting = actingView(facts, await needs.actions.stops())
  if (acting.state === 'observe' || acting.state === 'others') {
    throw new Refusal('not-allowed', acting.because, 'Nothing was approved. You can apply its files by hand.')
  }
  const { mayNot, isFirst } = await judgedFor(caller, { facts, run, needs })
  if (mayNot !== undefined) {
    const words = `"${run.title}" was not approved: ${mayNot}`
    throw new Refusal('not-allowed', words, 'Nothing was approved. You can apply its files by hand.')
  }
  if (digest !== run.digest) {
    throw new Refusal(
      'invalid-input',
      `"${run.title}" was not approved: the digest belongs to a different plan than the one that would be applied.`,
      'Review the steps and approve the current plan.',
    )
  }
  if (state !== 'proposed' || (until !== undefined && until <= needs.now())) throw tooLate(run, 'approved')
  await refuseFailing(facts, run, 'approved')
  if (isFirst) {
    const because = `${caller.name} approved it. Another person has to approve it too.`
    return moved(needs, run, { ...decidedBy(caller), state: 'proposed', because, until })
  }
  const holds = instant(Math.max(needs.now(), firstDue(run.plan) ?? 0) + HOLDS_MS)
  return moved(needs, run, {
    ...decidedBy(caller),
    state: 'approved',
    because: `${caller.name} approved it.`,
    until: holds,
  })
}

type Approving = { readonly facts: ClusterFacts; readonly run: ActionRun; readonly needs: ActionNeeds }

/**
 * Why somebody may not approve it, whatever the cluster is like, or whether they would be the first of two people who have to
 * approve what no person proposed.
 */
async function judgedFor(
  caller: Caller,
  { facts, run, needs }: Approving,
): Promise<{ readonly mayNot?: string | undefined; readonly isFirst?: boolean }> {
  const { kind, name, party, role } = caller
  const by = { kind: kind === 'account' ? 'person' : 'token', name, party, role } as const
  const { policy } = await readActPolicy(needs.settings, facts.record)
  const now = instant(needs.now())
  const [reason, ...others] = judgeApproval({ run, policy, now, approval: { ...by, digest: run.digest, at: now } })
  const isFirst = reason?.code === SECOND_PERSON && others.length === 0 && by.kind === 'person'
  return isFirst && yesesOf(run).length === 0 ? { isFirst } : { mayNot: reason?.because }
}

export async function rejectAction(
  facts: ClusterFacts,
  needs: ActionNeeds,
  { id, reason, caller }: InputOf<typeof actionsReject> & OfRun,
): Promise<ActionView> {
  const run = await needRun(facts, needs.actions, id)
  const { state } = stateOf(run)
  if (!isBeforeWriting(state)) throw tooLate(run, 'rejected')
  return moved(needs, run, {
    ...decidedBy(caller),
    state: state === 'proposed' ? 'rejected' : 'cancelled',
    because: reason,
  })
}

export async function undoAction(
  facts: ClusterFacts,
  needs: ActionNeeds,
  { id, reason, caller }: InputOf<typeof actionsUndo> & OfRun,
): Promise<ActionView> {
  const run = await needRun(facts, needs.actions, id)
  const [gone] = goneNodes(run)
  if (gone !== undefined) {
    throw new Refusal(
      'invalid-input',
      `"${run.title}" cannot be undone: the machine of ${gone} is gone.`,
      'If an autoscaler runs, it adds a node as soon as pods wait for one; otherwise add one yourself.',
    )
  }
  const picture = facts.picture()
  const set = picture === undefined ? undefined : setByOthers(run, picture)
  if (set !== undefined) {
    throw new Refusal(
      'invalid-input',
      `"${run.title}" is not undone. ${set}, and Septet does not overwrite that.`,
      'Set nvidia.com/mig.config of that node to the layout you want by hand.',
    )
  }
  if (wasHandedOver(run)) {
    throw new Refusal(
      'invalid-input',
      `"${run.title}" was applied by someone else, so Septet does not undo it.`,
      'Its directory has the rollback, under branch/undo/ and undo/.',
    )
  }
  if (!canBeUndone(run)) throw tooLate(run, 'undone')
  return moved(needs, run, { ...decidedBy(caller), state: 'reverting', because: reason, step: lastBegun(run) })
}

async function moved(
  { actions, now }: ActionNeeds,
  run: ActionRun,
  move: Omit<Transition, 'number' | 'at'>,
): Promise<ActionView> {
  const after = await actions.advance(run.id, {
    ...move,
    number: run.transitions.length + 1,
    at: instant(now()),
  })
  if (after !== undefined) return actionView(after)
  throw new Refusal(
    'invalid-input',
    `"${run.title}" changed while you were deciding.`,
    'Review it again before you decide.',
  )
}

function tooLate(run: ActionRun, wanted: string): Refusal {
  const { state, because } = stateOf(run)
  return new Refusal(
    'invalid-input',
    `"${run.title}" cannot be ${wanted}: it is ${state}. ${because}`,
    'List the actions to see their states.',
  )
}

async function needRun(facts: ClusterFacts, actions: ActionStore, id: string): Promise<ActionRun> {
  const run = await actions.get(id)
  if (run !== undefined && run.cluster === facts.record.id) return run
  throw new Refusal('not-found', `${facts.record.name} has no action "${id}".`, 'List the actions to see their ids.')
}
