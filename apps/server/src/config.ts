import { isAbsolute, resolve } from 'node:path'

import { z } from 'zod'

/**
 * Everything that can be set from outside, and the only place that reads the environment. `docs/configuration.md` is
 * made to agree with this list by a test.
 */
export const SETTINGS = {
  SEPTET_HOST: { fallback: '127.0.0.1', meaning: 'Address to listen on.' },
  SEPTET_PORT: { fallback: '7070', meaning: 'Port to listen on; 0 takes a free one.' },
  SEPTET_DATA_DIR: { fallback: '.septet', meaning: 'Folder for the embedded database, the demo kubeconfig and keys.' },
  DATABASE_URL: { fallback: '', meaning: 'A PostgreSQL (15 or newer) to use instead of the embedded one.' },
  SEPTET_DEMO: { fallback: 'on', meaning: 'Whether to run the demo cluster: on or off.' },
  SEPTET_DEMO_SCALE: { fallback: 'small', meaning: 'small (about 40 nodes) or large (1,250 nodes, 10,000 GPUs).' },
  SEPTET_DEMO_SEED: { fallback: '7', meaning: 'Seed of the demo cluster; the same seed makes the same cluster.' },
  SEPTET_DEMO_SPEED: { fallback: '1', meaning: 'How much faster than real time the demo clock runs, 1 to 3600.' },
  SEPTET_KUBECONFIG: {
    fallback: '',
    meaning: 'Kubeconfig of a cluster to watch; `in-cluster` uses the service account.',
  },
  SEPTET_KUBE_CONTEXT: { fallback: '', meaning: 'Context in that kubeconfig; its current one when empty.' },
  SEPTET_CLUSTER_NAME: {
    fallback: '',
    meaning: 'Name to show for that cluster; SEPTET_KUBE_CONTEXT when empty, else "cluster".',
  },
  SEPTET_OPERATOR_NAMESPACE: {
    fallback: 'gpu-operator',
    meaning: 'Namespace of the NVIDIA GPU Operator; OpenShift: nvidia-gpu-operator.',
  },
  SEPTET_PROMETHEUS_URL: {
    fallback: '',
    meaning: 'Prometheus-compatible API that holds the DCGM metrics of that cluster.',
  },
  SEPTET_PROMETHEUS_TOKEN: { fallback: '', meaning: 'Bearer token for it.' },
  SEPTET_PROMETHEUS_TENANT: { fallback: '', meaning: 'Value of the X-Scope-OrgID header (Mimir, Cortex).' },
  SEPTET_EXPORTER_TARGETS: { fallback: '', meaning: 'dcgm-exporter URLs to scrape directly, separated by commas.' },
  SEPTET_POLL_SECONDS: { fallback: '15', meaning: 'Seconds between two readings of telemetry, 1 to 300.' },
  SEPTET_LOG: { fallback: 'warn', meaning: 'Least level to log: debug, info, warn or error.' },
} as const
type SettingName = keyof typeof SETTINGS

export type ClusterSource = {
  readonly name: string
  readonly kubeconfig: string
  readonly context: string | undefined
  readonly operatorNamespace: string
  readonly prometheus: { url: string; token: string | undefined; tenant: string | undefined } | undefined
  readonly exporterTargets: readonly string[]
}

export type Config = {
  readonly host: string
  readonly port: number
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly demo: { scale: 'small' | 'large'; seed: number; speed: number } | undefined
  readonly cluster: ClusterSource | undefined
  readonly pollSeconds: number
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error'
}

