import { OPERATIONS } from '@septet/contract'
import { checkStart, type ReadManifest } from '@septet/domain'

import { readSource, type SourcePorts } from '../plan/read-source.ts'
import { askOperation } from '../served/ask-operation.ts'
import { ASK_HELP, readAskOptions, type AskOptions } from './ask-options.ts'
import { formatStarts, type ShownStart } from './format-starts.ts'

/** What asking needs from outside; `main.ts` joins it. */
export type AskPorts = SourcePorts & {
  readonly token: string | undefined
  readonly readManifest: ReadManifest
  /** Of a file, or of standard input for `-`. */
  readonly readText: (path: string) => Promise<string>
}

/** What is printed, and how the command ends: 0 where all starts now, 3 where it does not. */
export type Asked = { readonly text: string; readonly code: number }

export async function runAsk(args: readonly string[], ports: AskPorts): Promise<Asked> {
  if (args.includes('--help')) return { text: `${ASK_HELP}\n`, code: 0 }
  const options = readAskOptions(args, ports.environment)
  const manifest = await ports.readText(options.file)
  const jobs = await answered(manifest, options, ports)
  const text = options.format === 'json' ? `${JSON.stringify({ jobs }, undefined, 2)}\n` : formatStarts(jobs)
  return { text, code: jobs.every(({ verdict }) => verdict === 'now') ? 0 : 3 }
}

async function answered(
  manifest: string,
  { asked, namespace }: AskOptions,
  ports: AskPorts,
): Promise<readonly ShownStart[]> {
  if (asked.kind === 'server') {
    const { server, cluster } = asked
    const input = { manifest, namespace, ...(cluster === undefined ? {} : { cluster }) }
    return (await askOperation(OPERATIONS.startsCheck, input, { server, token: ports.token })).jobs
  }
  const read = ports.readManifest(manifest, namespace)
  if (read.kind === 'refused') throw new Error(`${read.because} ${read.todo}`)
  const snapshot = await readSource(asked.source, ports)
  ports.progress.end()
  return checkStart(snapshot, read.jobs).map((answer) => ({
    ...answer,
    wait: null,
    noWait:
      answer.verdict === 'now'
        ? null
        : 'How long work like this waited is known to a Septet that runs: ask it with --server.',
  }))
}
