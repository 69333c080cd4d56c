import type { AuditEntry } from '@septet/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'

import type { AuthContext } from '../auth-context.ts'
import { AuthProblem } from '../auth-problem.ts'
import { needAdmin } from '../bearer.ts'
import { readPage } from '../page.ts'
import { readQuery } from '../read-body.ts'

/** `GET /admin/audit`: what was done, newest first, in the protocol's form. */
export function registerAdminAudit(server: FastifyInstance, context: AuthContext): void {
  server.get('/admin/audit', (request) => listEntries(context, request))
}

const Query = z.object({ query: z.string().max(300).default('') })

async function listEntries(context: AuthContext, request: FastifyRequest): Promise<readonly object[]> {
  await needAdmin(context, request)
  const { page, perPage } = readPage(request)
  const fits = filterOf(readQuery(Query, request).query)
  const found: AuditEntry[] = []
  let before = Infinity
  // The first match of each page is nowhere written down, so the log is walked; not beyond what a person pages through.
  for (let batch = 0; batch < MOST_BATCHES && found.length < page * perPage; batch++) {
    // oxlint-disable-next-line no-await-in-loop -- each batch begins where the one before ended
    const entries = await context.access.audit.list({ limit: BATCH, ...(before === Infinity ? {} : { before }) })
    found.push(...entries.filter(fits))
    before = entries.at(-1)?.seq ?? 0
    if (entries.length < BATCH) break
  }
  return found.slice((page - 1) * perPage, page * perPage).map(entryView)
}

const BATCH = 500
/** Fifty thousand entries. */
const MOST_BATCHES = 100

/** `author:TEXT`, `action:TEXT` or `type:TEXT`: a part of it is enough. Our types are the subjects of actions. */
function filterOf(query: string): (entry: AuditEntry) => boolean {
  if (query === '') return () => true
  const [, field = '', text = ''] = /^(author|action|type):(.+)$/u.exec(query) ?? []
  const sought = text.toLowerCase()
  const read = FIELDS.get(field)
  if (read === undefined) {
    throw new AuthProblem(400, 'validation_failed', 'Query must be author:TEXT, action:TEXT or type:TEXT')
  }
  return (entry) => read(entry).toLowerCase().includes(sought)
}

const typeOf = ({ action }: AuditEntry): string => action.split('.')[0] ?? ''

const FIELDS: ReadonlyMap<string, (entry: AuditEntry) => string> = new Map([
  ['author', ({ actor }: AuditEntry) => actor],
  ['action', ({ action }: AuditEntry) => action],
  ['type', typeOf],
])

const entryView = (entry: AuditEntry): object => ({
  id: String(entry.seq),
  payload: {
    actor_username: entry.actor,
    action: entry.action,
    log_type: typeOf(entry),
    traits: { ...entry.details, object: entry.object, outcome: entry.outcome },
  },
  created_at: new Date(entry.at).toISOString(),
  ip_address: entry.ip,
})
