import type { Facts } from '../../facts.ts'

/** An alias for every name that clusters, nodes, namespaces and work have now: the same name has the same alias everywhere. */
export function knownNames(facts: Facts, server: string): ReadonlyMap<string, string> {
  const aliases = new Map<string, string>()
  const counts = new Map<string, number>()
  const add = (kind: string, ...names: readonly (string | undefined)[]): void => {
    const unnamed = names.filter((name) => name !== undefined && name !== '' && !aliases.has(name))
    if (unnamed.length === 0) return
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    for (const name of unnamed) aliases.set(name ?? '', `${kind}-${count}`)
  }
  add('server', server)
  for (const cluster of facts.clusters()) {
    add('cluster', cluster.record.id, cluster.record.name)
    const { nodes = [], workloads = [], allocations = [] } = cluster.picture() ?? {}
    for (const { name, pool } of nodes) {
      add('node', name)
      add('pool', pool)
    }
    for (const { id, namespace } of workloads) {
      add('namespace', namespace)
      add('workload', id.split('/').at(-1))
    }
    for (const { pod, workload } of allocations) {
      const [namespace, name] = pod.split('/')
      add('namespace', namespace)
      add('pod', name)
      add('workload', workload.split('/').at(-1))
    }
  }
  return aliases
}
