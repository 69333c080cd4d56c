import { sessionMe } from '@septet/contract'

import { parseOptions, urlOf, UsageError } from '../options/command-options.ts'
import { askOperation } from '../served/ask-operation.ts'
import { isLoopback } from '../served/server-to-ask.ts'
import { keptPath, readKept, writeKept, type Environment } from '../served/kept-servers.ts'

const LOGIN_HELP = `septet login --server URL [--token -]

Signs this machine in to a Septet: takes an API token that you make on the page it names, tries it, and keeps it for you
alone. From then on commands ask this server where they name none. Several servers can be kept.

  --server URL   the Septet, like https://septet.example.com; SEPTET_SERVER where left out
  --token -      reads the token from standard input instead of asking for it

septet logout [--server URL] forgets it again; the token itself is good until it is revoked or ends.`

const LOGOUT_HELP = `septet logout [--server URL]

Forgets the token of a server, of the current one where none is named. The token is good until it is revoked or ends:
septet revoke token ID, or Settings → API tokens.`

export type LoginNeeds = {
  readonly environment: Environment
  /** Shows where a token is made and asks for it, without showing what is typed; undefined where nobody can be asked. */
  readonly askSecret: ((shown: string) => Promise<string>) | undefined
  readonly readInput: () => Promise<string>
}

/** `septet login`: keeps a token that the server takes. Throws a `UsageError`, or as `askServer` does. */
export async function runLogin(args: readonly string[], needs: LoginNeeds): Promise<string> {
  if (args.includes('--help')) return `${LOGIN_HELP}\n`
  const { environment } = needs
  const options = parseOptions(args, { server: { type: 'string' }, token: { type: 'string' } })
  const address = options.server ?? environment['SEPTET_SERVER']
  if (address === undefined) throw new UsageError(`--server is missing.\n\n${LOGIN_HELP}`)
  const server = new URL(urlOf('--server', address))
  const token = await tokenOf(options.token, server, needs)
  if (!/^[\x21-\x7E]{8,4096}$/u.test(token)) throw new UsageError('That is no token: it is one word like spt_….')
  const me = await askOperation(sessionMe, {}, { server, token })
  const kept = readKept(environment)
  writeKept(environment, { current: server.origin, servers: { ...kept.servers, [server.origin]: { token } } })
  const open = server.protocol === 'http:' && !isLoopback(server.hostname)
  return [
    `Signed in at ${server.origin} as ${me.name} (${me.role}). Kept in ${keptPath(environment)}.`,
    ...(open ? ['The address is http://: whoever is on the way can read the token. Use https:// where you can.'] : []),
    '',
  ].join('\n')
}

/** `septet logout`: forgets the token of one server. Throws a `UsageError`. */
export function runLogout(args: readonly string[], environment: Environment): string {
  if (args.includes('--help')) return `${LOGOUT_HELP}\n`
  const { server } = parseOptions(args, { server: { type: 'string' } })
  const kept = readKept(environment)
  const origin = server === undefined ? kept.current : new URL(urlOf('--server', server)).origin
  if (origin === undefined || kept.servers[origin] === undefined) return 'Nothing is kept, so nothing was forgotten.\n'
  const { [origin]: _, ...servers } = kept.servers
  const [next] = Object.keys(servers)
  const current = kept.current === origin ? next : kept.current
  writeKept(environment, { servers, ...(current === undefined ? {} : { current }) })
  return `Forgot the token of ${origin}. It is good until it is revoked or ends: ${origin}${TOKENS_PAGE}\n`
}

const TOKENS_PAGE = '/dashboard/settings/tokens'

async function tokenOf(said: string | undefined, server: URL, { askSecret, readInput }: LoginNeeds): Promise<string> {
  if (said === '-') return (await readInput()).trim()
  if (said !== undefined) {
    throw new UsageError(
      'A token on the command line is seen by others on this machine: --token - reads it from standard input.',
    )
  }
  if (askSecret === undefined)
    throw new UsageError('Nobody can be asked here: give the token to --token - on standard input.')
  const shown = `Make a token for the command line here, and paste it:\n\n  ${server.origin}${TOKENS_PAGE}\n`
  return (await askSecret(shown)).trim()
}
