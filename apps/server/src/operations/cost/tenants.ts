import {
  Refusal,
  type InputOf,
  type OutputOf,
  type tenantsExport,
  type tenantsGet,
  type tenantsPreview,
  invalidInput,
  notFound,
} from '@septet/contract'
import {
  compareText,
  instant,
  tenantOf,
  type SettingStore,
  type Store,
  type TenantRule,
  type Workload,
} from '@septet/domain'

import type { ClusterFacts } from '../../facts.ts'
import { readTenants, writeTenants } from '../../tenants.ts'
import { budgetView, readBudgets } from '../../usage/budget-states.ts'
import { isoOf } from '../answering/view.ts'
import { liveCost } from './cost.ts'
import type { AnswersOf } from '../answering/answering.ts'

type Input = InputOf<typeof tenantsExport>
type Export = OutputOf<typeof tenantsExport>
type Held = Export['clusters'][number]
type Preview = OutputOf<typeof tenantsPreview>
type Found = Preview['none']
type Placed = { readonly cluster: string; readonly workload: Workload }
type Needs = { readonly store: Pick<Store, 'settings'>; readonly now: () => number }

/** Who is charged: the rules, whom they take, and what is kept of one tenant. */
export const tenantAnswers = ({ store, now }: Needs): AnswersOf<'tenants'> => ({
  /** The rules in force, in their order. */
  tenantsGet: async () => tenantsView(await readTenants(store.settings)),
  /** Replaces the rules. A name may stand only once: two tenants of one name could not be told apart. */
  async tenantsPut({ tenants }) {
    const twice = tenants.find(({ name }, index) => tenants.findIndex((other) => other.name === name) < index)
    if (twice !== undefined) {
      throw invalidInput(
        `Two tenants are called "${twice.name}".`,
        'Give each tenant a unique name; one rule may list several namespaces.',
      )
    }
    await writeTenants(store.settings, tenants)
    return tenantsView(tenants)
  },
  /** Which workloads of all clusters each rule takes, and which fall to none. */
  tenantsPreview({ tenants }, { seen }) {
    const all: readonly Placed[] = seen
      .clusters()
      .flatMap((cluster) =>
        (cluster.picture()?.workloads ?? []).map((workload) => ({ cluster: cluster.record.id, workload })),
      )
    const byTenant = Map.groupBy(all, ({ workload }) => tenantOf(workload, tenants))
    return {
      // Two rules may name one tenant: it is told once, where the first of them stands.
      tenants: [...new Set(tenants.map(({ name }) => name))].map((name) => ({
        name,
        ...foundOf(byTenant.get(name) ?? []),
      })),
      none: foundOf(byTenant.get(undefined) ?? []),
    }
  },
  /** What is kept of a tenant: its rule, its budgets, and what its workloads held and cost in each cluster. */
  async tenantsExport(input, { seen }) {
    const { tenant } = input
    const rule = (await readTenants(store.settings)).find(({ name }) => name === tenant)
    if (rule === undefined) {
      throw notFound(`No tenant is called "${tenant}".`, 'Settings → Tenants lists them.')
    }
    const budgets = (await readBudgets(store.settings)).filter(
      ({ scope }) => scope.kind === 'tenant' && scope.name === tenant,
    )
    return {
      tenant,
      exportedAt: isoOf(instant(now())),
      rule: { ...rule, namespaces: [...rule.namespaces], labels: { ...rule.labels } },
      budgets: budgets.map(budgetView),
      clusters: await Promise.all(
        seen.clusters().map((cluster) => heldIn(cluster, { ...input, rule }, store.settings)),
      ),
    }
  },
})

const WITHOUT_LABELS = 'The rule asks for labels, so work that ended before Septet read its labels is not included.'

/** A cluster of which nothing is known yet says why, and the others are told all the same. */
async function heldIn(
  cluster: ClusterFacts,
  { tenant, rule, ...how }: Input & { readonly rule: TenantRule },
  settings: SettingStore,
): Promise<Held> {
  const { id, name } = cluster.record
  const asked = { ...how, by: 'tenant' } as const
  try {
    const { groups, ...cost } = await liveCost(cluster, asked, settings)
    const group = groups.find(({ key, kind }) => kind === 'named' && key === tenant)
    const parts = group && (await liveCost(cluster, { ...asked, within: group.id }, settings))
    return {
      cluster: id,
      name,
      window: cost.window,
      observedSeconds: cost.observedSeconds,
      total: group === undefined ? null : amountsOf(group),
      workloads: parts?.groups ?? [],
      notes: [
        ...(cost.age === undefined ? [] : [cost.age]),
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

const amountsOf = ({ id: _id, key: _key, kind: _kind, ...amounts }: Held['workloads'][number]): Held['total'] => amounts

function foundOf(placed: readonly Placed[]): Found {
  const byNamespace = Map.groupBy(placed, ({ cluster, workload }) => JSON.stringify([cluster, workload.namespace]))
  const namespaces = [...byNamespace.values()].flatMap((some) => {
    const [first] = some
    return first === undefined
      ? []
      : [{ cluster: first.cluster, name: first.workload.namespace, workloads: some.length }]
  })
  return {
    workloads: placed.length,
    namespaces: namespaces.toSorted(
      (a, b) => b.workloads - a.workloads || compareText(a.name, b.name) || compareText(a.cluster, b.cluster),
    ),
  }
}

const tenantsView = (rules: readonly TenantRule[]): OutputOf<typeof tenantsGet> => ({
  tenants: rules.map(({ name, namespaces, labels }) => ({ name, namespaces: [...namespaces], labels: { ...labels } })),
})
