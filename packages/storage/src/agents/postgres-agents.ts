import { instant, type AgentSeen, type AgentStore, type AgentVisit, type StoredReading } from '@septet/domain'

import type { Database } from '../connection.ts'
import { agentPastOf } from './agent-past.ts'
import { storableText } from '../usage/storable.ts'

/** More than this of one cluster's readings does not wait to be worked on, bytes: an hour of 10,000 GPUs several times. */
const MOST_WAITING = 1024 ** 3

/** Agents and what they sent. */
export function postgresAgents(database: Database): AgentStore {
  const { query } = database
  return {
    visit: async (cluster, visit) => {
      const key = storableText(cluster)
      const [admitted] = await query<AgentRow>(ADMIT, visitValues(key, visit))
      if (admitted !== undefined) return { kind: 'admitted', agent: toAgent(admitted) }
      const [other] = await query<AgentRow>(SEEN, [key])
      const isOther = other !== undefined && other.instance !== visit.instance
      return isOther ? { kind: 'held', by: toAgent(other) } : { kind: 'replayed' }
    },
    take: (cluster, { at, after, hasInventory, body }) =>
      database.transaction(async (ask) => {
        const key = storableText(cluster)
        const [row] = await ask<{ received: Date }>(
          'select received from cluster_agents where cluster = $1 for update',
          [key],
        )
        const received = instant(row?.received.getTime() ?? 0)
        if (at <= received) return { kind: 'known', received }
        if (after !== received) return { kind: 'gap', received }
        if ((await waiting(ask, key)) > MOST_WAITING) return { kind: 'full', received }
        await ask('insert into agent_readings (cluster, at, has_inventory, body) values ($1, $2, $3, $4)', [
          key,
          new Date(at),
          hasInventory,
          Buffer.from(body),
        ])
        await ask('update cluster_agents set received = $2 where cluster = $1', [key, new Date(at)])
        return { kind: 'stored', received: at }
      }),
    seen: async (cluster) => {
      const [row] = await query<AgentRow>(SEEN, [storableText(cluster)])
      return row && toAgent(row)
    },
    worked: async (cluster) => {
      const key = storableText(cluster)
      const [row] = await query<{ worked: Date }>('select worked from cluster_agents where cluster = $1', [key])
      const to = row?.worked ?? new Date(0)
      const [inventory] = await query<ReadingRow>(LAST_INVENTORY, [key, to])
      return { to: instant(to.getTime()), inventory: inventory && toReading(inventory) }
    },
    after: async (cluster, at, limit) =>
      (await query<ReadingRow>(AFTER, [storableText(cluster), new Date(at), limit])).map(toReading),
    ...agentPastOf(database),
    leave: async (cluster, instance) => {
      // Nothing was heard since ever: whoever comes next is let in.
      await query(`update cluster_agents set seen_at = 'epoch' where cluster = $1 and instance = $2`, [
        storableText(cluster),
        storableText(instance),
      ])
    },
    forget: async (cluster) => {
      for (const table of ['agent_readings', 'agent_past', 'cluster_agents'])
        await query(`delete from ${table} where cluster = $1`, [storableText(cluster)])
    },
  }
}

const visitValues = (cluster: string, { instance, host, version, signedAt, now, leaseMs }: AgentVisit): unknown[] => [
  cluster,
  storableText(instance),
  storableText(host),
  storableText(version),
  new Date(now),
  new Date(signedAt),
  new Date(now - leaseMs),
]

// One statement: of two agents that come at once the second one sees the first.
const ADMIT = `
  insert into cluster_agents (cluster, instance, host, version, since, seen_at, signed_at, received, worked)
  values ($1, $2, $3, $4, $5, $5, $6, 'epoch', 'epoch')
  on conflict (cluster) do update set
    instance = excluded.instance, host = excluded.host, version = excluded.version,
    since = case when cluster_agents.instance = excluded.instance then cluster_agents.since else excluded.since end,
    seen_at = excluded.seen_at, signed_at = excluded.signed_at
  where case when cluster_agents.instance = excluded.instance then cluster_agents.signed_at < excluded.signed_at
    else cluster_agents.seen_at < $7 end
  returning *`

const SEEN = 'select * from cluster_agents where cluster = $1'

const LAST_INVENTORY = `
  select at, has_inventory, body from agent_readings where cluster = $1 and at <= $2 and has_inventory
  order by at desc limit 1`

const AFTER = `
  select at, has_inventory, body from agent_readings where cluster = $1 and at > $2 order by at limit $3`

async function waiting(ask: Database['query'], cluster: string): Promise<number> {
  const [found] = await ask<{ bytes: string | null }>(
    'select sum(octet_length(body))::text as bytes from agent_readings where cluster = $1',
    [cluster],
  )
  return Number(found?.bytes ?? 0)
}

type AgentRow = {
  readonly instance: string
  readonly host: string
  readonly version: string
  readonly since: Date
  readonly seen_at: Date
  readonly received: Date
}
const toAgent = ({ instance, host, version, since, seen_at, received }: AgentRow): AgentSeen => ({
  instance,
  host,
  version,
  since: instant(since.getTime()),
  seenAt: instant(seen_at.getTime()),
  received: instant(received.getTime()),
})

type ReadingRow = { readonly at: Date; readonly has_inventory: boolean; readonly body: Buffer }
const toReading = ({ at, has_inventory, body }: ReadingRow): StoredReading => ({
  at: instant(at.getTime()),
  hasInventory: has_inventory,
  body,
})
