import type { InputOf, FiguresOf, workloadsList } from '@septet/contract'
import {
  compareText,
  onceFor,
  type ClusterAnalysis,
  type TenantRule,
  type Caller,
  type GpuNode,
  type RecommendationStore,
  type Store,
} from '@septet/domain'

import type { ClusterFacts } from '../../facts.ts'
import { RecentlyUsed } from '../../recently-used.ts'
import { needAnalysis } from '../answering/source.ts'
import { isoOrNull } from '../answering/view.ts'
import { runTimeOf, idleUnknown, listWorkloads, workloadRow, type Listed } from './workload-row.ts'
import { readTenants } from '../../tenants.ts'
import type { AnswersOf } from '../answering/answering.ts'
import { liveStarts, type ReadsManifest } from './starts.ts'
import { liveWaits } from './waits.ts'
import { liveWorkload } from './workload-detail.ts'

type Workloads = FiguresOf<typeof workloadsList>
type Input = InputOf<typeof workloadsList>

/** Workloads that match, a page of them, with what can be filtered by. */
export async function liveWorkloads(
  facts: ClusterFacts,
  input: Input,
  rules: readonly TenantRule[],
): Promise<Workloads> {
  const { analysis, answered, unread } = await needAnalysis(facts, input.range)
  const all = listWorkloads(facts, analysis, rules)
  const wanted = sortedBy(all, input, analysis).filter((one) => matches(one, input))
  return {
    ...answered,
    total: wanted.length,
    ...ofAll(all),
    workloads: wanted
      .slice(input.offset, input.offset + input.limit)
      .map((one) => workloadRow(one, { ...analysis, unread })),
  }
}

/** What no filter changes: asked for with every page and by every agent. */
const ofAll = onceFor((all: readonly Listed[]): Pick<Workloads, 'counts' | 'choices' | 'waitsFor'> => ({
  counts: {
    running: count(all, ({ usage }) => usage.status === 'running'),
    queued: count(all, ({ usage }) => usage.status === 'queued'),
    ended: count(all, ({ usage }) => usage.status === 'ended'),
    idle: count(all, ({ idle }) => idle > 0),
  },
  choices: {
    namespaces: distinct(all.map(({ usage }) => usage.namespace)),
    tenants: distinct(all.flatMap(({ tenant }) => tenant ?? [])),
    classes: distinct(all.map(({ usage }) => usage.class)),
  },
  waitsFor: waitingGroups(all),
}))

const count = (all: readonly Listed[], is: (one: Listed) => boolean): number => all.filter(is).length
const distinct = (names: readonly string[]): string[] => [...new Set(names)].toSorted(compareText)

const matches = (one: Listed, input: Input): boolean =>
  isOfStatus(one, input) && isWhose(one, input) && waitsForIt(one, input.waitsFor) && isFound(one, input.search)

function isOfStatus({ usage, idle }: Listed, input: Input): boolean {
  if (input.idle === 'true' && idle <= 0) return false
  return input.status === 'all' ? usage.status !== 'ended' : usage.status === input.status
}

const isWhose = ({ usage, tenant }: Listed, input: Input): boolean =>
  (input.namespace === undefined || usage.namespace === input.namespace) &&
  (input.tenant === undefined || (tenant ?? '') === input.tenant) &&
  (input.class === undefined || usage.class === input.class)

const waitsForIt = ({ usage }: Listed, resource: string | undefined): boolean =>
  resource === undefined ||
  (usage.status === 'queued' && usage.requests.some((request) => request.resource === resource))

function isFound({ usage, tenant, holding }: Listed, search: string | undefined): boolean {
  const words = (search ?? '').toLowerCase().split(/\s+/u).filter(Boolean)
  if (words.length === 0) return true
  const text = [
    usage.name,
    usage.namespace,
    usage.kind,
    usage.class,
    usage.queue ?? '',
    tenant ?? '',
    ...usage.requests.map(({ resource }) => resource),
    ...usage.models,
    ...new Set(holding?.parts.flatMap(({ profile, node }) => [profile, node])),
  ]
    .join('\n')
    .toLowerCase()
  return words.every((word) => text.includes(word))
}

type SortValue = (one: Listed, analysis: ClusterAnalysis) => number | string | undefined

