import { PROMETHEUS_SECRETS, prometheusSource, type SettingStore } from '@septet/domain'
import { z } from 'zod'

import type { Secrets } from '@septet/auth'
import type { ClusterSource } from '../config.ts'
import { isRecord } from '../is-record.ts'
import type { PipelineSettings } from './pipeline-messages.ts'

const KEY = 'clusters'

/** Of a source of metrics what whoever sees the connection may read. */
const OPEN_WORDS = {
  prometheusUrl: z.string().optional(),
  prometheusTenant: z.string().optional(),
  prometheusMatchers: z.string().optional(),
  prometheusUser: z.string().optional(),
  prometheusAwsRegion: z.string().optional(),
  prometheusAwsKeyId: z.string().optional(),
  prometheusQueries: z.number().optional(),
  prometheusQuerySeconds: z.number().optional(),
}

const StoredSchema = z.object({
  id: z.string(),
  name: z.string(),
  addedAt: z.number(),
  addedBy: z.string(),
  /** Address of its API server; `in-cluster` where the pod says it, `agent/ID` where an agent reads it. */
  server: z.string(),
  signsInBy: z.string(),
  operatorNamespace: z.string(),
  ...OPEN_WORDS,
  prometheusSecrets: z.array(z.enum(PROMETHEUS_SECRETS)),
  exporterTargets: z.array(z.string()),
  /** By whom the cluster may be changed; left out: by nobody. */
  actor: z.object({ signsInBy: z.string(), namespace: z.string() }).optional(),
  /** Kubeconfigs and token, sealed for this id, base64. */
  sealed: z.string(),
})
/** A connection as it is kept: all of it but the credentials can be read. */
export type StoredConnection = z.infer<typeof StoredSchema>

const DocumentSchema = z.object({
  connections: z.array(z.preprocess(withSecretsNamed, StoredSchema)),
  /** Removed ones whose usage was left: the same cluster takes it up again, and no other may. */
  left: z.array(z.object({ id: z.string(), server: z.string() })).default([]),
})
export type ConnectionDocument = z.infer<typeof DocumentSchema>

/** What was kept before there were more secrets than two said of each whether it is there. */
function withSecretsNamed(kept: unknown): unknown {
  if (!isRecord(kept) || 'prometheusSecrets' in kept) return kept
  const said = [
    ...(kept['hasPrometheusToken'] === true ? ['prometheusToken'] : []),
    ...(kept['hasPrometheusCa'] === true ? ['prometheusCa'] : []),
  ]
  return { ...kept, prometheusSecrets: said }
}

const SealedSchema = z.object({
  kubeconfig: z.string(),
  prometheusToken: z.string().optional(),
  prometheusPassword: z.string().optional(),
  prometheusHeaders: z.string().optional(),
  prometheusAwsSecret: z.string().optional(),
  prometheusCa: z.string().optional(),
  prometheusCert: z.string().optional(),
  prometheusKey: z.string().optional(),
  actorKubeconfig: z.string().optional(),
  /** By what the signatures of its agent are told, base64. */
  agentKey: z.string().optional(),
})
export type StoredCredentials = z.infer<typeof SealedSchema>

/** By name, in the order of the schema. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of this very object
export const OPEN_NAMES = Object.keys(OPEN_WORDS) as readonly (keyof typeof OPEN_WORDS)[]

/** All connections that admins have added. Throws what the store throws. */
export async function readConnections(settings: SettingStore): Promise<ConnectionDocument> {
  return DocumentSchema.parse((await settings.get(KEY)) ?? { connections: [] })
}

export const writeConnections = (settings: SettingStore, document: ConnectionDocument): Promise<void> =>
  settings.put(KEY, document)

/** Seals what must not be read out of a copy of the database. */
export const sealCredentials = (secrets: Pick<Secrets, 'seal'>, id: string, credentials: StoredCredentials): string =>
  Buffer.from(secrets.seal(purposeOf(id), Buffer.from(JSON.stringify(credentials)))).toString('base64')

/** Throws when they were sealed with another secret. */
export function credentialsIn(
  secrets: Pick<Secrets, 'unseal'>,
  { id, sealed }: Pick<StoredConnection, 'id' | 'sealed'>,
): StoredCredentials {
  const opened = secrets.unseal(purposeOf(id), Buffer.from(sealed, 'base64'))
  return SealedSchema.parse(JSON.parse(Buffer.from(opened).toString('utf8')))
}

/** A connection with other credentials beside or instead of what it had. */
export const withCredentials = (
  secrets: Pick<Secrets, 'seal' | 'unseal'>,
  stored: StoredConnection,
  more: Partial<StoredCredentials>,
): StoredConnection => ({
  ...stored,
  sealed: sealCredentials(secrets, stored.id, { ...credentialsIn(secrets, stored), ...more }),
})

/** What a cluster is watched by. Throws when the credentials were sealed with another secret. */
export function connectionSource(opening: Opening, stored: StoredConnection): PipelineSettings['source'] {
  return isByAgent(stored) ? { kind: 'agent' } : { kind: 'cluster', cluster: clusterSourceOf(opening, stored) }
}

/** By what stored credentials are opened, and what they may run. */
export type Opening = { readonly secrets: Pick<Secrets, 'unseal'>; readonly plugins: readonly string[] }

function clusterSourceOf({ secrets, plugins }: Opening, stored: StoredConnection): ClusterSource {
  const credentials = credentialsIn(secrets, stored)
  const { kubeconfig, actorKubeconfig } = credentials
  const { name, operatorNamespace, exporterTargets, actor } = stored
  return {
    name,
    kubeconfig: kubeconfig === IN_CLUSTER ? IN_CLUSTER : { text: kubeconfig, plugins },
    context: undefined,
    operatorNamespace,
    prometheus: prometheusSource({ ...stored, ...credentials }),
    exporterTargets,
    actor:
      actor === undefined || actorKubeconfig === undefined
        ? undefined
        : { kubeconfig: { text: actorKubeconfig, plugins }, context: undefined, namespace: actor.namespace },
  }
}

/** Whether an agent inside the cluster reads it. */
export const isByAgent = ({ server }: Pick<StoredConnection, 'server'>): boolean => server.startsWith('agent/')
/** Stands for an address where there is none. */
export const agentServer = (id: string): string => `agent/${id}`

/** Stands for the service account of Septet's own pod. */
export const IN_CLUSTER = 'in-cluster'

const purposeOf = (id: string): string => `cluster/${id}`
