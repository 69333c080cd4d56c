import { DIAGNOSTICS_PATH } from '@septet/contract/routes'

import { parseOptions } from './options/command-options.ts'
import type { Environment } from './served/kept-servers.ts'
import { saveServed } from './served/save-served.ts'
import { serverToAsk } from './served/server-to-ask.ts'

const DIAGNOSTICS_HELP = `septet diagnostics [--server URL] [--out FILE|-] [--names]

Saves what shows what is wrong with a Septet server: version, settings, status, metrics, the last
1,000 log lines, sizes and problems, as a .tar.gz. It holds no secrets. Needs an admin's token.

  --server URL  the Septet server (default: SEPTET_SERVER, else the one you last signed in to)
  --out FILE    where to (default: the name that the server gives it; - for standard output)
  --names       keep names of clusters, nodes, namespaces and work, which are masked otherwise`

const OPTIONS = {
  server: { type: 'string' },
  out: { type: 'string' },
  names: { type: 'boolean', default: false },
} as const

/** `septet diagnostics`: keeps what a server tells of itself as an archive. Throws a `UsageError`. */
export async function runDiagnostics(args: readonly string[], environment: Environment): Promise<string | Uint8Array> {
  if (args.includes('--help')) return `${DIAGNOSTICS_HELP}\n`
  const { server, out, names } = parseOptions(args, OPTIONS)
  const whom = serverToAsk(server, environment)
  const address = new URL(DIAGNOSTICS_PATH, whom.server)
  if (names) address.searchParams.set('names', 'kept')
  return saveServed(address, { ...whom, out, fallback: 'septet-diagnostics.tar.gz' })
}
