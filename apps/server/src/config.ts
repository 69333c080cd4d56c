import { isAbsolute, resolve } from 'node:path'

import {
  areLabelMatchers,
  LABEL_MATCHERS_WORDS,
  prometheusSource,
  prometheusWords,
  wrongPrometheusWords,
  type PrometheusSource,
} from '@septet/domain'
import { z } from 'zod'

import { authConfigOf, wrongAuthSettings } from './auth-settings.ts'
import type { AuthConfig } from '@septet/auth'
import { copilotOf, wrongCopilotSettings, type CopilotConfig } from './copilot-settings.ts'
import type { Pace } from './pace.ts'
import { listOf, SETTINGS, settingText, withoutPassword, type SettingName, type Text } from './settings.ts'

export type ClusterSource = {
  readonly name: string
  /** Path of a file, `in-cluster`, or what a kubeconfig says. */
  readonly kubeconfig: string | HandedKubeconfig
  readonly context: string | undefined
  readonly operatorNamespace: string
  readonly prometheus: PrometheusSource | undefined
  readonly exporterTargets: readonly string[]
  /** By whom it may be changed; undefined: by nobody. */
  readonly actor: ActorSource | undefined
}
/** What a kubeconfig says that somebody handed in, and the credential plugins that it may run here. */
type HandedKubeconfig = { readonly text: string; readonly plugins?: readonly string[] }
/** Credentials of the actor, and where it keeps its Lease in the cluster. */
export type ActorSource = {
  /** Path of a file, or what a kubeconfig says. */
  readonly kubeconfig: string | HandedKubeconfig
  readonly context: string | undefined
  readonly namespace: string
}

export type AdmissionConfig = {
  readonly port: number
  /** Undefined: the certificate is Septet's own. */
  readonly certDir: string | undefined
  readonly names: readonly string[]
}

export type Config = {
  readonly host: string
  readonly port: number
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  /** Whether this process watches clusters, or answers from what another one keeps in the same store. */
  readonly role: 'all' | 'answer'
  /** Whether each pipeline is a thread of this process or a process of its own. */
  readonly pipelines: 'thread' | 'process'
  readonly demo: { scale: 'small' | 'large'; seed: number; speed: number } | undefined
  readonly cluster: ClusterSource | undefined
  /** Programs that a kubeconfig from Settings may sign in by. */
  readonly credentialPlugins: readonly string[]
  readonly pace: Pace
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error'
  /** Whether webhooks may go to this very machine. */
  readonly webhookLoopback: boolean
  /** Where the API server asks about new pods; undefined: nowhere. */
  readonly admission: AdmissionConfig | undefined
  readonly auth: AuthConfig
  /** The language model of the co-pilot; undefined: rules answer. */
  readonly copilot: CopilotConfig | undefined
}

/** Names every setting that is wrong, at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const number = (least: number, most: number) => z.coerce.number().min(least).max(most)
const url = z.url({ protocol: /^https?$/u })

/** Those that the connectors know what to run with. */
const CREDENTIAL_PLUGINS = new Set(['aws', 'gke-gcloud-auth-plugin', 'kubelogin'])

