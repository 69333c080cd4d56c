import type { FastifyInstance } from 'fastify'

import type { Config } from '../config.ts'

/** Listens and gives the address; a port that is in use is told with who to ask and what to set. */
export async function listenOn(
  server: FastifyInstance,
  { host, port }: Pick<Config, 'host' | 'port'>,
): Promise<string> {
  try {
    const address = await server.listen({ host, port })
    return address.replace('[::1]', 'localhost')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE') {
      throw new Error(
        `Port ${port} on ${host} is in use, perhaps by another Septet. Stop that program, or set SEPTET_PORT to a free port (0 takes any).`,
        { cause: error },
      )
    }
    if (code === 'EACCES') {
      throw new Error(`Port ${port} may not be used by this user. Set SEPTET_PORT to one above 1023.`, { cause: error })
    }
    throw error
  }
}
