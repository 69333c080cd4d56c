import type { OutgoingHttpHeaders } from 'node:http'
import type { RequestOptions } from 'node:https'
import { isIPv6 } from 'node:net'
import { dirname, resolve } from 'node:path'
import type { Cluster, User } from '@kubernetes/client-node/dist/config_types.js'
import { openClusterSignIn } from './cluster-sign-in.ts'
import { ConnectError, sayError } from './connect-error.ts'
import { readHandedKubeconfig, type Chosen } from './handed-kubeconfig.ts'
import { readKubeconfig, withPluginInformation, type Kubeconfig } from './kubeconfig.ts'
import { checkTlsFiles } from './tls-files.ts'

/**
 * Where the credentials of a cluster are: a context of a kubeconfig file, the text of a kubeconfig that somebody handed
 * in, or the pod's own service account.
 */
export type ClusterAddress =
  | { readonly path: string; readonly context?: string | undefined }
  | ({ readonly text: string } & Chosen)
  | { readonly inCluster: true }

export type Credentials = {
  readonly server: URL
  /** Whether requests go through the proxy that the kubeconfig names. */
  readonly proxied: boolean
  /** Whether the server's certificate is not looked at, because the kubeconfig says so. */
  readonly unverified: boolean
  /** Headers, TLS options and, behind a proxy, the agent. Runs a credential plugin when its last answer has expired. */
  requestOptions(): Promise<Omit<RequestOptions, 'headers'> & { readonly headers: OutgoingHttpHeaders }>
}

/**
 * Reads the credentials again, so that a file that was put right or a token that was renewed is seen.
 * Throws a `ConnectError` with one sentence when they cannot be used.
 */
export function loadCredentials(address: ClusterAddress): Credentials {
  const { cluster, user, origin, folder } = clusterAndUser(address)
  const server = readServer(cluster, origin)
  checkTlsFiles(cluster, user, origin)
  if (server.protocol === 'http:') refuseSecretsInClear(server, user, origin)

  // The client refuses plain HTTP unless certificate checks are off; there is no certificate to check.
  const adapted = server.protocol === 'http:' ? { ...cluster, skipTLSVerify: true } : cluster
  const signIn = openClusterSignIn(adapted, withPluginInformation(user, folder))
  return {
    server,
    proxied: cluster.proxyUrl !== undefined,
    unverified: server.protocol === 'https:' && cluster.skipTLSVerify,
    async requestOptions() {
      const headers: OutgoingHttpHeaders = {}
      const options: RequestOptions & { headers: OutgoingHttpHeaders } = { headers }
      await within(PLUGIN_TIMEOUT, signIn(options)).catch((error: unknown) => {
        throw new ConnectError('credential-plugin-failed', sayPluginFailure(user, origin, error), { cause: error })
      })
      return { ...options, headers }
    },
  }
}

type ClusterAndUser = {
  readonly cluster: Cluster
  readonly user: User
  /** What it was read from, for messages. */
  readonly origin: string
  /** Commands with a slash are relative to it. */
  readonly folder: string
}

const PLUGIN_TIMEOUT = 60_000
const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount'
const TOKEN_FILE = `${SERVICE_ACCOUNT}/token`

function clusterAndUser(address: ClusterAddress): ClusterAndUser {
  if ('inCluster' in address) return fromServiceAccount()
  if ('text' in address) {
    const config = readHandedKubeconfig(address.text, address)
    return chosenFrom(config, { origin: 'kubeconfig that was handed in', context: undefined, folder: '/' })
  }
  const { path, context } = address
  return chosenFrom(readKubeconfig(path), { origin: `kubeconfig ${path}`, context, folder: dirname(resolve(path)) })
}

type Meant = { readonly origin: string; readonly context: string | undefined; readonly folder: string }

function chosenFrom(config: Kubeconfig, { origin, context: wanted, folder }: Meant): ClusterAndUser {
  const contexts = config.contexts.map((context) => context.name)
  const offered = contexts.length === 0 ? 'it has no contexts at all' : `it has: ${contexts.join(', ')}`
  const name = wanted ?? config.currentContext
  if (typeof name !== 'string' || name === '') {
    throw new ConnectError('context-missing', `The ${origin} names no current context; choose one (${offered}).`)
  }
  const context = config.contexts.find((known) => known.name === name)
  if (context === undefined) {
    throw new ConnectError('context-missing', `The ${origin} has no context "${name}"; ${offered}.`)
  }
  const cluster = config.clusters.find((known) => known.name === context.cluster)
  if (cluster === undefined) {
    throw missing(origin, name, `cluster "${context.cluster}"`)
  }
  const user = config.users.find((known) => known.name === context.user)
  if (user === undefined && typeof context.user === 'string') throw missing(origin, name, `user "${context.user}"`)
  return { cluster, user: user ?? { name: 'anonymous' }, origin, folder }
}

const missing = (origin: string, context: string, what: string): ConnectError =>
  new ConnectError(
    'kubeconfig-invalid',
    `The ${origin} is incomplete: context "${context}" refers to ${what}, which the file does not define.`,
  )

function fromServiceAccount(): ClusterAndUser {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = process.env
  if (host === undefined) {
    throw new ConnectError(
      'kubeconfig-missing',
      'This process does not run in a Kubernetes pod (KUBERNETES_SERVICE_HOST is not set); name a kubeconfig file instead.',
    )
  }
  const server = `https://${isIPv6(host) ? `[${host}]` : host}:${port}`
  const cluster = { name: 'in-cluster', server, caFile: `${SERVICE_ACCOUNT}/ca.crt`, skipTLSVerify: false }
  // The kubelet replaces the file's token within the hour.
  const user = { name: 'in-cluster', authProvider: { name: 'tokenFile', config: { tokenFile: TOKEN_FILE } } }
  return { cluster, user, origin: `service account of this pod (${TOKEN_FILE})`, folder: '/' }
}

function readServer(cluster: Cluster, origin: string): URL {
  const server = URL.parse(cluster.server)
  if (server === null || !['http:', 'https:'].includes(server.protocol)) {
    throw new ConnectError(
      'kubeconfig-invalid',
      `The ${origin} gives cluster "${cluster.name}" the server "${cluster.server}", which is no http or https address.`,
    )
  }
  return server
}

// As kubectl does: no secret travels over plain HTTP, except to this very machine.
function refuseSecretsInClear(server: URL, user: User, origin: string): void {
  const secret = [user.token, user.password, user.exec, user.authProvider].some((part: unknown) => Boolean(part))
  const loopback = ['localhost', '[::1]'].includes(server.hostname) || server.hostname.startsWith('127.')
  if (secret && !loopback) {
    throw new ConnectError(
      'credentials-in-clear',
      `The ${origin} would send credentials unencrypted to ${server.host}; use its https address.`,
    )
  }
}

function sayPluginFailure(user: User, origin: string, error: unknown): string {
  const command: unknown = user.exec?.command
  const subject =
    typeof command === 'string'
      ? `The credential plugin "${command}" of the ${origin}`
      : `The credentials of the ${origin}`
  const absent = error instanceof Error && 'code' in error && error.code === 'ENOENT' && typeof command === 'string'
  return absent ? `${subject} is not installed where this runs.` : `${subject} failed: ${sayError(error)}`
}

function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds / 1000} s`)), milliseconds)
  })
  return Promise.race([work, tooLong]).finally(() => clearTimeout(timer))
}
