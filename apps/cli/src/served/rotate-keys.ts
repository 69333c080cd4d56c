import { signingKeysRotate } from '@septet/contract'

import { parseOptions, urlOf, UsageError } from '../options/command-options.ts'
import { askServer } from './ask-server.ts'

const ROTATE_HELP = `septet rotate-keys --server URL [--leaked]

Signs access tokens with a new key. Nobody is signed out. Asks a Septet that runs, with the API token of an admin in
SEPTET_TOKEN.

  --server URL   the Septet to ask, like https://septet.example.com
  --leaked       refuse tokens of all keys before at once, because one of them is known to others; without it they are
                 good until they end, an hour at most`

/** Rotates the signing keys of a Septet that runs; resolves with what is to be printed. Throws a `UsageError`. */
export async function runRotateKeys(args: readonly string[], token: string | undefined): Promise<string> {
  if (args.includes('--help')) return `${ROTATE_HELP}\n`
  const { server, leaked } = parseOptions(args, OPTIONS)
  if (server === undefined) throw new UsageError(`--server is missing.\n\n${ROTATE_HELP}`)
  const address = new URL(signingKeysRotate.path, urlOf('--server', server))
  const answer = await askServer(address, { token, body: { leaked } })
  const { kid, verifying } = signingKeysRotate.output.parse(await answer.json())
  return `Access tokens are signed by key ${kid} from now on.\n${before(verifying.length, leaked)}\n`
}

const OPTIONS = { server: { type: 'string' }, leaked: { type: 'boolean', default: false } } as const

const before = (verifying: number, leaked: boolean): string =>
  leaked || verifying === 0
    ? 'Tokens of all keys before are refused, by other servers on the same database within a minute.'
    : 'Tokens of the key before are good until they end, an hour at most.'
