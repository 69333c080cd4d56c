import { instant, type Instant } from '@septet/domain'

import type { Config } from '../config.ts'
import type { DemoAddresses } from './demo-process.ts'
import type { PipelineSettings } from './pipeline-messages.ts'

export type ClusterSourceRecord = Pick<PipelineSettings, 'record' | 'source'>

/** The clusters to watch, in the order in which they are shown: the configured one, then the demo cluster. */
export function clusterSources(
  config: Pick<Config, 'cluster' | 'demo'>,
  demo: DemoAddresses | undefined,
  now: number,
): ClusterSourceRecord[] {
  const createdAt = instant(now)
  return [...configured(config.cluster, createdAt), ...demonstrated(config.demo, demo, createdAt)]
}

function configured(cluster: Config['cluster'], createdAt: Instant): ClusterSourceRecord[] {
  if (cluster === undefined) return []
  const { name } = cluster
  return [{ record: { id: idOf(name), name, kind: 'cluster', createdAt }, source: { kind: 'cluster', cluster } }]
}

function demonstrated(
  demo: Config['demo'],
  addresses: DemoAddresses | undefined,
  createdAt: Instant,
): ClusterSourceRecord[] {
  if (demo === undefined || addresses === undefined) return []
  return [
    {
      record: { id: demoId({ demo }), name: 'Demo cluster', kind: 'demo', createdAt },
      source: { kind: 'demo', addresses },
    },
  ]
}

/** Another scale or seed is another cluster: its usage must not be mixed with the first one's. */
export function demoId({ demo }: Pick<Config, 'demo'>): string {
  return demo === undefined || (demo.scale === 'small' && demo.seed === 7) ? 'demo' : `demo-${demo.scale}-${demo.seed}`
}

/** Ids of the demo cluster and of sample data: a cluster of that name must not share their stored usage or their address. */
const TAKEN = /^(sample|demo(-(small|large)-\d+)?)$/u

/** An id made of a name that none of these has. */
export function freeIdOf(name: string, taken: ReadonlySet<string>): string {
  const base = idOf(name)
  let id = base
  for (let count = 2; taken.has(id); count += 1) id = `${base}-${count}`
  return id
}

export function idOf(name: string): string {
  const id = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]+/gu, '-')
    .replaceAll(/^-+|-+$/gu, '')
  if (id === '') return 'cluster'
  return TAKEN.test(id) ? `cluster-${id}` : id
}