/** Names every setting that is wrong, at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const number = (least: number, most: number) => z.coerce.number().min(least).max(most)
const url = z.url({ protocol: /^https?$/u })

const CHECKS = {
  SEPTET_PORT: [number(0, 65_535).int(), 'a port number from 0 to 65535'],
  SEPTET_DEMO: [z.enum(['on', 'off']), 'on or off'],
  SEPTET_DEMO_SCALE: [z.enum(['small', 'large']), 'small or large'],
  SEPTET_DEMO_SEED: [number(0, 2 ** 31).int(), 'a whole number'],
  SEPTET_DEMO_SPEED: [number(1, 3600), 'a number from 1 to 3600'],
  SEPTET_POLL_SECONDS: [number(1, 300), 'a number of seconds from 1 to 300'],
  SEPTET_LOG: [z.enum(['debug', 'info', 'warn', 'error']), 'debug, info, warn or error'],
  DATABASE_URL: [z.union([z.literal(''), z.url({ protocol: /^postgres(ql)?$/u })]), 'a postgres:// URL'],
  SEPTET_PROMETHEUS_URL: [z.union([z.literal(''), url]), 'an http:// or https:// URL'],
} satisfies Partial<Record<SettingName, [z.ZodType, string]>>
const CHECKED = [
  'SEPTET_PORT',
  'SEPTET_DEMO',
  'SEPTET_DEMO_SCALE',
  'SEPTET_DEMO_SEED',
  'SEPTET_DEMO_SPEED',
  'SEPTET_POLL_SECONDS',
  'SEPTET_LOG',
  'DATABASE_URL',
  'SEPTET_PROMETHEUS_URL',
] as const satisfies readonly (keyof typeof CHECKS)[]

/** Reads the configuration. Throws one `ConfigError` that names every wrong setting. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>, workingDir: string): Config {
  const text = (name: SettingName): string => environment[name]?.trim() || SETTINGS[name].fallback
  const wrong = [...wrongValues(text), ...wrongCombinations(text), ...unknownNames(environment)]
  if (wrong.length > 0) throw new ConfigError(`Septet did not start. ${wrong.join(' ')}`)
  const dataDir = text('SEPTET_DATA_DIR')
  return {
    host: text('SEPTET_HOST'),
    port: Number(text('SEPTET_PORT')),
    dataDir: isAbsolute(dataDir) ? dataDir : resolve(workingDir, dataDir),
    databaseUrl: text('DATABASE_URL') || undefined,
    demo: demoOf(text),
    cluster: clusterOf(text),
    pollSeconds: Number(text('SEPTET_POLL_SECONDS')),
    logLevel: CHECKS.SEPTET_LOG[0].parse(text('SEPTET_LOG')),
  }
}

type Text = (name: SettingName) => string

function demoOf(text: Text): Config['demo'] {
  if (text('SEPTET_DEMO') === 'off') return undefined
  return {
    scale: CHECKS.SEPTET_DEMO_SCALE[0].parse(text('SEPTET_DEMO_SCALE')),
    seed: Number(text('SEPTET_DEMO_SEED')),
    speed: Number(text('SEPTET_DEMO_SPEED')),
  }
}

function clusterOf(text: Text): ClusterSource | undefined {
  const kubeconfig = text('SEPTET_KUBECONFIG')
  if (kubeconfig === '') return undefined
  const prometheusUrl = text('SEPTET_PROMETHEUS_URL')
  return {
    name: text('SEPTET_CLUSTER_NAME') || text('SEPTET_KUBE_CONTEXT') || 'cluster',
    kubeconfig,
    context: text('SEPTET_KUBE_CONTEXT') || undefined,
    operatorNamespace: text('SEPTET_OPERATOR_NAMESPACE'),
    prometheus:
      prometheusUrl === ''
        ? undefined
        : {
            url: prometheusUrl,
            token: text('SEPTET_PROMETHEUS_TOKEN') || undefined,
            tenant: text('SEPTET_PROMETHEUS_TENANT') || undefined,
          },
    exporterTargets: exporterTargets(text),
  }
}

const exporterTargets = (text: Text): string[] =>
  text('SEPTET_EXPORTER_TARGETS')
    .split(',')
    .map((target) => target.trim())
    .filter((target) => target !== '')

const wrongValues = (text: Text): string[] =>
  CHECKED.flatMap((name) => {
    const [schema, expected] = CHECKS[name]
    const value = text(name)
    return schema.safeParse(value).success ? [] : [`${name} is "${withoutPassword(value)}" but must be ${expected}.`]
  })

const withoutPassword = (address: string): string => address.replace(/\/\/[^@/]*@/u, '//(hidden)@')

function wrongCombinations(text: Text): string[] {
  const wrong = exporterTargets(text)
    .filter((target) => !url.safeParse(target).success)
    .map(
      (target) =>
        `SEPTET_EXPORTER_TARGETS holds "${withoutPassword(target)}", which is not an http:// or https:// URL.`,
    )
  for (const [name, needed, because] of COMPANIONS) {
    if (text(name) !== '' && text(needed) === '') wrong.push(`${name} is set without ${needed}: ${because}.`)
  }
  if (!isLoopback(text('SEPTET_HOST'))) {
    wrong.push(
      `SEPTET_HOST is "${text('SEPTET_HOST')}": until sign-in is set up Septet listens on loopback only (127.0.0.1, ::1, localhost). Put an authenticating proxy in front of it.`,
    )
  }
  return wrong
}

/** Alone, each of these would be silently ignored. */
const COMPANIONS = [
  ['SEPTET_KUBE_CONTEXT', 'SEPTET_KUBECONFIG', 'name the kubeconfig that the context is in'],
  ['SEPTET_CLUSTER_NAME', 'SEPTET_KUBECONFIG', 'name the cluster that is to be shown by that name'],
  ['SEPTET_PROMETHEUS_URL', 'SEPTET_KUBECONFIG', 'name the cluster whose metrics it holds'],
  ['SEPTET_EXPORTER_TARGETS', 'SEPTET_KUBECONFIG', 'name the cluster whose nodes they run on'],
  ['SEPTET_PROMETHEUS_TOKEN', 'SEPTET_PROMETHEUS_URL', 'name the address that it is for'],
  ['SEPTET_PROMETHEUS_TENANT', 'SEPTET_PROMETHEUS_URL', 'name the address that it is for'],
] as const satisfies readonly (readonly [SettingName, SettingName, string])[]

const isLoopback = (host: string): boolean => /^(127(\.\d{1,3}){3}|::1|localhost)$/u.test(host)

/** A misspelt setting would otherwise be silently ignored. */
const unknownNames = (environment: Readonly<Record<string, string | undefined>>): string[] =>
  Object.keys(environment)
    .filter((name) => name.startsWith('SEPTET_') && !name.startsWith('SEPTET_TEST_') && !(name in SETTINGS))
    .map((name) => `${name} is not a setting of Septet; see docs/configuration.md for the list.`)
