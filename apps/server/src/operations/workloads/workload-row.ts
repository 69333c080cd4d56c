import type { OutputOf, workloadsList } from '@septet/contract'
import {
  tenantOf,
  type ClusterAnalysis,
  type GpuRequest,
  type RightSize,
  type TenantRule,
  type Waiting,
  type Workload,
  type WorkloadId,
  type WorkloadUsage,
  WHOLE_GPU_RESOURCE,
} from '@septet/domain'

import type { ClusterFacts, ClusterPicture } from '../../facts.ts'
import { countedParts, holdingsOf, idleHoldings, type Holding } from './workload-holdings.ts'
import { ratioView, isoOrNull, numberView, unmeasuredOfHeld, type Seen } from '../answering/view.ts'

export type WorkloadRow = OutputOf<typeof workloadsList>['workloads'][number]

/** One workload with all that rows are filtered and sorted by, before it is put into words. */
export type Listed = {
  readonly usage: WorkloadUsage
  readonly tenant: string | undefined
  readonly holding: Holding | undefined
  /** GPU-equivalents that are idle-held now. */
  readonly idle: number
  readonly waiting: Waiting | undefined
}

type ListedFrom = {
  readonly picture: ClusterPicture | undefined
  readonly idle: ReadonlySet<string>
  readonly rules: readonly TenantRule[]
}
const kept = new WeakMap<ClusterAnalysis, ListedFrom & { readonly listed: readonly Listed[] }>()

/** Every workload of an analysis beside what is known of it now; made once, as several questions of one page ask for it. */
export function listWorkloads(
  facts: ClusterFacts,
  analysis: ClusterAnalysis,
  rules: readonly TenantRule[],
): readonly Listed[] {
  const from = { picture: facts.picture(), idle: facts.idle(), rules }
  const known = kept.get(analysis)
  if (known !== undefined && isSame(known, from)) return known.listed
  const listed = listFrom(from, analysis)
  kept.set(analysis, { ...from, listed })
  return listed
}

const isSame = (a: ListedFrom, b: ListedFrom): boolean =>
  a.picture === b.picture && a.idle === b.idle && a.rules === b.rules

function listFrom({ picture, idle, rules }: ListedFrom, analysis: ClusterAnalysis): readonly Listed[] {
  const holdings = picture === undefined ? undefined : holdingsOf(picture)
  const known = new Map<WorkloadId, Workload>(picture?.workloads.map((workload) => [workload.id, workload]))
  return analysis.workloads.map((usage) => {
    const { id, namespace } = usage
    const holding = holdings?.get(id)
    const now = known.get(id)
    return {
      usage,
      tenant: tenantOf({ namespace, labels: now?.labels }, rules),
      holding,
      idle: holding === undefined ? 0 : idleHoldings(holding, idle),
      waiting: now?.waiting ?? (usage.waiting === undefined ? undefined : { reason: '', message: usage.waiting }),
    }
  })
}

/** One of them as a row. */
export function workloadRow(listed: Listed, analysis: Seen): WorkloadRow {
  const { usage, tenant, holding, idle, waiting } = listed
  return {
    id: usage.id,
    name: usage.name,
    namespace: usage.namespace,
    kind: usage.kind,
    class: usage.class,
    status: usage.status,
    tenant: tenant ?? null,
    queue: usage.queue ?? null,
    gpu: gpuText(usage),
    requests: usage.requests.map((request) => ({ ...request })),
    holds: holding === undefined ? null : { gpus: holding.gpus, idle, parts: countedParts(holding) },
    since: isoOrNull(usage.startedAt ?? usage.createdAt),
    duration: runTimeOf(usage, analysis) ?? null,
    busy: ratioView(usage.busy, {
      formula: 'Σ share × busy time / Σ share × measured time',
      source: 'usage rows of this workload',
      window: analysis.window,
      unread: analysis.unread,
    }),
    ...amountsView(usage, analysis),
    rightSize: rightSizeView(usage.rightSize),
    waiting: waiting === undefined ? null : { ...waiting },
  }
}

function amountsView(
  usage: WorkloadUsage,
  { window, unread }: Seen,
): Pick<WorkloadRow, 'gpuHours' | 'idleGpuHours' | 'cost' | 'idleCost'> {
  const unmeasured = idleUnknown(usage)
  const noCost = usage.hours > 0 ? 'No price is known for its GPUs.' : 'It held no GPU in this window.'
  const source = 'usage rows × price book'
  return {
    gpuHours: usage.hours,
    idleGpuHours: unmeasured === undefined ? usage.idleHours : null,
    cost: numberView(usage.cost, {
      unit: 'USD',
      because: noCost,
      explain: { formula: 'held GPU-h × price', source, window, unread },
    }),
    idleCost: numberView(unmeasured === undefined ? usage.idleCost : undefined, {
      unit: 'USD',
      because: unmeasured ?? noCost,
      leavesOut: usage.busy.kind === 'known' ? unmeasuredOfHeld(usage.busy.coverage) : undefined,
      explain: { formula: 'idle-held GPU-h × price', source, window, unread },
    }),
  }
}

/** Why it cannot be told how long it was idle: nothing of what it held was measured, which is not that it was never idle. */
export const idleUnknown = ({ hours, busy }: WorkloadUsage): string | undefined =>
  hours > 0 && busy.kind === 'unknown' ? busy.because : undefined

/** Seconds since it started or, while it waits, since it was made; as of the snapshot. */
export function runTimeOf({ startedAt, createdAt }: WorkloadUsage, { asOf }: ClusterAnalysis): number | undefined {
  const since = startedAt ?? createdAt
  return since === undefined ? undefined : Math.max(0, Math.round((asOf - since) / 1000))
}

const rightSizeView = (size: RightSize): WorkloadRow['rightSize'] => ({
  kind: size.kind,
  profile: size.kind === 'oversized' ? size.profile : null,
  because: size.kind === 'unknown' ? size.because : null,
})

/** "4 × A100-80GB", "2 × 1g.10gb · A100-80GB"; without a model while it holds nothing. */
function gpuText({ requests, models }: Pick<WorkloadUsage, 'requests' | 'models'>): string {
  const [only, ...others] = models
  const model = others.length === 0 ? only : undefined
  const asked = requests.map(({ resource, count }: GpuRequest) => `${count} × ${partWords(resource, model)}`)
  const saysModel = model !== undefined && requests.every(({ resource }) => resource === WHOLE_GPU_RESOURCE)
  return [asked.join(' + '), saysModel ? '' : models.join(', ')].filter((part) => part !== '').join(' · ')
}

const partWords = (resource: string, model: string | undefined): string =>
  resource === WHOLE_GPU_RESOURCE ? (model ?? 'GPU') : resource.replace(/^nvidia\.com\/(?:mig-)?/u, '')
