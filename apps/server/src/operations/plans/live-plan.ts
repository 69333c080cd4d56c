import { Refusal, type MadePlan, type PlanWish } from '@septet/contract'
import { appointmentAsk, askedGoal, type MadeParts } from '@septet/plan-files'
import {
  geometryOf,
  OPEN_STATES,
  shippedPrices,
  spokenFor,
  type PriceBook,
  type Recommendation,
  type Store,
} from '@septet/domain'
import type { ClusterFacts, ClusterPicture, FoundPlan, PlanAsked, Waiting } from '../../facts.ts'
import { answeredFrom } from '../answering/source.ts'
import { plannedGpuViews } from '../fleet/planned-gpu-view.ts'
import type { AnswersOf } from '../answering/answering.ts'
import { openBackground } from '../background/background-service.ts'

/** What a plan is made with beside the cluster. */
export type PlanNeeds = {
  readonly actions: Pick<Store['actions'], 'list'>
  readonly prices: Pick<Store['prices'], 'list'>
  readonly recommendations: Pick<Store['recommendations'], 'current'>
}

/** The plan that would reach the goal; nothing is carried out or kept. Throws a `Refusal` for what makes no sense here. */
export async function makeLivePlan(
  facts: ClusterFacts,
  { actions, prices: stored, recommendations, ...waiting }: PlanNeeds & Waiting,
  { goal, operatorNamespace, ...limits }: PlanWish,
): Promise<MadePlan> {
  const snapshot = pictureOf(facts)
  const prices: PriceBook = [...(await stored.list()), ...shippedPrices]
  const { actuator, mayWait, maxDisplaced } = limits
  const found =
    goal.kind === 'appointment'
      ? (await appointmentNow(facts, { actions, ...waiting }, { ...goal, maxDisplaced, prices, operatorNamespace }))
          .found
      : await facts.plan(
          {
            goal: askedGoal(goal, snapshot.nodes),
            prices,
            operatorNamespace,
            mayWait,
            maxDisplaced,
            ...(actuator && { actuator }),
          },
          waiting,
        )
  if (found === undefined) throw notRead(facts)
  const { made } = found
  const cuts = made.appointment?.cutFirst ?? []
  const advised = cuts.length === 0 ? undefined : await recommendations.current(facts.record.id)
  return {
    ...answeredFrom(facts, undefined),
    ...withAdvice(made, goal.kind === 'appointment' ? goal.profile : undefined, advised?.recommendations ?? []),
    gpus: plannedGpuViews(facts, found.gpus),
  }
}

function pictureOf(facts: ClusterFacts): ClusterPicture {
  const picture = facts.picture()
  if (picture === undefined) throw notRead(facts)
  return picture
}

/** There is no state to plan on. */
const notRead = ({ record }: ClusterFacts): Refusal =>
  new Refusal(
    'not-ready',
    `${record.name} has not been read since Septet started, so it cannot be planned for yet.`,
    'Try again in a few seconds.',
  )

type Asked = Parameters<typeof appointmentAsk>[0] &
  Pick<PlanWish, 'maxDisplaced'> &
  Partial<Pick<PlanAsked, 'prices' | 'operatorNamespace'>>
type Found = FoundPlan & { readonly appointment: NonNullable<FoundPlan['appointment']> }

/** What an appointment takes by the newest reading, without the nodes that others have spoken for. */
export async function appointmentNow(
  facts: ClusterFacts,
  { actions, ...waiting }: Pick<PlanNeeds, 'actions'> & Waiting,
  { maxDisplaced, prices = [], operatorNamespace, ...asked }: Asked,
): Promise<{ readonly found: Found }> {
  pictureOf(facts)
  const open = await actions.list({ cluster: facts.record.id, states: OPEN_STATES, limit: 1000 })
  const ask = appointmentAsk({ ...asked, except: [...new Set([...asked.except, ...spokenFor(open)])] })
  const found = await facts.plan(
    { goal: { kind: 'appointment', ask }, prices, operatorNamespace, mayWait: true, maxDisplaced },
    waiting,
  )
  if (found?.appointment === undefined) throw notRead(facts)
  return { found: { ...found, appointment: found.appointment } }
}

type Cut = NonNullable<MadeParts['appointment']>['cutFirst'][number]

/** With the recommendation to cut each node that has to be cut first, where there is one. */
function withAdvice(
  made: MadeParts,
  profile: string | undefined,
  recommendations: readonly Recommendation[],
): MadeParts {
  const { appointment, because } = made
  if (appointment === null || appointment.cutFirst.length === 0) return made
  const cutFirst = appointment.cutFirst.map((cut) => ({
    ...cut,
    recommendation: recommendedCut(cut.node, profile, recommendations),
  }))
  const words = `${because ?? ''}${advisedWords(cutFirst)}`
  const says = made.says.map((said) => (said.text === because ? { ...said, text: words } : said))
  return { ...made, because: words, says, appointment: { ...appointment, cutFirst } }
}

/** The Repartition of a node that is recommended now and makes more instances of a profile. */
function recommendedCut(
  node: string,
  profile: string | undefined,
  recommendations: readonly Recommendation[],
): Cut['recommendation'] {
  const found = recommendations.find(({ plan: { steps } }) =>
    steps.some(
      ({ action }) =>
        action.kind === 'repartition' &&
        action.node === node &&
        profile !== undefined &&
        action.gpus.some(({ from, to }) => (to.geometry[profile] ?? 0) > (geometryOf(from.layout)[profile] ?? 0)),
    ),
  )
  return found === undefined ? null : { id: found.id, title: found.title }
}

function advisedWords(cuts: readonly Cut[]): string {
  const named = cuts.flatMap(({ recommendation }) => (recommendation === null ? [] : `“${recommendation.title}”`))
  return named.length === 0
    ? ' Septet recommends none of these now: open each node on Partitions, draw its target layout, and apply the files of that plan.'
    : ` Propose and approve ${named.join(', ')} under Actions.`
}

/** A plan takes moments where it is computed with its cluster, one after the other there; so many are waited for at once. */
const AT_ONCE = 4

type Needs = {
  readonly store: Pick<Store, 'actions' | 'notes' | 'prices' | 'recommendations'>
  readonly now: () => number
}

/** Plans for every goal, made in the background. */
export function planAnswers({ store, now }: Needs): AnswersOf<'plans'> {
  const plans = openBackground<MadePlan>({ noun: 'plan', atOnce: AT_ONCE, now, notes: store.notes })
  return {
    async plansMake(facts, { wait, cluster: _cluster, ...wish }, { caller, listening }) {
      const made = (signal: AbortSignal, progress: (done: number, of: number) => void) =>
        makeLivePlan(facts, { ...store, signal, progress: ({ done, of }) => progress(done, of) }, wish)
      const { id } = await plans.start(caller, made, listening.signal)
      return plans.settled(caller.id, id, wait)
    },
    plansGet: ({ id, wait }, { caller }) => plans.settled(caller.id, id, wait),
    async plansCancel({ id }, { caller }) {
      await plans.cancel(caller.id, id)
      return { cancelled: id }
    },
  }
}
