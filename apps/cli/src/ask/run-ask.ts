import { OPERATIONS } from '@septet/contract'
import { checkStart, type ReadManifest } from '@septet/domain'
import { readSource, type SourcePorts } from '../plan/read-source.ts'
import { askOperation } from '../served/ask-operation.ts'
import { formatStarts, type ShownStart } from './format-starts.ts'
import { oneOf, parseOptions, UsageError } from '../options/command-options.ts'
import { anySource, SOURCE_OPTIONS, type PlanEnvironment, type PlanOptions } from '../plan/plan-options.ts'

export type AskOptions = {
  readonly file: string
  readonly namespace: string
  readonly format: 'text' | 'json'
  readonly source: PlanOptions['source']
}

const ASK_HELP = `septet ask -f FILE (--server URL | --cluster NAME | --kubeconfig FILE | --snapshot FILE)

Checks whether a job would start if you submitted it now: where it would run, or what blocks it, what would unblock it,
and the smallest change to the job that would let it start. Submits nothing and changes nothing.

  -f, --file FILE        the manifest, YAML or JSON; - for standard input
  --namespace NAME       namespace for objects that name none (default: default)
  --server URL           ask a Septet server, which also knows how long similar work waited; uses SEPTET_TOKEN
  --cluster NAME         with --server, one of its clusters; otherwise a kubeconfig context, or "demo"
  --kubeconfig FILE      read the cluster directly (default: KUBECONFIG)
  --prometheus URL       a Prometheus-compatible API with dcgm-exporter metrics, to tell who holds which device
  --snapshot FILE        a snapshot from septet plan --save-snapshot
  --output text          or json

Exit status: 0 if all of it starts now, 3 if not or unknown, 1 or 2 after an error.`

/** Reads the options of `septet ask` and `septet check`. Throws a `UsageError`. */
export function readAskOptions(args: readonly string[], environment: PlanEnvironment): AskOptions {
  const { file, namespace, output, ...source } = parseOptions(args, OPTIONS)
  if (file === undefined || file === '')
    throw new UsageError('Name the manifest: -f job.yaml, or -f - for what is piped in.')
  const format = oneOf('--output', output, ['text', 'json'] as const)
  return { file, namespace, format, source: anySource(source, environment) }
}

const OPTIONS = {
  ...SOURCE_OPTIONS,
  file: { type: 'string', short: 'f' },
  namespace: { type: 'string', default: 'default' },
  output: { type: 'string', default: 'text' },
  server: { type: 'string' },
} as const

/** What asking needs from outside; `main.ts` joins it. */
export type AskPorts = SourcePorts & {
  readonly readManifest: ReadManifest
  /** Of a file, or of standard input for `-`. */
  readonly readText: (path: string) => Promise<string>
}

/** What is printed, and how the command ends: 0 where all starts now, 3 where it does not. */
export type AskedQuestion = { readonly text: string; readonly code: number }

export async function runAsk(args: readonly string[], ports: AskPorts): Promise<AskedQuestion> {
  if (args.includes('--help')) return { text: `${ASK_HELP}\n`, code: 0 }
  const options = readAskOptions(args, ports.environment)
  const manifest = await ports.readText(options.file)
  const jobs = await answered(manifest, options, ports)
  const text = options.format === 'json' ? `${JSON.stringify({ jobs }, undefined, 2)}\n` : formatStarts(jobs)
  return { text, code: jobs.every(({ verdict }) => verdict === 'now') ? 0 : 3 }
}

/** Whether the jobs of a manifest would start. Throws where it cannot be read. */
export async function answered(
  manifest: string,
  { source, namespace }: AskOptions,
  ports: AskPorts,
): Promise<readonly ShownStart[]> {
  if (source.kind === 'server') {
    const { whom, cluster } = source
    const input = { manifest, namespace, ...(cluster === undefined ? {} : { cluster }) }
    return (await askOperation(OPERATIONS.startsCheck, input, whom)).jobs
  }
  const read = ports.readManifest(manifest, namespace)
  if (read.kind === 'refused') throw new Error(`${read.because} ${read.todo}`)
  const snapshot = await readSource(source, ports)
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
