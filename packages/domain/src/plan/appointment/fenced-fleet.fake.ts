import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { seconds } from '../../units.ts'
import { seededChance } from '../simulate/seeded-chance.ts'
import { FencedCluster } from './fenced-cluster.fake.ts'

/** A fleet of nodes of eight, nearly full of work that mostly says nothing of its end, under many disruption budgets. */
export function fencedFleet(seed: number, nodes: number): ClusterSnapshot {
  const chance = seededChance(seed)
  const budgets = new Map(
    Array.from(
      { length: Math.ceil(nodes / 4) },
      (_, index) => [`lab/budget-${index}`, Math.floor(chance() * 4)] as const,
    ),
  )
  const names = [...budgets.keys()]
  const cluster = new FencedCluster(nodes, 8, budgets)
  let wanted = nodes * 8 * 0.97
  for (let job = 0; wanted > 0; job += 1) {
    const gpus = [1, 1, 1, 2, 2, 4, 8][Math.floor(chance() * 7)] ?? 1
    wanted -= gpus
    cluster.waiting.push({
      id: `lab/job-${job}`,
      gpus,
      runs: seconds(0),
      limit: chance() < 0.1 ? seconds(3600 * (1 + Math.floor(chance() * 48))) : undefined,
      grace: seconds(30),
      managed: chance() < 0.9,
      budget: chance() < 0.5 ? names[Math.floor(chance() * names.length)] : undefined,
    })
  }
  cluster.schedule(0)
  cluster.waiting = []
  return cluster.snapshot(0, new Map())
}