const CHECKS = {
  SEPTET_ROLE: [z.enum(['all', 'answer']), 'all or answer'],
  SEPTET_PIPELINES: [z.enum(['thread', 'process']), 'thread or process'],
  SEPTET_PORT: [number(0, 65_535).int(), 'a port number from 0 to 65535'],
  SEPTET_DEMO: [z.enum(['on', 'off']), 'on or off'],
  SEPTET_DEMO_SCALE: [z.enum(['small', 'large']), 'small or large'],
  SEPTET_DEMO_SEED: [number(0, 2 ** 31).int(), 'a whole number'],
  SEPTET_DEMO_SPEED: [number(1, 3600), 'a number from 1 to 3600'],
  SEPTET_POLL_SECONDS: [number(1, 300), 'a number of seconds from 1 to 300'],
  SEPTET_STORE_SECONDS: [number(1, 300), 'a number of seconds from 1 to 300'],
  SEPTET_RECOMMEND_SECONDS: [number(1, 3600), 'a number of seconds from 1 to 3600'],
  SEPTET_HISTORY_DAYS: [number(8, 400).int(), 'a whole number of days from 8 to 400'],
  SEPTET_WEBHOOK_LOOPBACK: [z.enum(['on', 'off']), 'on or off'],
  SEPTET_LOG: [z.enum(['debug', 'info', 'warn', 'error']), 'debug, info, warn or error'],
  DATABASE_URL: [z.union([z.literal(''), z.url({ protocol: /^postgres(ql)?$/u })]), 'a postgres:// URL'],
  SEPTET_PROMETHEUS_URL: [z.union([z.literal(''), url]), 'an http:// or https:// URL'],
  SEPTET_PROMETHEUS_MATCHERS: [
    z.string().refine((text) => text === '' || areLabelMatchers(text)),
    LABEL_MATCHERS_WORDS,
  ],
  SEPTET_PROMETHEUS_QUERIES: [z.union([z.literal(''), number(1, 100).int()]), 'a whole number from 1 to 100'],
  SEPTET_PROMETHEUS_SECONDS: [z.union([z.literal(''), number(1, 3000).int()]), 'a whole number from 1 to 3000'],
  SEPTET_CREDENTIAL_PLUGINS: [
    z.string().refine((text) => listOf(text).every((name) => CREDENTIAL_PLUGINS.has(name))),
    'a list of aws, gke-gcloud-auth-plugin and kubelogin',
  ],
  SEPTET_ADMISSION_PORT: [z.union([z.literal(''), number(0, 65_535).int()]), 'a port number from 0 to 65535'],
} satisfies Partial<Record<SettingName, [z.ZodType, string]>>
const CHECKED = [
  'SEPTET_ROLE',
  'SEPTET_PIPELINES',
  'SEPTET_PORT',
  'SEPTET_DEMO',
  'SEPTET_DEMO_SCALE',
  'SEPTET_DEMO_SEED',
  'SEPTET_DEMO_SPEED',
  'SEPTET_POLL_SECONDS',
  'SEPTET_STORE_SECONDS',
  'SEPTET_RECOMMEND_SECONDS',
  'SEPTET_HISTORY_DAYS',
  'SEPTET_WEBHOOK_LOOPBACK',
  'SEPTET_LOG',
  'DATABASE_URL',
  'SEPTET_PROMETHEUS_URL',
  'SEPTET_PROMETHEUS_MATCHERS',
  'SEPTET_PROMETHEUS_QUERIES',
  'SEPTET_PROMETHEUS_SECONDS',
  'SEPTET_ADMISSION_PORT',
  'SEPTET_CREDENTIAL_PLUGINS',
] as const satisfies readonly (keyof typeof CHECKS)[]

