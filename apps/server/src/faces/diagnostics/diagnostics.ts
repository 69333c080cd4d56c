import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

import type { Audit } from '@septet/auth'
import { DIAGNOSTICS_PATH, invalidInput, OPERATIONS } from '@septet/contract'
import { tarArchive } from '@septet/contract/tar-archive'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

import { permissionRefusal } from '../../operations/answering/permission.ts'
import type { CallerOf } from '../call-limits.ts'
import { bundleFiles, type BundleParts } from './bundle-files.ts'

type Needs = BundleParts & { readonly callerOf: CallerOf; readonly audit: Audit }

const Query = z.strictObject({ names: z.enum(['masked', 'kept']).default('masked') })
const compress = promisify(gzip)

/** `GET /api/v1/diagnostics`: what somebody needs to tell what is wrong with this Septet, as one archive, for admins. */
export function registerDiagnostics(server: FastifyInstance, needs: Needs): void {
  server.get(DIAGNOSTICS_PATH, async (request, reply) => {
    const caller = await needs.callerOf(request, reply)
    const refusal = permissionRefusal({ ...OPERATIONS.statusGet, title: 'Diagnostics', role: 'admin' }, caller)
    if (refusal !== undefined) throw refusal
    const asked = Query.safeParse(request.query)
    if (!asked.success) throw invalidInput('names must be masked or kept.', 'Leave it out to mask names.')
    const { names } = asked.data
    const { name: actor, ip } = caller
    await needs.audit
      .record({ actor, action: 'diagnostics.export', object: '', outcome: 'done', ip, details: { names } })
      // While the database is away this is what is needed most.
      .catch(() => undefined)
    const at = new Date(needs.now())
    const files = await bundleFiles(needs, { names: names === 'kept' })
    const folder = `septet-diagnostics-${at.toISOString().slice(0, 19).replaceAll(/[:T]/gu, '-')}`
    const archive = tarArchive(
      files.map(({ path, text }) => ({ path: `${folder}/${path}`, text })),
      at,
    )
    return reply
      .type('application/gzip')
      .header('cache-control', 'no-store')
      .header('content-disposition', `attachment; filename="${folder}.tar.gz"`)
      .send(await compress(archive))
  })
}
