import type { Fence, LeadStore } from '@septet/domain'

import type { Database } from '../connection.ts'
import { known } from '../rows.ts'
import { storableText } from '../usage/storable.ts'

/** Leads in PostgreSQL, by its clock. */
export function postgresLeads(database: Database): LeadStore {
  const { query } = database
  return {
    take: (cluster, holder, forMs) =>
      database.transaction(async (ask) => {
        const key = storableText(cluster)
        await ask('insert into leads (cluster, token, until) values ($1, 0, now()) on conflict do nothing', [key])
        const [taken] = await ask<{ token: string }>(TAKE, [key, storableText(holder), forMs])
        return taken && { cluster, token: Number(taken.token) }
      }),
    renew: async (leads, forMs) => {
      const kept = await query<{ place: string }>(RENEW, [...columnsOf(leads), forMs])
      const places = new Set(kept.map(({ place }) => Number(place)))
      return leads.filter((_, index) => places.has(index + 1))
    },
    release: async ({ cluster, token }) => {
      await query('update leads set holder = null where cluster = $1 and token = $2', [storableText(cluster), token])
    },
    revoke: (cluster) =>
      database.transaction(async (ask) => {
        // Waits for what is being written, which a change of this row alone would not.
        await ask('select from leads where cluster = $1 for update', [storableText(cluster)])
        await ask('update leads set token = token + 1, holder = null where cluster = $1', [storableText(cluster)])
      }),
    ask: async (cluster, holder) => {
      await query('update leads set asked = $2 where cluster = $1 and asked is null', [
        storableText(cluster),
        storableText(holder),
      ])
    },
    led: async (withinMs = 0) => (await query<LedRow>(LED, [withinMs])).map(known),
  }
}

type LedRow = { readonly cluster: string; readonly holder: string | null; readonly asked: string | null }

const columnsOf = (leads: readonly Fence[]) => [
  leads.map(({ cluster }) => storableText(cluster)),
  leads.map(({ token }) => token),
]

/** Of one whose last write is not finished nothing is taken: whoever asks is not held up by that. */
const TAKE = `
  with free as (
    select cluster from leads where cluster = $1 and (holder is null or until < clock_timestamp())
    for update skip locked)
  update leads set token = token + 1, holder = $2, asked = null, until = clock_timestamp() + $3 * interval '1 millisecond'
  from free where leads.cluster = free.cluster returning token`

const RENEW = `
  update leads set until = clock_timestamp() + $3 * interval '1 millisecond'
  from unnest($1::text[], $2::bigint[]) with ordinality as mine (cluster, token, place)
  where leads.cluster = mine.cluster and leads.token = mine.token and holder is not null
  returning mine.place`

const LED = `
  select cluster, holder, asked from leads
  where until >= clock_timestamp() - $1 * interval '1 millisecond' and (holder is not null or $1 > 0)`