/** Reads the configuration, the only place that looks at the environment. Throws one `ConfigError` that names every wrong setting. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>, workingDir: string): Config {
  const text = settingText(environment)
  const wrong = [
    ...wrongValues(text),
    ...wrongCombinations(text),
    ...wrongAuthSettings(text),
    ...wrongCopilotSettings(text),
    ...unknownNames(environment),
  ]
  if (wrong.length > 0) throw new ConfigError(`Septet did not start. ${wrong.join(' ')}`)
  const dataDir = text('SEPTET_DATA_DIR')
  return {
    host: text('SEPTET_HOST'),
    port: Number(text('SEPTET_PORT')),
    dataDir: isAbsolute(dataDir) ? dataDir : resolve(workingDir, dataDir),
    databaseUrl: text('DATABASE_URL') || undefined,
    role: CHECKS.SEPTET_ROLE[0].parse(text('SEPTET_ROLE')),
    pipelines: CHECKS.SEPTET_PIPELINES[0].parse(text('SEPTET_PIPELINES')),
    demo: demoOf(text),
    cluster: clusterOf(text),
    credentialPlugins: listOf(text('SEPTET_CREDENTIAL_PLUGINS')),
    pace: paceOf(text),
    logLevel: CHECKS.SEPTET_LOG[0].parse(text('SEPTET_LOG')),
    webhookLoopback: text('SEPTET_WEBHOOK_LOOPBACK') === 'on',
    admission: admissionOf(text, workingDir),
    auth: authConfigOf(text, workingDir),
    copilot: copilotOf(text, workingDir),
  }
}

function demoOf(text: Text): Config['demo'] {
  if (text('SEPTET_DEMO') === 'off' || text('SEPTET_ROLE') === 'answer') return undefined
  return {
    scale: CHECKS.SEPTET_DEMO_SCALE[0].parse(text('SEPTET_DEMO_SCALE')),
    seed: Number(text('SEPTET_DEMO_SEED')),
    speed: Number(text('SEPTET_DEMO_SPEED')),
  }
}

const paceOf = (text: Text): Pace => ({
  pollSeconds: Number(text('SEPTET_POLL_SECONDS')),
  storeSeconds: Number(text('SEPTET_STORE_SECONDS')),
  recommendSeconds: Number(text('SEPTET_RECOMMEND_SECONDS')),
  historyDays: Number(text('SEPTET_HISTORY_DAYS')),
})

function clusterOf(text: Text): ClusterSource | undefined {
  const kubeconfig = text('SEPTET_KUBECONFIG')
  if (kubeconfig === '') return undefined
  const watches = isWatching(text)
  return {
    name: text('SEPTET_CLUSTER_NAME') || text('SEPTET_KUBE_CONTEXT') || 'cluster',
    kubeconfig,
    context: text('SEPTET_KUBE_CONTEXT') || undefined,
    operatorNamespace: text('SEPTET_OPERATOR_NAMESPACE'),
    prometheus: watches ? prometheusSource(wordsOf(text)) : undefined,
    exporterTargets: watches ? listOf(text('SEPTET_EXPORTER_TARGETS')) : [],
    actor: watches ? actorOf(text) : undefined,
  }
}

const wordsOf = (text: Text) => prometheusWords((name) => text(`SEPTET_PROMETHEUS_${name}`))

function admissionOf(text: Text, workingDir: string): AdmissionConfig | undefined {
  const port = text('SEPTET_ADMISSION_PORT')
  if (port === '') return undefined
  const certDir = text('SEPTET_ADMISSION_CERT_DIR')
  return {
    port: Number(port),
    certDir: certDir === '' ? undefined : resolve(workingDir, certDir),
    names: listOf(text('SEPTET_ADMISSION_NAMES')),
  }
}

function actorOf(text: Text): ActorSource | undefined {
  const kubeconfig = text('SEPTET_ACTOR_KUBECONFIG')
  if (kubeconfig === '') return undefined
  const context = text('SEPTET_ACTOR_CONTEXT') || undefined
  return { kubeconfig, context, namespace: text('SEPTET_NAMESPACE') }
}

const wrongValues = (text: Text): string[] =>
  CHECKED.flatMap((name) => {
    const [schema, expected] = CHECKS[name]
    const value = text(name)
    return schema.safeParse(value).success ? [] : [`${name} is "${withoutPassword(value)}" but must be ${expected}.`]
  })

function wrongCombinations(text: Text): string[] {
  const wrong = listOf(text('SEPTET_EXPORTER_TARGETS'))
    .filter((target) => !url.safeParse(target).success)
    .map(
      (target) =>
        `SEPTET_EXPORTER_TARGETS holds "${withoutPassword(target)}", which is not an http:// or https:// URL.`,
    )
  const engine = isWatching(text) ? wrongPrometheusWords(wordsOf(text)) : undefined
  if (engine !== undefined) wrong.push(`The SEPTET_PROMETHEUS_ settings do not go together. ${engine}`)
  return [...wrong, ...wrongRole(text), ...wrongCompanions(text)]
}

const isWatching = (text: Text): boolean => text('SEPTET_ROLE') !== 'answer'

function wrongRole(text: Text): string[] {
  if (isWatching(text)) return []
  const wrong: string[] = []
  if (text('DATABASE_URL') === '')
    wrong.push('SEPTET_ROLE is answer without DATABASE_URL: name the store of the Septet that watches the clusters.')
  // To ask whose the token of a service account is, and for nothing else.
  if (text('SEPTET_KUBECONFIG') !== '' && !text.given('SEPTET_SERVICE_ACCOUNTS'))
    wrong.push('SEPTET_ROLE is answer with SEPTET_KUBECONFIG: the Septet that watches the cluster is to have it.')
  return wrong
}

/** Who only answers may be given the Secret of the one that watches, and asks neither metrics engines nor exporters. */
const wrongCompanions = (text: Text): string[] =>
  COMPANIONS.filter(([name]) => isWatching(text) || !/^SEPTET_(PROMETHEUS|EXPORTER)_/u.test(name))
    .filter(([name, needed]) => text(name) !== '' && text(needed) === '')
    .map(([name, needed, because]) => `${name} is set without ${needed}: ${because}.`)

