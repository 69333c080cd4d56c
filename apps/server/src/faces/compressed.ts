import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'

import type { FastifyInstance } from 'fastify'

const compress = promisify(gzip)

/** Under this a network packet or two carry the answer either way, bytes. */
const WORTH_IT = 32 * 1024

/**
 * Compresses large answers of the API for who takes them compressed: a fleet of ten thousand GPUs is a megabyte and a
 * half of text. None of these answers holds a secret beside what a caller wrote, so their length gives nothing away.
 */
export function compressLargeAnswers(server: FastifyInstance): void {
  server.addHook<string | Buffer>('onSend', async (request, reply, payload) => {
    const isLarge = typeof payload === 'string' && payload.length >= WORTH_IT
    if (!isLarge || !request.url.startsWith('/api/') || reply.hasHeader('content-encoding')) return payload
    void reply.header('vary', 'accept-encoding')
    if (!/\bgzip\b/u.test(request.headers['accept-encoding'] ?? '')) return payload
    const compressed = await compress(payload, { level: constants.Z_BEST_SPEED })
    void reply.header('content-encoding', 'gzip').removeHeader('content-length')
    return compressed
  })
}
