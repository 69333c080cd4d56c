import { writeFile } from 'node:fs/promises'
import { basename } from 'node:path'

import { REPORT_FILES, REPORT_FILES_PATH, type ReportFile } from '@septet/contract'

import { askServer } from '../served/ask-server.ts'
import { oneOf, parseOptions, urlOf } from '../options/command-options.ts'

export type ServedOptions = {
  readonly server: URL
  readonly file: ReportFile
  /** Asked as they are: the server says what is wrong with them. */
  readonly query: Readonly<Record<string, string>>
  /** Undefined: as the server names it; `-`: printed. */
  readonly out: string | undefined
}

/** Whether the words ask a Septet that runs, rather than a cluster. */
export const isServed = (args: readonly string[]): boolean =>
  args.some((word) => word === '--server' || word.startsWith('--server='))

/** Reads the options of `septet report --server`. Throws a `UsageError`. */
export function readServedOptions(args: readonly string[]): ServedOptions {
  const { server = '', file, out, cluster, range, namespaces } = parseOptions(args, OPTIONS)
  const url = new URL(urlOf('--server', server))
  const known = oneOf('--file', file, REPORT_FILES)
  const query = Object.entries({ cluster, range, namespaces }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  )
  return { server: url, file: known, query: Object.fromEntries(query), out }
}

const OPTIONS = {
  server: { type: 'string' },
  file: { type: 'string', default: 'pdf' },
  cluster: { type: 'string' },
  range: { type: 'string' },
  namespaces: { type: 'string' },
  out: { type: 'string' },
} as const

/** Fetches a report from a Septet that runs and keeps it; resolves with what is to be printed. */
export async function runServedReport(
  { server, file, query, out }: ServedOptions,
  token: string | undefined,
): Promise<string | Uint8Array> {
  const address = new URL(`${REPORT_FILES_PATH}/${file}`, server)
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
  const answer = await askServer(address, { token })
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
