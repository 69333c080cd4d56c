import { oneOf, parseOptions, urlOf, UsageError } from '../options/command-options.ts'
import { SOURCE_OPTIONS, sourceOf, type Environment, type PlanOptions } from '../plan/plan-options.ts'

export type AskOptions = {
  readonly file: string
  readonly namespace: string
  readonly format: 'text' | 'json'
  readonly asked:
    | { readonly kind: 'server'; readonly server: URL; readonly cluster: string | undefined }
    | { readonly kind: 'here'; readonly source: PlanOptions['source'] }
}

export const ASK_HELP = `septet ask -f FILE (--server URL | --cluster NAME | --kubeconfig FILE | --snapshot FILE)

Whether a job would start if it were submitted now: where, or what keeps it from starting, what others could do about
that, and the smallest changes of the job with which it would start. Submits and changes nothing.

  -f, --file FILE        the manifest, YAML or JSON; - reads what is piped in
  --namespace NAME       where work goes that names no namespace; default when left out
  --server URL           ask a Septet that runs; it also knows how long work like this waited. SEPTET_TOKEN signs in
  --cluster NAME         with --server one of its clusters; without, a context of the kubeconfig, or "demo"
  --kubeconfig FILE      read the cluster itself; KUBECONFIG when left out
  --prometheus URL       an API that holds dcgm-exporter's metrics: it says who holds which device
  --snapshot FILE        a state that septet plan --save-snapshot wrote
  --output text          or json

Ends with 0 where all of it starts now, 3 where it does not or that is unknown, 1 or 2 after an error.`

/** Reads the options of `septet ask`. Throws a `UsageError`. */
export function readAskOptions(args: readonly string[], environment: Environment): AskOptions {
  const { file, namespace, output, server, ...source } = parseOptions(args, OPTIONS)
  if (file === undefined || file === '')
    throw new UsageError('Name the manifest: -f job.yaml, or -f - for what is piped in.')
  const shared = { file, namespace, format: oneOf('--output', output, ['text', 'json'] as const) }
  if (server === undefined) return { ...shared, asked: { kind: 'here', source: sourceOf(source, environment) } }
  const { cluster, ...others } = source
  if (Object.values(others).some((value) => value !== undefined))
    throw new UsageError('With --server only --cluster says which cluster is meant.')
  return { ...shared, asked: { kind: 'server', server: new URL(urlOf('--server', server)), cluster } }
}

const OPTIONS = {
  ...SOURCE_OPTIONS,
  file: { type: 'string', short: 'f' },
  namespace: { type: 'string', default: 'default' },
  output: { type: 'string', default: 'text' },
  server: { type: 'string' },
} as const
