import { sessionMe, tokensRevoke } from '@septet/contract'
import { ROLES } from '@septet/domain'
import { errorText } from '@septet/domain/words'

import { oneOf, parseOptions, urlOf, UsageError } from '../options/command-options.ts'
import { askOperation } from '../served/ask-operation.ts'
import { isLoopbackUrl } from '../served/server-to-ask.ts'
import { requestLogin } from './request-login.ts'
import { keptPath, readKept, writeKept, type Environment } from '../served/kept-servers.ts'

const LOGIN_HELP = `septet login --server URL [--no-browser] [--role ROLE]
septet login --server URL --token -

Signs you in to a Septet server. A page opens in your browser; choose Allow there, and this machine gets an API token of
its own. Commands use that server from then on. You can be signed in to several servers.

  --server URL   the server, like https://septet.example.com; SEPTET_SERVER if omitted
  --no-browser   print a code to enter on a browser on another machine; the default over SSH
  --role ROLE    the role to ask for: viewer, operator or admin. You can change it on the page
  --token -      skip the browser: read an existing API token from standard input

The token expires in 90 days. septet logout revokes it; so does Settings → API tokens.`

const LOGOUT_HELP = `septet logout [--server URL]

Signs you out of a server; of the current server if you name none. The token that septet login made for this machine is
revoked. One that you gave with --token is only removed from this machine: other programs may use it.`

export type LoginNeeds = {
  readonly environment: Environment
  /** Asks for a secret without showing what is typed; undefined where nobody can be asked. */
  readonly askSecret: ((shown: string) => Promise<string>) | undefined
  readonly readInput: () => Promise<string>
  /** Opens a page in a browser here; undefined where there is none to see. */
  readonly openBrowser: ((page: string) => void) | undefined
  /** Host name of this machine. */
  readonly machine: string
  /** Shows something while it runs. */
  readonly say: (words: string) => void
  readonly enough: AbortSignal
}

/** `septet login`: keeps a token that the server takes. Throws a `UsageError`, or as `askServer` does. */
export async function runLogin(args: readonly string[], needs: LoginNeeds): Promise<string> {
  if (args.includes('--help')) return `${LOGIN_HELP}\n`
  const { environment } = needs
  const options = parseOptions(args, {
    server: { type: 'string' },
    token: { type: 'string' },
    role: { type: 'string' },
    'no-browser': { type: 'boolean', default: false },
  })
  const address = options.server ?? environment['SEPTET_SERVER']
  if (address === undefined) throw new UsageError(`--server is missing.\n\n${LOGIN_HELP}`)
  const server = new URL(urlOf('--server', address))
  const token =
    options.token === undefined ? await askForToken(server, options, needs) : await givenToken(options, needs)
  const me = await askOperation(sessionMe, {}, { server, token })
  const [kept, own] = [readKept(environment), options.token === undefined]
  writeKept(environment, { current: server.origin, servers: { ...kept.servers, [server.origin]: { token, own } } })
  const open = server.protocol === 'http:' && !isLoopbackUrl(server.hostname)
  return [
    `Signed in to ${server.origin} as ${me.name} (${me.role}). Saved in ${keptPath(environment)}.`,
    ...(open
      ? ['This connection is plain http://: anyone on the network path can read your token. Use https:// if you can.']
      : []),
    '',
  ].join('\n')
}

type Wish = { readonly role?: string | undefined; readonly 'no-browser': boolean }

/** A token that a person allows on a page of the server. */
async function askForToken(server: URL, wish: Wish, needs: LoginNeeds): Promise<string> {
  const { machine, say, enough, openBrowser, askSecret } = needs
  if (askSecret === undefined && openBrowser === undefined && !wish['no-browser']) {
    throw new UsageError('No one can sign in here. Pass an API token on standard input: septet login --token -')
  }
  const role = wish.role === undefined ? undefined : oneOf('--role', wish.role, ROLES)
  return requestLogin({
    server,
    role,
    say,
    enough,
    machine: machine.replaceAll(/[^\w.-]/gu, '-').slice(0, LONGEST_MACHINE) || 'unnamed',
    openBrowser: wish['no-browser'] ? undefined : openBrowser,
  })
}

/** Characters of a host name (RFC 1035, section 2.3.4: of one label). */
const LONGEST_MACHINE = 63

/** A token that was made before: from standard input, or typed where somebody sits there. */
async function givenToken(
  { token: said, ...wish }: Wish & { readonly token?: string | undefined },
  { askSecret, readInput }: LoginNeeds,
): Promise<string> {
  if (said !== '-') {
    throw new UsageError(
      'Other users of this machine can see a token on the command line. Use --token - to read it from standard input.',
    )
  }
  if (wish.role !== undefined)
    throw new UsageError('--role goes with signing in by browser: a token has its role already.')
  const token = (await (askSecret === undefined ? readInput() : askSecret('Paste an API token.'))).trim()
  if (/^[\x21-\x7E]{8,4096}$/u.test(token)) return token
  throw new UsageError('That is not an API token. A token is one word that starts with spt_.')
}

/** `septet logout`: revokes and forgets the token of one server. Throws a `UsageError`. */
export async function runLogout(args: readonly string[], environment: Environment): Promise<string> {
  if (args.includes('--help')) return `${LOGOUT_HELP}\n`
  const { server } = parseOptions(args, { server: { type: 'string' } })
  const kept = readKept(environment)
  const origin = server === undefined ? kept.current : new URL(urlOf('--server', server)).origin
  const known = origin === undefined ? undefined : kept.servers[origin]
  if (origin === undefined || known === undefined) return 'You are not signed in, so there is nothing to remove.\n'
  const said = known.own === true ? await endToken(origin, known.token) : removed(origin, '')
  const { [origin]: _, ...servers } = kept.servers
  const [next] = Object.keys(servers)
  const current = kept.current === origin ? next : kept.current
  writeKept(environment, { servers, ...(current === undefined ? {} : { current }) })
  return said
}

const removed = (origin: string, because: string): string =>
  `Removed the token of ${origin} from this machine.${because} To revoke it: ${origin}${TOKENS_PAGE}\n`

/** Says what became of the token. Anyone who leaves is not held up by a server that is away. */
async function endToken(origin: string, token: string): Promise<string> {
  try {
    await askOperation(tokensRevoke, { id: 'self' }, { server: new URL(origin), token })
    return `Signed out of ${origin}. Its token is revoked.\n`
  } catch (error) {
    return removed(origin, ` It could not be revoked: ${errorText(error)}`)
  }
}

const TOKENS_PAGE = '/dashboard/settings/tokens'