/** Alone, each of these would be silently ignored. */
const COMPANIONS = [
  ['SEPTET_KUBE_CONTEXT', 'SEPTET_KUBECONFIG', 'name the kubeconfig that the context is in'],
  ['SEPTET_ACTOR_KUBECONFIG', 'SEPTET_KUBECONFIG', 'name the cluster that it may change'],
  ['SEPTET_ACTOR_CONTEXT', 'SEPTET_ACTOR_KUBECONFIG', 'name the kubeconfig that the context is in'],
  ['SEPTET_CLUSTER_NAME', 'SEPTET_KUBECONFIG', 'name the cluster that is to be shown by that name'],
  ['SEPTET_PROMETHEUS_URL', 'SEPTET_KUBECONFIG', 'name the cluster whose metrics it holds'],
  ['SEPTET_EXPORTER_TARGETS', 'SEPTET_KUBECONFIG', 'name the cluster whose nodes they run on'],
  ['SEPTET_PROMETHEUS_TOKEN', 'SEPTET_PROMETHEUS_URL', 'name the address that it is for'],
  ['SEPTET_PROMETHEUS_TENANT', 'SEPTET_PROMETHEUS_URL', 'name the address that it is for'],
  ['SEPTET_PROMETHEUS_MATCHERS', 'SEPTET_PROMETHEUS_URL', 'name the address whose series they choose'],
  ['SEPTET_PROMETHEUS_USER', 'SEPTET_PROMETHEUS_URL', 'name the address that it is for'],
  ['SEPTET_PROMETHEUS_HEADERS', 'SEPTET_PROMETHEUS_URL', 'name the address that they are for'],
  ['SEPTET_PROMETHEUS_AWS_KEY_ID', 'SEPTET_PROMETHEUS_URL', 'name the address that it is for'],
  ['SEPTET_PROMETHEUS_CA', 'SEPTET_PROMETHEUS_URL', 'name the address that it is for'],
  ['SEPTET_PROMETHEUS_CERT', 'SEPTET_PROMETHEUS_URL', 'name the address that it is for'],
  ['SEPTET_PROMETHEUS_QUERIES', 'SEPTET_PROMETHEUS_URL', 'name the address that it limits'],
  ['SEPTET_PROMETHEUS_SECONDS', 'SEPTET_PROMETHEUS_URL', 'name the address that it limits'],
  ['SEPTET_PROMETHEUS_PASSWORD', 'SEPTET_PROMETHEUS_USER', 'name the user whose password it is'],
  ['SEPTET_SUPABASE_ANON_KEY', 'SEPTET_SUPABASE_URL', 'name the project that it is for'],
  ['SEPTET_SUPABASE_JWT_SECRET', 'SEPTET_SUPABASE_URL', 'name the project that it is for'],
  ['SEPTET_ADMISSION_CERT_DIR', 'SEPTET_ADMISSION_PORT', 'set the port that it is for'],
  ['SEPTET_MCP_GROUPS', 'SEPTET_MCP_ISSUER', 'name the server that puts people in groups'],
  ['SEPTET_SSO_CLIENT_ID', 'SEPTET_SSO_ISSUER', 'name the provider that calls Septet so'],
  ['SEPTET_SSO_CLIENT_SECRET_FILE', 'SEPTET_SSO_ISSUER', 'name the provider that it is for'],
  ['SEPTET_COPILOT_MODEL', 'SEPTET_COPILOT_URL', 'name the address where it is asked'],
  ['SEPTET_COPILOT_KEY', 'SEPTET_COPILOT_URL', 'name the address that it is for'],
  ['SEPTET_COPILOT_KEY_FILE', 'SEPTET_COPILOT_URL', 'name the address that it is for'],
  ['SEPTET_MAIL_FROM', 'SEPTET_SMTP_URL', 'name the server that is to send'],
] as const satisfies readonly (readonly [SettingName, SettingName, string])[]

/** A misspelt setting would otherwise be silently ignored. */
const unknownNames = (environment: Readonly<Record<string, string | undefined>>): string[] =>
  Object.keys(environment)
    .filter((name) => name.startsWith('SEPTET_') && !name.startsWith('SEPTET_TEST_') && !(name in SETTINGS))
    .map((name) => `${name} is not a setting of Septet; see docs/configuration.md for the list.`)
