import { Refusal, type InputOf, type OutputOf, type tenantsExport } from '@septet/contract'
import { instant, type SettingStore, type TenantRule } from '@septet/domain'

import type { ClusterFacts } from '../../facts.ts'
import { readTenants } from '../../tenants.ts'
import { readBudgets } from '../../usage/budget-states.ts'
import { isoOf } from '../answering/view.ts'
import { budgetView } from './budgets.ts'
import { liveCost } from './cost.ts'

type Input = InputOf<typeof tenantsExport>
type Export = OutputOf<typeof tenantsExport>
type Needs = {
  readonly settings: SettingStore
  readonly clusters: readonly ClusterFacts[]
  readonly now: number
}

/** What is kept of a tenant: its rule, its budgets, and what its workloads held and cost in each cluster. */
export async function exportTenant({ settings, clusters, now }: Needs, input: Input): Promise<Export> {
  const { tenant } = input
  const rule = (await readTenants(settings)).find(({ name }) => name === tenant)
  if (rule === undefined) {
    throw new Refusal('not-found', `No tenant is called "${tenant}".`, 'Settings → Tenants lists them.')
  }
  const budgets = (await readBudgets(settings)).filter(({ scope }) => scope.kind === 'tenant' && scope.name === tenant)
  return {
    tenant,
    exportedAt: isoOf(instant(now)),
    rule: { ...rule, namespaces: [...rule.namespaces], labels: { ...rule.labels } },
    budgets: budgets.map(budgetView),
    clusters: await Promise.all(clusters.map((cluster) => heldIn(cluster, { ...input, rule }, settings))),
  }
}

const WITHOUT_LABELS = 'The rule asks for labels, so work that ended before Septet read its labels is not included.'

/** A cluster of which nothing is known yet says why, and the others are told all the same. */
async function heldIn(
  cluster: ClusterFacts,
  { tenant, rule, ...how }: Input & { readonly rule: TenantRule },
  settings: SettingStore,
): Promise<Export['clusters'][number]> {
  const { id, name } = cluster.record
  const asked = { ...how, by: 'tenant' } as const
  try {
    const { groups, ...cost } = await liveCost(cluster, asked, settings)
    const group = groups.find(({ key, kind }) => kind === 'named' && key === tenant)
    const parts = group === undefined ? undefined : await liveCost(cluster, { ...asked, within: group.id }, settings)
    return {
      cluster: id,
      name,
      window: cost.window,
      observedSeconds: cost.observedSeconds,
      total: group === undefined ? null : { gpuHours: group.gpuHours, usd: group.usd },
      workloads: parts?.groups ?? [],
      notes: [
        ...cost.notes,
        ...(group === undefined ? ['The tenant held no GPU in the time that has usage data.'] : []),
        ...(Object.keys(rule.labels).length === 0 ? [] : [WITHOUT_LABELS]),
      ],
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return {
      cluster: id,
      name,
      window: null,
      observedSeconds: null,
      total: null,
      workloads: [],
      notes: [error.message],
    }
  }
}
