import { readFileSync } from 'node:fs'
import type { OutgoingHttpHeaders } from 'node:http'
import type { RequestOptions } from 'node:https'
import type { KubeConfig } from '@kubernetes/client-node'
import type { Cluster, User } from '@kubernetes/client-node/dist/config_types.js'
import { FileAuth } from '@kubernetes/client-node/dist/file_auth.js'
import { pemOf } from './tls-files.ts'

/** Adds to a request what proves who asks, and whom it trusts. Rejects when a plugin or a file does not answer. */
export type ClusterSignIn = (options: RequestOptions & { headers: OutgoingHttpHeaders }) => Promise<void>

/**
 * What a kubeconfig says outright is set here: authority, client certificate, password, token, token file. Plugins,
 * providers and proxies are the client library's, which is loaded for them alone: it brings a client for every resource of
 * Kubernetes along, 90 MiB in each thread.
 */
export function openClusterSignIn(cluster: Cluster, user: User): ClusterSignIn {
  const tokenFile = new FileAuth()
  const isTokenFile = user.authProvider?.config?.tokenFile !== undefined
  const needsLibrary = [user.exec, isTokenFile ? undefined : user.authProvider, cluster.proxyUrl].some(Boolean)
  if (needsLibrary) return byLibrary(cluster, user)
  return async (options) => {
    setTls(options, cluster, user)
    if (isText(user.impersonateUser)) options.headers['Impersonate-User'] = user.impersonateUser
    if (isText(user.username)) options.auth = `${user.username}:${user.password}`
    if (isTokenFile) await tokenFile.applyAuthentication(user, options)
    if (isText(user.token)) options.headers['Authorization'] = `Bearer ${user.token}`
  }
}

/** Files are read each time: whoever renews a certificate writes it again. */
function setTls(options: RequestOptions, cluster: Cluster, user: User): void {
  if (cluster.skipTLSVerify) options.rejectUnauthorized = false
  if (isText(cluster.tlsServerName)) options.servername = cluster.tlsServerName
  const [ca, cert, key] = [
    pemOf(cluster.caFile, cluster.caData, readFileSync),
    pemOf(user.certFile, user.certData, readFileSync),
    pemOf(user.keyFile, user.keyData, readFileSync),
  ]
  Object.assign(options, { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) })
}

/** What the file does not say is null or undefined, whatever the library's types tell. */
const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

function byLibrary(cluster: Cluster, user: User): ClusterSignIn {
  let loaded: Promise<KubeConfig> | undefined
  const load = async (): Promise<KubeConfig> => {
    const { KubeConfig } = await import('@kubernetes/client-node')
    const config = new KubeConfig()
    config.loadFromClusterAndUser(cluster, user)
    return config
  }
  return async (options) => {
    await (await (loaded ??= load())).applyToHTTPSOptions(options)
    // The agent it makes keeps the first client certificate for ever and no connection alive; only a proxy needs it.
    if (cluster.proxyUrl === undefined) delete options.agent
  }
}
