import type { Person, PersonStore } from '@septet/domain'

import { withProposer } from '../actions/action-rows.ts'
import type { Database, Query } from '../connection.ts'
import { mentionOf, withoutPerson } from './person-words.ts'

/** Everything that is kept of one person. A new table that holds addresses has to be named here. */
export function postgresPeople(database: Database): PersonStore {
  return {
    find: (person) =>
      database.transaction(async (query) => {
        const kinds = []
        for (const [kind, sql] of Object.entries(OF_PERSON)) {
          kinds.push({ kind, rows: await query(...numbered(sql, valuesOf(person))) })
        }
        return kinds
      }),
    audited: async (person) => {
      const [found] = await database.query<{ entries: string; last: string }>(...numbered(AUDITED, valuesOf(person)))
      return { entries: Number(found?.entries ?? 0), last: Number(found?.last ?? 0) }
    },
    forget: (person, how) =>
      database.transaction(async (query) => {
        const values = { ...valuesOf(person), ...how }
        const changed = async (sql: string): Promise<number> =>
          (await query(...numbered(`${sql} returning 1`, values))).length
        await anonymizeProposals(query, values)
        let anonymized = (await anonymizeSettings(query, person, how.as)) + (await anonymizeAudit(query, changed))
        for (const sql of ANONYMIZED) anonymized += await changed(sql)
        let deleted = 0
        for (const sql of DELETED) deleted += await changed(sql)
        return { deleted, anonymized }
      }),
  }
}

type Values = Readonly<Record<string, string | number>>

/** What a statement names as `:email`, the text that finds it as `:mention`. */
const valuesOf = ({ email, accountId = '' }: Person): Values => ({
  email,
  mention: mentionOf(email),
  account: accountId,
})

/** A statement as the server takes it: its values by number, those that it names and no others. */
function numbered(sql: string, values: Values): readonly [string, readonly unknown[]] {
  const names = [...new Set([...sql.matchAll(NAME)].map(([, name = '']) => name))]
  return [sql.replaceAll(NAME, (_, name: string) => `$${names.indexOf(name) + 1}`), names.map((name) => values[name])]
}

/** Not the second colon of a cast. */
const NAME = /(?<!:):(email|mention|account|as|last)\b/gu

const SPEAKS_OF_THEM = '(actor = :email or object ~* :mention or details::text ~* :mention)'

const AUDITED = `select count(*) filter (where ${SPEAKS_OF_THEM})::text as entries, coalesce(max(seq), 0)::text as last from audit_entries`

/** Columns are named one by one: no hash, no sealed secret and no code is among them. */
const OF_PERSON = {
  account: `select id, email, app_metadata, user_metadata, email_confirmed_at, invited_at, last_sign_in_at, banned_until, new_email, created_at, updated_at from accounts where email = :email`,
  signInProviders: `select issuer, subject, created_at from external_identities where account_id in (select id from accounts where email = :email)`,
  sessions: `select id, aal, methods, user_agent, ip, created_at, refreshed_at, not_after from sessions where account_id in (select id from accounts where email = :email)`,
  secondFactors: `select id, friendly_name, status, created_at, last_challenged_at from factors where account_id in (select id from accounts where email = :email)`,
  membership: `select email, role, namespaces, until, updated_at from members where email = :email`,
  apiTokens: `select id, name, prefix, role, namespaces, clusters, created_at, expires_at, last_used_at, revoked_at from api_tokens where created_by = :email`,
  commandLineSignIns: `select machine, ip, role, created_at, expires_at from login_requests where decision ->> 'by' = :email`,
  emails: `select id, at, kind, subject, text, outcome from mails where "to" = :email order by at`,
  copilotQuestions: `select value from settings where key = 'copilot/' || (select id from accounts where email = :email)`,
  settings: `select key from settings where key not like 'copilot/%' and value::text ~* :mention order by key`,
  actions: `select run, number, at, state, because from action_transitions where by = :email order by at`,
  stopOrders: `select cluster, at, because from action_stops where by = :email`,
  alerts: `select id, cluster, title, acknowledgement, silence from alerts where acknowledgement ->> 'by' = :email or silence ->> 'by' = :email`,
  notifications: `select delivery, attempt, at, outcome, detail from delivery_attempts where detail ~* :mention order by at`,
  auditLog: `select seq, at, actor, action, object, outcome, ip, details from audit_entries where ${SPEAKS_OF_THEM} order by seq`,
} as const

const DELETED = [
  `delete from settings where key = 'copilot/' || :account and :account <> ''`,
  `delete from login_requests where decision ->> 'by' = :email`,
  `delete from mails where "to" = :email`,
  `delete from members where email = :email`,
  `delete from notes where owner = :email`,
  // Identities, sessions, codes and factors go with it.
  `delete from accounts where email = :email`,
] as const

/** With the anonymous name in the place of the address. */
const ANONYMIZED = [
  `update api_tokens set created_by = :as, account = null, revoked_at = coalesce(revoked_at, now()) where created_by = :email`,
  `update action_transitions set by = case when by = :email then :as else by end, because = regexp_replace(because, :mention, :as, 'gi') where by = :email or because ~* :mention`,
  `update action_stops set by = case when by = :email then :as else by end, because = regexp_replace(because, :mention, :as, 'gi') where by = :email or because ~* :mention`,
  `update alerts set acknowledgement = regexp_replace(acknowledgement::text, :mention, :as, 'gi')::json, silence = regexp_replace(silence::text, :mention, :as, 'gi')::json where (acknowledgement::text ~* :mention or silence::text ~* :mention)`,
  `update deliveries set content = regexp_replace(content::text, :mention, :as, 'gi')::json where content::text ~* :mention`,
  `update delivery_attempts set detail = regexp_replace(detail, :mention, :as, 'gi') where detail ~* :mention`,
] as const

/** Who proposed a run stands in its body, too. */
async function anonymizeProposals(query: Query, values: Values): Promise<void> {
  const proposed = numbered(
    'select id, body from action_runs where id in (select run from action_transitions where number = 1 and by = :email)',
    values,
  )
  for (const { id, body } of await query<{ id: string; body: Buffer }>(...proposed)) {
    await query('update action_runs set body = $2 where id = $1', [id, await withProposer(body, String(values['as']))])
  }
}

async function anonymizeSettings(query: Query, person: Person, as: string): Promise<number> {
  const mentioned = numbered('select key, value from settings where value::text ~* :mention', valuesOf(person))
  const found = await query<{ key: string; value: unknown }>(...mentioned)
  for (const { key, value } of found) {
    const without = JSON.stringify(withoutPerson(value, person.email, as))
    await query('update settings set value = $2::json where key = $1', [key, without])
  }
  return found.length
}

/**
 * Entries keep their place in the chain: their own hash and that of the one before. What they said of the person is gone, so
 * the hash no longer proves it; `forgotten` says so, and an entry of its own says how many there are.
 */
async function anonymizeAudit(query: Query, changed: (sql: string) => Promise<number>): Promise<number> {
  await query('alter table audit_entries disable trigger audit_entries_are_only_added')
  const entries = await changed(
    `update audit_entries set
       actor = case when actor = :email then :as else regexp_replace(actor, :mention, :as, 'gi') end,
       ip = case when actor = :email then '' else ip end,
       object = regexp_replace(object, :mention, :as, 'gi'),
       details = (regexp_replace(details::text, :mention, :as, 'gi')::jsonb || jsonb_build_object('forgotten', :as::text))::json
     where seq <= :last and ${SPEAKS_OF_THEM}`,
  )
  await query('alter table audit_entries enable always trigger audit_entries_are_only_added')
  return entries
}
