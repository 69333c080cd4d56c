import { isAbsolute, resolve } from 'node:path'

import { prometheusSource, prometheusWords, wrongPrometheusWords, type PrometheusSource } from '@septet/domain'

import { authConfigOf, wrongAuthSettings } from './auth-settings.ts'
import type { AuthConfig } from '@septet/auth'
import { copilotOf, wrongCopilotSettings, type CopilotConfig } from './copilot-settings.ts'
import type { Pace } from './pace.ts'
import { DEMO_SCALE, HTTP_URL, listOf, withoutPassword, LOG_LEVEL, PIPELINES, ROLE } from './setting-values.ts'
import { isSettingName, settingText, wrongSettings, type Text } from './settings.ts'

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
  readonly demo: { scale: 'small' | 'large' | 'huge'; seed: number; speed: number } | undefined
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
  /** The language model of the co-pilot; undefined: only fixed questions are answered. */
  readonly copilot: CopilotConfig | undefined
}

/** Names every setting that is wrong, at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Reads the configuration, the only place that looks at the environment. Throws one `ConfigError` that names every wrong setting. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>, workingDir: string): Config {
  const text = settingText(environment)
  const wrong = [
    ...wrongSettings(text),
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
    role: ROLE.schema.parse(text('SEPTET_ROLE')),
    pipelines: PIPELINES.schema.parse(text('SEPTET_PIPELINES')),
    demo: demoOf(text),
    cluster: clusterOf(text),
    credentialPlugins: listOf(text('SEPTET_CREDENTIAL_PLUGINS')),
    pace: paceOf(text),
    logLevel: LOG_LEVEL.schema.parse(text('SEPTET_LOG')),
    webhookLoopback: text('SEPTET_WEBHOOK_LOOPBACK') === 'on',
    admission: admissionOf(text, workingDir),
    auth: authConfigOf(text, workingDir),
    copilot: copilotOf(text, workingDir),
  }
}

function demoOf(text: Text): Config['demo'] {
  if (text('SEPTET_DEMO') === 'off' || text('SEPTET_ROLE') === 'answer') return undefined
  return {
    scale: DEMO_SCALE.schema.parse(text('SEPTET_DEMO_SCALE')),
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

function wrongCombinations(text: Text): string[] {
  const wrong = listOf(text('SEPTET_EXPORTER_TARGETS'))
    .filter((target) => !HTTP_URL.schema.safeParse(target).success)
    .map(
      (target) =>
        `SEPTET_EXPORTER_TARGETS holds "${withoutPassword(target)}", which is not an http:// or https:// URL.`,
    )
  const engine = isWatching(text) ? wrongPrometheusWords(wordsOf(text)) : undefined
  if (engine !== undefined) wrong.push(`The SEPTET_PROMETHEUS_ settings do not go together. ${engine}`)
  return [...wrong, ...wrongRole(text)]
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

/** A misspelt setting would otherwise be silently ignored. */
const unknownNames = (environment: Readonly<Record<string, string | undefined>>): string[] =>
  Object.keys(environment)
    .filter((name) => name.startsWith('SEPTET_') && !name.startsWith('SEPTET_TEST_') && !isSettingName(name))
    .map((name) => `${name} is not a setting of Septet; see docs/configuration.md for the list.`)