const SORT_BY = {
  name: ({ usage }) => usage.name,
  namespace: ({ usage }) => usage.namespace,
  tenant: ({ tenant }) => tenant,
  class: ({ usage }) => usage.class,
  holds: ({ holding }) => holding?.gpus,
  busy: ({ usage }) => (usage.busy.kind === 'known' ? usage.busy.value : undefined),
  hours: ({ usage }) => usage.hours,
  idleHours: ({ usage }) => (idleUnknown(usage) === undefined ? usage.idleHours : undefined),
  cost: ({ usage }) => usage.cost,
  idleCost: ({ usage }) => (idleUnknown(usage) === undefined ? usage.idleCost : undefined),
  duration: ({ usage }, analysis) => runTimeOf(usage, analysis),
} satisfies Record<Input['sort'], SortValue>

/** What is not known comes last, whichever way the others go; ties go by id, so that pages never overlap. */
function sortedBy(all: readonly Listed[], { sort, order }: Input, analysis: ClusterAnalysis): readonly Listed[] {
  const known = sortings(all)
  const key = `${sort} ${order}`
  const sorted = known.get(key) ?? sortAll(all, { sort, order }, analysis)
  known.set(key, sorted)
  return sorted
}

/** The orders that were asked for last; a page shows one, and its next pages the same. */
const sortings = onceFor((_all: readonly Listed[]) => new RecentlyUsed<readonly Listed[]>(3))

function sortAll(
  all: readonly Listed[],
  { sort, order }: Pick<Input, 'sort' | 'order'>,
  analysis: ClusterAnalysis,
): readonly Listed[] {
  const valueOf: SortValue = SORT_BY[sort]
  const sign = order === 'up' ? 1 : -1
  return all
    .map((one) => ({ one, value: valueOf(one, analysis) }))
    .toSorted((a, b) => {
      if (a.value === undefined || b.value === undefined) {
        return Number(a.value === undefined) - Number(b.value === undefined) || byId(a.one, b.one)
      }
      return sign * compareValues(a.value, b.value) || byId(a.one, b.one)
    })
    .map(({ one }) => one)
}

const byId = (a: Listed, b: Listed): number => compareText(a.usage.id, b.usage.id)
const compareValues = (a: number | string, b: number | string): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : compareText(String(a), String(b))

/** Queued workloads by what they ask for and why they do not get it. */
function waitingGroups(all: readonly Listed[]): Workloads['waitsFor'] {
  const queued = all.filter(({ usage }) => usage.status === 'queued')
  const asked = queued.flatMap((one) => one.usage.requests.map((request) => ({ one, ...request })))
  const groups = Map.groupBy(asked, ({ one, resource }) => JSON.stringify([resource, one.waiting?.reason ?? '']))
  return [...groups.values()]
    .map((group) => {
      const oldest = group.toSorted((a, b) => (a.one.usage.createdAt ?? 0) - (b.one.usage.createdAt ?? 0))[0]
      return {
        resource: oldest?.resource ?? '',
        reason: oldest?.one.waiting?.reason ?? '',
        workloads: group.length,
        asked: group.reduce((sum, each) => sum + each.count, 0),
        oldest: isoOrNull(oldest?.one.usage.createdAt),
        message: oldest?.one.waiting?.message ?? '',
      }
    })
    .toSorted((a, b) => b.workloads - a.workloads || compareText(a.resource, b.resource))
}

type WorkloadNeeds = {
  readonly store: Store
  /** The recommendations that a caller may see. */
  readonly recommendations: (caller: Caller) => RecommendationStore
  readonly readManifest: ReadsManifest
  readonly now: () => number
  /** All nodes of a cluster, whose labels say what its GPUs cost. */
  readonly nodesOf: (cluster: string) => readonly GpuNode[]
}

/** What runs, what waits and why, and one workload in full. */
export const workloadAnswers = ({
  store,
  recommendations,
  nodesOf,
  readManifest,
  now,
}: WorkloadNeeds): AnswersOf<'workloads' | 'starts' | 'queue'> => ({
  workloadsList: async (facts, input) => liveWorkloads(facts, input, await readTenants(store.settings)),
  workloadsGet: async (facts, input, { caller }) =>
    liveWorkload(facts, input, {
      store,
      recommendations: recommendations(caller),
      rules: await readTenants(store.settings),
      limited: caller.namespaces !== undefined,
    }),
  startsCheck: (facts, input, { caller: { namespaces }, listening: { signal } }) =>
    liveStarts(facts, input, { store, readManifest, now, namespaces, signal }),
  queueWaits: (facts, input, { caller: { namespaces } }) =>
    liveWaits(facts, input, { store, namespaces, nodes: nodesOf(facts.record.id) }),
})
