import { writeFile } from 'node:fs/promises'
import { basename } from 'node:path'

import { REPORT_FILES, REPORT_FILES_PATH, type ReportFile } from '@septet/contract'

import { oneOf, parseOptions } from '../options/command-options.ts'
import { askServer } from '../served/ask-server.ts'
import type { Environment } from '../served/kept-servers.ts'
import { serverToAsk } from '../served/server-to-ask.ts'

/** Whether the words ask a Septet that runs, rather than a cluster. */
export const isServed = (args: readonly string[]): boolean =>
  args.some((word) => word === '--server' || word.startsWith('--server='))

const OPTIONS = {
  server: { type: 'string' },
  file: { type: 'string', default: 'pdf' },
  cluster: { type: 'string' },
  range: { type: 'string' },
  namespaces: { type: 'string' },
  out: { type: 'string' },
} as const

/**
 * `septet report --server`: fetches a report from a Septet that runs and keeps it; resolves with what is to be printed.
 * What is wrong with cluster, range and namespaces the server says. Throws a `UsageError`.
 */
export async function runServedReport(args: readonly string[], environment: Environment): Promise<string | Uint8Array> {
  const { server, out, file: named, ...query } = parseOptions(args, OPTIONS)
  const file = oneOf('--file', named, REPORT_FILES)
  const whom = serverToAsk(server, environment)
  const address = new URL(`${REPORT_FILES_PATH}/${file}`, whom.server)
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
  const answer = await askServer(address, whom)
  const content = new Uint8Array(await answer.arrayBuffer())
  if (out === '-') return content
  const path = out ?? nameOf(answer.headers, file)
  await writeFile(path, content)
  return `${path}\n`
}

/** The name that the server gives it, and only that: a server does not choose the folder. */
function nameOf(headers: Headers, file: ReportFile): string {
  const named = /filename="([^"]+)"/u.exec(headers.get('content-disposition') ?? '')?.[1]
  return basename(named ?? `septet-report.${file === 'pdf' || file === 'json' ? file : 'csv'}`)
}
