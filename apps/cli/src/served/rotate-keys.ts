import { signingKeysRotate } from '@septet/contract'

import { parseOptions, urlOf, UsageError } from '../options/command-options.ts'
import { askServer } from './ask-server.ts'

const ROTATE_HELP = `septet rotate-keys [--server URL] [--leaked]

Starts signing access tokens with a new key. No one is signed out. Needs an admin's API token.

  --server URL   the server, like https://septet.example.com; otherwise SEPTET_SERVER, or your last sign-in
  --leaked       reject tokens signed with any earlier key right away, because one has leaked; without this they stay
                 valid until they expire, within an hour`

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
