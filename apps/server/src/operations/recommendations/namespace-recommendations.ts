import {
  namespaceOf,
  type Action,
  type HeldGpu,
  type Kept,
  type Recommendation,
  type RecommendationStore,
  type UnansweredHolder,
} from '@septet/domain'

import type { Facts } from '../../facts.ts'

/**
 * The recommendations that a caller who is limited to some namespaces may see and dismiss: those that change workloads of
 * theirs and nothing else. One that changes a node, or moves a pod of others, does not exist for them.
 */
export function recommendationsOfNamespaces(
  store: RecommendationStore,
  facts: Facts,
  wanted: readonly string[],
): RecommendationStore {
  const namespaces = new Set(wanted)
  const current: RecommendationStore['current'] = async (cluster) => {
    const set = await store.current(cluster)
    if (set === undefined) return undefined
    const others = otherNamespaces(facts, cluster, namespaces)
    const isTheirs = (made: Recommendation): boolean => changesOnly(made, namespaces) && !namesAny(made, others)
    const told = <Why extends Kept | UnansweredHolder>(all: readonly Why[] = []): readonly Why[] =>
      all
        .filter(({ workload }) => namespaces.has(namespaceOf(workload)))
        .map((each) => ({ ...each, because: withoutNames(each.because, others) }))
    return {
      madeAt: set.madeAt,
      ...(set.judged !== undefined && { judged: set.judged }),
      recommendations: set.recommendations.filter(isTheirs).map((made) => withoutOthers(made, namespaces)),
      unanswered: told(set.unanswered),
      unshared: told(set.unshared),
    }
  }
  return {
    current,
    async dismissals(cluster) {
      const [set, dismissals] = await Promise.all([current(cluster), store.dismissals(cluster)])
      const ids = new Set(set?.recommendations.map(({ id }) => id))
      return dismissals.filter(({ id }) => ids.has(id))
    },
    dismiss: (dismissal) => store.dismiss(dismissal),
    restore: (cluster, id) => store.restore(cluster, id),
    replace: (cluster, fresh) => store.replace(cluster, fresh),
  }
}

/** Whether all that it is about, changes or stops belongs to these namespaces. */
function changesOnly({ object, risk, plan }: Recommendation, namespaces: ReadonlySet<string>): boolean {
  const actions = plan.steps.flatMap(({ action, inverse }) => [action, ...inverse])
  const pods = [
    ...risk.displaced,
    ...plan.steps.flatMap(({ displaced }) => displaced),
    ...plan.moves.map(({ pod }) => pod),
  ]
  const changed = [workloadOf(object), ...actions.map(changedBy), ...pods]
  return changed.every((id) => id !== undefined && namespaces.has(namespaceOf(id)))
}

const WORKLOAD = 'workload/'
const workloadOf = (object: string): string | undefined =>
  object.startsWith(WORKLOAD) ? object.slice(WORKLOAD.length) : undefined

/** The workload that an action changes; undefined for one that changes a node or a GPU, which others are on too. */
const changedBy = (action: Action): string | undefined => ('workload' in action ? action.workload : undefined)

/** Its drawn GPUs, with an empty name for holders of other namespaces. */
const withoutOthers = ({ gpus = [], ...made }: Recommendation, namespaces: ReadonlySet<string>): Recommendation => ({
  ...made,
  gpus: gpus.map(({ node, before, after }) => ({
    node,
    before: heldBy(before, namespaces),
    after: after === undefined ? undefined : heldBy(after, namespaces),
  })),
})

const heldBy = ({ gpu, holders }: HeldGpu, namespaces: ReadonlySet<string>): HeldGpu => ({
  gpu,
  holders: Object.fromEntries(
    Object.entries(holders).map(([partition, holder]) => [
      partition,
      namespaces.has(namespaceOf(holder)) ? holder : '',
    ]),
  ),
})

/** The namespaces that have a GPU workload and are not the caller's. */
function otherNamespaces(facts: Facts, cluster: string, namespaces: ReadonlySet<string>): ReadonlySet<string> {
  const picture = facts
    .clusters()
    .find(({ record }) => record.id === cluster)
    ?.picture()
  const names = [
    ...(picture?.workloads ?? []).map(({ namespace }) => namespace),
    ...(picture?.allocations ?? []).map(({ pod }) => namespaceOf(pod)),
  ]
  return new Set(names.filter((name) => !namespaces.has(name)))
}

/**
 * Whether a text of it names something of these namespaces, as `namespace/…`. The sentences of guardrails name namespaces
 * alone, too. Its drawn GPUs do not count: the names in them are left out one by one.
 */
function namesAny({ object, gpus: _drawn, ...made }: Recommendation, namespaces: ReadonlySet<string>): boolean {
  const text = JSON.stringify({ ...made, id: '' }).replaceAll(`"${object}"`, '""')
  const refused = made.plan.refused.map(({ message }) => message).join(' ')
  return isNamed(text.matchAll(NAMESPACE_BEFORE_SLASH), namespaces) || isNamed(refused.matchAll(WHOLE_NAME), namespaces)
}

const isNamed = (found: Iterable<readonly string[]>, namespaces: ReadonlySet<string>): boolean =>
  [...found].some(([name = '']) => namespaces.has(name))

/** A sentence that names something of these namespaces is told without saying what. */
const withoutNames = (because: string, namespaces: ReadonlySet<string>): string =>
  isNamed(because.matchAll(WHOLE_NAME), namespaces) ? 'Other workloads prevent this for now.' : because

const NAMESPACE_BEFORE_SLASH = /(?<![\w.-])[\w.-]+(?=\/)/gu
/** A namespace is a DNS label (RFC 1123), so a dot ends it. */
const WHOLE_NAME = /[a-z0-9](?:[a-z0-9-]*[a-z0-9])?/gu
