import type { SettingStore } from '@septet/domain'
import { z } from 'zod'

import type { Secrets } from '@septet/auth'
import type { ClusterSource } from '../config.ts'

const KEY = 'clusters'

const StoredSchema = z.object({
  id: z.string(),
  name: z.string(),
  addedAt: z.number(),
  addedBy: z.string(),
  /** Address of its API server; `in-cluster` where the pod says it. */
  server: z.string(),
  signsInBy: z.string(),
  operatorNamespace: z.string(),
  prometheusUrl: z.string().optional(),
  prometheusTenant: z.string().optional(),
  hasPrometheusToken: z.boolean(),
  exporterTargets: z.array(z.string()),
  /** By whom the cluster may be changed; left out: by nobody. */
  actor: z.object({ signsInBy: z.string(), namespace: z.string() }).optional(),
  /** Kubeconfigs and token, sealed for this id, base64. */
  sealed: z.string(),
})
/** A connection as it is kept: all of it but the credentials can be read. */
export type StoredConnection = z.infer<typeof StoredSchema>

const DocumentSchema = z.object({
  connections: z.array(StoredSchema),
  /** Removed ones whose usage was left: the same cluster takes it up again, and no other may. */
  left: z.array(z.object({ id: z.string(), server: z.string() })).default([]),
})
export type ConnectionDocument = z.infer<typeof DocumentSchema>

const SealedSchema = z.object({
  kubeconfig: z.string(),
  prometheusToken: z.string().optional(),
  actorKubeconfig: z.string().optional(),
})
type Credentials = z.infer<typeof SealedSchema>

/** All connections that admins have added. Throws what the store throws. */
export async function readConnections(settings: SettingStore): Promise<ConnectionDocument> {
  return DocumentSchema.parse((await settings.get(KEY)) ?? { connections: [] })
}

export const writeConnections = (settings: SettingStore, document: ConnectionDocument): Promise<void> =>
  settings.put(KEY, document)

/** Seals what must not be read out of a copy of the database. */
export const sealCredentials = (secrets: Pick<Secrets, 'seal'>, id: string, credentials: Credentials): string =>
  Buffer.from(secrets.seal(purposeOf(id), Buffer.from(JSON.stringify(credentials)))).toString('base64')

/** Throws when they were sealed with another secret. */
export function credentialsIn(
  secrets: Pick<Secrets, 'unseal'>,
  { id, sealed }: Pick<StoredConnection, 'id' | 'sealed'>,
): Credentials {
  const opened = secrets.unseal(purposeOf(id), Buffer.from(sealed, 'base64'))
  return SealedSchema.parse(JSON.parse(Buffer.from(opened).toString('utf8')))
}

/** What a cluster is watched by. Throws when the credentials were sealed with another secret. */
export function sourceOf(secrets: Pick<Secrets, 'unseal'>, stored: StoredConnection): ClusterSource {
  const { kubeconfig, prometheusToken, actorKubeconfig } = credentialsIn(secrets, stored)
  const { name, operatorNamespace, prometheusUrl, prometheusTenant, exporterTargets, actor } = stored
  return {
    name,
    kubeconfig: kubeconfig === IN_CLUSTER ? IN_CLUSTER : { text: kubeconfig },
    context: undefined,
    operatorNamespace,
    prometheus:
      prometheusUrl === undefined
        ? undefined
        : { url: prometheusUrl, token: prometheusToken, tenant: prometheusTenant },
    exporterTargets,
    actor:
      actor === undefined || actorKubeconfig === undefined
        ? undefined
        : { kubeconfig: { text: actorKubeconfig }, context: undefined, namespace: actor.namespace },
  }
}

/** Stands for the service account of Septet's own pod. */
export const IN_CLUSTER = 'in-cluster'

const purposeOf = (id: string): string => `cluster/${id}`
