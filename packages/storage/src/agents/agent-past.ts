import type { AgentStore, PastWish } from '@septet/domain'

import type { Database } from '../connection.ts'
import { storableText } from '../usage/storable.ts'

/** More parts do not wait to be taken. */
const MOST_PARTS = 8

/** What is wanted of an agent's past, and what came of it. */
export function agentPastOf(database: Database): Pick<AgentStore, 'wish' | 'wished' | 'addPast' | 'takePast'> {
  return {
    wish: async (cluster, wish) => {
      const key = storableText(cluster)
      await database.transaction(async (ask) => {
        await ask('update cluster_agents set wish = $2 where cluster = $1', [key, wish ?? null])
        await ask('delete from agent_past where cluster = $1', [key])
      })
    },
    wished: async (cluster) => {
      const [row] = await database.query<{ wish: PastWish | null }>(
        'select wish from cluster_agents where cluster = $1',
        [storableText(cluster)],
      )
      return row?.wish ?? undefined
    },
    addPast: (cluster, { wish, number, body }) =>
      database.transaction(async (ask) => {
        const key = storableText(cluster)
        const [row] = await ask<{ id: string | null; parts: number }>(
          `select wish ->> 'id' as id, (select count(*)::int from agent_past where cluster = $1) as parts
           from cluster_agents where cluster = $1 for update`,
          [key],
        )
        if (row?.id !== wish) return 'unwanted'
        if (row.parts >= MOST_PARTS) return 'full'
        await ask(
          'insert into agent_past (cluster, wish, number, body) values ($1, $2, $3, $4) on conflict do nothing',
          [key, wish, number, Buffer.from(body)],
        )
        return 'stored'
      }),
    takePast: async (cluster, wish) => {
      const rows = await database.query<{ number: number; body: Buffer }>(
        'delete from agent_past where cluster = $1 and wish = $2 returning number, body',
        [storableText(cluster), wish],
      )
      return rows.toSorted((a, b) => a.number - b.number).map(({ body }) => body)
    },
  }
}
