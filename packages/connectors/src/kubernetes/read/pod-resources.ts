import type { Container, PodDemand } from './schemas.ts'

/** Amounts by resource name. */
export type ResourceAmounts = Map<string, number>

/**
 * What the scheduler sets aside for a pod, of the amounts that `read` finds in each container. Containers add up, and so
 * do init containers that stay (restartPolicy Always); other init containers run one at a time before them, so only the
 * largest counts, with those that stay and began earlier.
 * Source: Kubernetes documentation, "Init containers" and "Sidecar containers", resource sharing.
 */
export function podResources(demand: PodDemand, read: (container: Container) => ResourceAmounts): ResourceAmounts {
  const lasting: ResourceAmounts = new Map()
  const before: ResourceAmounts = new Map()
  for (const container of demand.initContainers) {
    const own = read(container)
    if (container.restartPolicy === 'Always') add(lasting, own)
    else for (const [name, amount] of own) raise(before, name, amount + (lasting.get(name) ?? 0))
  }
  for (const container of demand.containers) add(lasting, read(container))
  for (const [name, amount] of before) raise(lasting, name, amount)
  return lasting
}

function add(sums: ResourceAmounts, more: ResourceAmounts): void {
  for (const [name, amount] of more) sums.set(name, (sums.get(name) ?? 0) + amount)
}

function raise(amounts: ResourceAmounts, name: string, amount: number): void {
  amounts.set(name, Math.max(amount, amounts.get(name) ?? 0))
}
