import type { OutputOf, tenantsPreview } from '@septet/contract'
import { compareText, tenantOf, type TenantRule, type Workload } from '@septet/domain'

import type { Facts } from '../../facts.ts'

type Preview = OutputOf<typeof tenantsPreview>
type Found = Preview['none']
type Placed = { readonly cluster: string; readonly workload: Workload }

/** Which workloads of all clusters each rule takes, and which fall to none. */
export function previewTenants(facts: Facts, rules: readonly TenantRule[]): Preview {
  const all: readonly Placed[] = facts
    .clusters()
    .flatMap((cluster) =>
      (cluster.picture()?.workloads ?? []).map((workload) => ({ cluster: cluster.record.id, workload })),
    )
  const byTenant = Map.groupBy(all, ({ workload }) => tenantOf(workload, rules))
  return {
    // Two rules may name one tenant: it is told once, where the first of them stands.
    tenants: [...new Set(rules.map(({ name }) => name))].map((name) => ({
      name,
      ...foundOf(byTenant.get(name) ?? []),
    })),
    none: foundOf(byTenant.get(undefined) ?? []),
  }
}

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
