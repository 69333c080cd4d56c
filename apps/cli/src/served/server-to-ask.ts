import { readKept, type Environment } from './kept-servers.ts'
import { urlOf, UsageError } from '../options/command-options.ts'

/** A Septet that runs, and the API token to show it; without one it is asked as a visitor. */
export type ServerToAsk = { readonly server: URL; readonly token: string | undefined }

/**
 * Whom to ask: the server that is named, else `SEPTET_SERVER`, else the one that `septet login` was at last. A token that
 * was kept goes to the server that it is of and to no other. Throws a `UsageError` where no server is known.
 */
export function serverToAsk(named: string | undefined, environment: Environment): ServerToAsk {
  const kept = readKept(environment)
  const address = named ?? filled(environment['SEPTET_SERVER']) ?? kept.current
  if (address === undefined) {
    throw new UsageError(
      'Name the Septet to ask: --server https://septet.example.com, SEPTET_SERVER, or septet login --server URL once.',
    )
  }
  const server = new URL(urlOf(named === undefined ? 'SEPTET_SERVER' : '--server', address))
  return { server, token: filled(environment['SEPTET_TOKEN']) ?? kept.servers[server.origin]?.token }
}

const filled = (text: string | undefined): string | undefined => (text === '' ? undefined : text)

/** Whether a host is this very machine, which nobody is on the way to. */
export const isLoopbackUrl = (host: string): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/u.test(host)
