import { type Refusal, type InputOf, type FiguresOf, type workloadsGet, notFound } from '@septet/contract'
import type { ClusterAnalysis, RecommendationStore, Store, TenantRule, WaitAnswer } from '@septet/domain'

import type { ClusterFacts, WorkloadDetail } from '../../facts.ts'
import { needAnalysis } from '../answering/source.ts'
import { isoOrNull, numberView, type Seen } from '../answering/view.ts'
import { eventView, gpusView, ownersView, podsView } from './workload-pods.ts'
import { idleUnknown, listWorkloads, workloadRow, type Listed } from './workload-row.ts'
import { sizeView } from './workload-size.ts'
import { usageOver } from './workload-use.ts'

type Detail = FiguresOf<typeof workloadsGet>

export type DetailNeeds = {
  readonly store: Store
  readonly recommendations: RecommendationStore
  readonly rules: readonly TenantRule[]
  /** Whether the caller is limited to namespaces, and so may not know what others hold. */
  readonly limited: boolean
}

/** One workload that runs, waits, or held a GPU within the range. */
export async function liveWorkload(
  facts: ClusterFacts,
  { id, range }: InputOf<typeof workloadsGet>,
  needs: DetailNeeds,
): Promise<Detail> {
  const { analysis, answered, unread } = await needAnalysis(facts, range)
  const listed = listWorkloads(facts, analysis, needs.rules).find(({ usage }) => usage.id === id)
  if (listed === undefined) throw noSuch(id)
  const cluster = facts.record.id
  const [detail, use, recommendations] = await Promise.all([
    facts.workload(id),
    usageOver(needs.store.usage, { cluster, of: { workloads: [id] }, window: analysis.window }),
    needs.recommendations.current(cluster),
  ])
  return {
    ...answered,
    workload: workloadRow(listed, { ...analysis, unread }),
    ...hoursView(listed, { ...analysis, unread }),
    ...nowView(facts, detail, listed),
    use: use ?? null,
    findings: findingsOf(analysis, id),
    recommendations: (recommendations?.recommendations ?? [])
      .filter(({ object }) => object === `workload/${id}`)
      .map((one) => ({ id: one.id, kind: one.kind, title: one.title, message: one.message })),
    ...sizeOf(detail, recommendations?.unshared?.find(({ workload }) => workload === id)?.because),
    wait: waitOf(detail, needs.limited),
  }
}

const noSuch = (id: string): Refusal =>
  notFound(
    `No workload "${id}" runs or waits now, nor did it hold a GPU within this range.`,
    'It may have ended: choose a longer range, or list the workloads.',
  )

type Now = Pick<
  Detail,
  'createdAt' | 'labels' | 'owners' | 'pods' | 'podCount' | 'gpus' | 'gpuCount' | 'events' | 'eventsMissing'
>

/** What is there of it now; nothing where it has ended. */
function nowView(facts: ClusterFacts, detail: WorkloadDetail | undefined, { usage }: Listed): Now {
  const picture = facts.picture()
  return {
    createdAt: isoOrNull(usage.createdAt),
    labels: { ...detail?.workload?.labels },
    podCount: detail?.podCount ?? 0,
    ...eventsOf(detail?.objects, usage),
    ...(detail === undefined
      ? { owners: [], pods: [] }
      : { owners: ownersView(detail), pods: picture === undefined ? [] : podsView(detail, picture) }),
    ...(picture === undefined ? { gpus: [], gpuCount: 0 } : gpusView(facts, picture, usage.id)),
  }
}

const eventsOf = (
  objects: WorkloadDetail['objects'] | undefined,
  { status }: Listed['usage'],
): Pick<Now, 'events' | 'eventsMissing'> =>
  objects === undefined
    ? { events: [], eventsMissing: eventsUnread(status) }
    : { events: objects.events.map(eventView), eventsMissing: objects.eventsMissing ?? null }

const eventsUnread = (status: Listed['usage']['status']): string =>
  status === 'ended'
    ? 'It has ended, and Kubernetes forgets events after an hour.'
    : 'The API server has not been read since Septet started.'

function hoursView({ usage }: Listed, { window, unread }: Seen): Pick<Detail, 'hours' | 'idleHours'> {
  const unmeasured = idleUnknown(usage)
  const view = (value: number | undefined, formula: string) =>
    numberView(value, {
      unit: 'GPU-h',
      because: unmeasured ?? 'unknown',
      explain: { formula, source: 'usage rows of this workload', window, unread },
    })
  return {
    hours: view(usage.hours, 'Σ share × time held'),
    idleHours: view(
      unmeasured === undefined ? usage.idleHours : undefined,
      'Σ share × time held and idle for the whole minimum stretch',
    ),
  }
}

const findingsOf = ({ findings }: ClusterAnalysis, id: string): Detail['findings'] =>
  findings
    .filter(({ object }) => object === `workload/${id}` || object === id)
    .map(({ id: finding, kind, message, costPerMonth }) => ({
      id: finding,
      kind,
      message,
      costPerMonth: costPerMonth ?? null,
    }))

/** `apart`: why it is not to share its GPU, where that cannot be cut. */
function sizeOf(detail: WorkloadDetail | undefined, apart: string | undefined): Pick<Detail, 'size' | 'sizeUnknown'> {
  const size = detail?.size
  if (size === undefined)
    return { size: null, sizeUnknown: 'It does not run now, so there is no size to compare with.' }
  if (typeof size !== 'string') return { size: sizeView(size), sizeUnknown: null }
  return { size: null, sizeUnknown: apart === undefined ? size : `${size} ${apart}` }
}

const WITHHELD = 'What other GPUs hold is shown only to people who can see the whole cluster.'

function waitOf(detail: WorkloadDetail | undefined, limited: boolean): Detail['wait'] {
  const waiting = detail?.workload.waiting ?? detail?.pods.find((pod) => pod.waiting !== undefined)?.waiting
  if (detail === undefined || waiting === undefined) return null
  const { reason, message } = waiting
  return { reason, message, ...keptBy(detail.wait ?? NOTHING_KEEPS_IT), withheld: limited ? WITHHELD : null }
}

const NOTHING_KEEPS_IT = { because: [], unknown: [], ways: [] }

const keptBy = ({ because, unknown, ways }: Pick<WaitAnswer, 'because' | 'unknown' | 'ways'>) => ({
  because: [...because],
  unknown: [...unknown],
  ways: ways.map(({ kind, sentence, patch }) => ({
    kind,
    sentence,
    patch: patch === undefined ? null : { ...patch },
  })),
})
