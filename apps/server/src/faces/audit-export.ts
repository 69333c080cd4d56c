import { asError } from '@septet/domain/words'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'

import { AUDIT_EXPORT_PATH, OPERATIONS } from '@septet/contract'
import type { AuditEntry, AuditStore } from '@septet/domain'
import type { FastifyInstance } from 'fastify'

import type { Audit } from '@septet/auth'
import { auditEntryView } from '../operations/access/audit-log.ts'
import { permissionRefusal } from '../operations/answering/permission.ts'
import type { CallerOf } from './call-limits.ts'

export type AuditExportNeeds = {
  readonly callerOf: CallerOf
  readonly store: Pick<AuditStore, 'all'>
  readonly audit: Audit
  readonly onUnexpected: (error: unknown, url: string) => void
}

/** `GET /api/v1/audit/export`: the whole audit log, an entry a line, oldest first, and at last what its chain is worth and its signed end. */
export function registerAuditExport(server: FastifyInstance, needs: AuditExportNeeds): void {
  server.get(AUDIT_EXPORT_PATH, async (request, reply) => {
    const caller = await needs.callerOf(request, reply)
    const refusal = permissionRefusal(OPERATIONS.auditList, caller)
    if (refusal !== undefined) throw refusal
    const fact = { actor: caller.name, action: 'audit.export', object: '', outcome: 'done', ip: caller.ip } as const
    await needs.audit.record({ ...fact, details: {} })
    const lines = new PassThrough()
    writeAll(needs, lines).catch((error: unknown) => {
      needs.onUnexpected(error, request.url)
      // Cut off in the middle, so that nobody takes it for the whole.
      lines.destroy(asError(error))
    })
    return reply
      .type('application/x-ndjson; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-disposition', 'attachment; filename="septet-audit.ndjson"')
      .send(lines)
  })
}

async function writeAll({ store, audit }: AuditExportNeeds, lines: PassThrough): Promise<void> {
  const batches = store.all()[Symbol.asyncIterator]()
  const verdict = await audit.verify(written(batches, lines))
  // A broken chain is not read to its end: what comes after the break is written all the same.
  const rest = written(batches, lines)
  while ((await rest.next()).done !== true);
  lines.end(`${JSON.stringify(verdict)}\n`)
}

/** Gives on what it has written. Its end, also before time, leaves the source where it is. */
async function* written(
  batches: AsyncIterator<readonly AuditEntry[]>,
  lines: PassThrough,
): AsyncGenerator<readonly AuditEntry[]> {
  for (let next = await batches.next(); next.done !== true; next = await batches.next()) {
    const text = next.value.map((entry) => `${JSON.stringify(auditEntryView(entry))}\n`).join('')
    if (text !== '' && !lines.write(text)) await Promise.race([once(lines, 'drain'), once(lines, 'close')])
    if (lines.destroyed) return
    yield next.value
  }
}
