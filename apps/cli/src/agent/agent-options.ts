import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

import { prometheusWords, type PrometheusWords } from '@septet/domain'
import { readAgentToken, type AgentToken } from '@septet/plan-files'

import { numberOf, parseOptions, urlOf, UsageError } from '../options/command-options.ts'
import type { Environment } from '../served/kept-servers.ts'

export type AgentOptions = {
  readonly server: string
  readonly token: AgentToken
  /** Path of a kubeconfig; undefined: the service account of the pod. */
  readonly kubeconfig: string | undefined
  readonly context: string | undefined
  readonly operatorNamespace: string
  readonly engine: PrometheusWords
  readonly exporters: readonly string[]
  readonly folder: string
  readonly mostBytes: number
}

export const AGENT_HELP = `septet agent --server URL [--prometheus URL | --exporter URL] [--kubeconfig FILE]

Reads the cluster that it runs in and sends what it reads to a Septet elsewhere: no connection is made into the cluster, and
no kubeconfig leaves it. It only reads; Septet cannot change a cluster through it. Add the cluster in Settings → Clusters
(or septet add connection --kind agent --name NAME) to get its token.

  --server URL            the Septet server; SEPTET_SERVER if omitted
  --token-file FILE       file with the token of the agent; SEPTET_AGENT_TOKEN if omitted
  --kubeconfig FILE       the cluster to read (default: the service account of the pod, else KUBECONFIG)
  --context NAME          a context in it (default: the current one)
  --prometheus URL        a Prometheus-compatible API with dcgm-exporter metrics; SEPTET_PROMETHEUS_URL if omitted. Its token
                          and matchers are read from SEPTET_PROMETHEUS_TOKEN and SEPTET_PROMETHEUS_MATCHERS
  --exporter URL          a dcgm-exporter to read directly, more than once for several; SEPTET_EXPORTER_TARGETS if omitted
  --operator-namespace N  namespace of the NVIDIA GPU Operator (default: gpu-operator)
  --dir DIR               where readings wait until Septet has stored them (default: SEPTET_AGENT_DIR, else .septet-agent)
  --buffer-mib 512        how much may wait there

Readings are compressed and signed; the token itself is never sent. What Septet does not take, because it is away, refuses
the token or has another agent for this cluster, waits in DIR and is sent later, in order, each as of when it was read. If
DIR is full, inventories that a later one replaces are dropped first, and samples last. Trust a private certificate of the
server with NODE_EXTRA_CA_CERTS; an HTTP proxy is used with NODE_USE_ENV_PROXY=1 and HTTPS_PROXY.`

/** Reads the options of `septet agent`. Throws a `UsageError`. */
export async function readAgentOptions(args: readonly string[], environment: Environment): Promise<AgentOptions> {
  const values = parseOptions(args, OPTIONS)
  const server = urlOf('--server', values.server ?? said(environment['SEPTET_SERVER']))
  if (server === undefined) throw new UsageError(`--server is missing.\n\n${AGENT_HELP}`)
  return {
    server,
    token: await tokenOf(values['token-file'], environment),
    kubeconfig: kubeconfigOf(values.kubeconfig, environment),
    context: values.context,
    operatorNamespace: values['operator-namespace'],
    ...metricsOf(values, environment),
    folder: resolve(values.dir ?? said(environment['SEPTET_AGENT_DIR']) ?? '.septet-agent'),
    mostBytes: numberOf('--buffer-mib', values['buffer-mib'], { least: 1, most: 1_048_576, whole: true }) * 1024 ** 2,
  }
}

function kubeconfigOf(named: string | undefined, environment: Environment): string | undefined {
  const isInPod = said(environment['KUBERNETES_SERVICE_HOST']) !== undefined
  const kubeconfig = named ?? (isInPod ? undefined : said(environment['KUBECONFIG']))
  if (kubeconfig !== undefined || isInPod) return kubeconfig
  throw new UsageError('Name the cluster: --kubeconfig FILE. Without it, the agent has to run in a pod of the cluster.')
}

type Metrics = { readonly prometheus?: string; readonly exporter?: readonly string[] }

function metricsOf({ prometheus, exporter }: Metrics, environment: Environment) {
  const engine = prometheusWords((name) => environment[`SEPTET_PROMETHEUS_${name}`])
  const listed = (environment['SEPTET_EXPORTER_TARGETS'] ?? '').split(',').flatMap((one) => said(one.trim()) ?? [])
  return {
    engine: { ...engine, prometheusUrl: urlOf('--prometheus', prometheus ?? said(engine.prometheusUrl)) },
    exporters: (exporter ?? listed).map((url) => urlOf('--exporter', url)),
  }
}

async function tokenOf(file: string | undefined, environment: Environment): Promise<AgentToken> {
  const text = file === undefined ? said(environment['SEPTET_AGENT_TOKEN']) : await readFile(file, 'utf8')
  if (text === undefined) {
    throw new UsageError(
      'The token of the agent is missing: set SEPTET_AGENT_TOKEN, or name its file with --token-file.',
    )
  }
  const token = readAgentToken(text)
  if (token !== undefined) return token
  throw new UsageError(
    'This is no token of an agent: one begins with spa_. Copy it from Settings → Clusters; an API token (spt_…) does not do.',
  )
}

const said = (text: string | undefined): string | undefined => (text === '' ? undefined : text)

const OPTIONS = {
  server: { type: 'string' },
  'token-file': { type: 'string' },
  kubeconfig: { type: 'string' },
  context: { type: 'string' },
  prometheus: { type: 'string' },
  exporter: { type: 'string', multiple: true },
  'operator-namespace': { type: 'string', default: 'gpu-operator' },
  dir: { type: 'string' },
  'buffer-mib': { type: 'string', default: '512' },
} as const
