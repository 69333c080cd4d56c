import { errorText } from '@septet/domain/words'
import { writeFile } from 'node:fs/promises'
import { basename } from 'node:path'

import { ProblemDocumentSchema, REPORT_FILES, REPORT_FILES_PATH, type ReportFile } from '@septet/contract'

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
  const answer = await fetch(address, {
    headers: token === undefined || token === '' ? {} : { authorization: `Bearer ${token}` },
    // A redirect would carry the token to wherever it leads.
    redirect: 'error',
  }).catch((error: unknown) => {
    throw new Error(`${server.origin} did not answer (${reasonOf(error)}). Check the address and that Septet runs.`)
  })
  const content = new Uint8Array(await answer.arrayBuffer())
  if (!answer.ok) throw new Error(refusalOf(content, answer.status))
  if (out === '-') return content
  const path = out ?? nameOf(answer, file)
  await writeFile(path, content)
  return `${path}\n`
}

/** The name that the server gives it, and only that: a server does not choose the folder. */
function nameOf({ headers }: Response, file: ReportFile): string {
  const named = /filename="([^"]+)"/u.exec(headers.get('content-disposition') ?? '')?.[1]
  return basename(named ?? `septet-report.${file === 'pdf' || file === 'json' ? file : 'csv'}`)
}

function refusalOf(content: Uint8Array, status: number): string {
  const text = new TextDecoder().decode(content)
  const problem = ProblemDocumentSchema.safeParse(jsonOf(text))
  return problem.success ? `${problem.data.detail} ${problem.data.todo}` : `The server answered ${status}.`
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const reasonOf = (error: unknown): string => errorText(error instanceof Error ? (error.cause ?? error) : error)
