import { readFileSync } from 'node:fs'
import type { Secrets } from '@septet/auth'
import type { Log, Store } from '@septet/domain'
import { AdmissionRecords } from '../admission/admission-records.ts'
import { ownCertificates, mountedCertificates, watchCertificates } from '../admission/certificates.ts'
import { ToldClusters } from '../admission/told-clusters.ts'
import { webhookToken } from '../admission/webhook-token.ts'
import type { AdmissionConfig } from '../config.ts'
import type { Facts } from '../facts.ts'
import type { AdmissionFace } from '../operations/actions/admission-answers.ts'
import type { ServerLoop } from '../repeat.ts'
import type { StoreAddress } from './open-store.ts'
import {
  openAdmissionThread,
  superviseAdmission,
  type AdmissionThread,
  type SupervisedAdmission,
} from './supervise-admission.ts'

export type AdmissionParts = {
  readonly config: AdmissionConfig & { readonly host: string }
  readonly store: Pick<Store, 'settings' | 'admissions'>
  /** The same store, which the thread opens for itself. */
  readonly storeAddress: StoreAddress
  readonly facts: Facts
  readonly secrets: Pick<Secrets, 'seal' | 'unseal' | 'key'>
  readonly log: Log
  readonly now: () => number
  readonly openThread?: () => AdmissionThread
}

export type Admission = AdmissionFace & {
  readonly port: number
  loops(): readonly ServerLoop[]
  stop(): Promise<void>
}

const MANIFEST = new URL('../../../../deploy/admission.yaml', import.meta.url)

/** How often it is looked whether clusters came, went, or were read again. */
const LOOK_MS = 250
/** As `keyedHash` derives it: addresses that were given out long ago stay. */
const TOKEN_KEY = 'hash/admission'

/**
 * Answers the API servers of all clusters about new pods, in a thread of its own. Throws where it cannot listen or has no
 * certificate.
 */
export async function openAdmission(parts: AdmissionParts): Promise<Admission> {
  const { config, store, facts, secrets, log, now } = parts
  const { certDir, names, host } = config
  const tokenKey = secrets.key(TOKEN_KEY)
  const told = new ToldClusters(facts)
  const records = new AdmissionRecords({
    store: store.admissions,
    log,
    now,
    settled: (cluster) => thread.tell({ kind: 'settled', cluster, settled: records.changes(cluster).settled }),
  })
  const certificates = await watchCertificates({
    source:
      certDir === undefined
        ? ownCertificates({ settings: store.settings, secrets, names, now })
        : mountedCertificates(certDir),
    renewed: ({ certificate, key }) => thread.tell({ kind: 'serve', served: { certificate, key } }),
    log,
  })
  const thread: SupervisedAdmission = await superviseAdmission({
    openThread: parts.openThread ?? openAdmissionThread,
    settings: (port = config.port) => {
      const { certificate, key } = certificates.current()
      const served = { certificate, key }
      return { host, port, store: parts.storeAddress, served, tokenKey, clusters: told.all(records.changes) }
    },
    heard: (message) => {
      if (message.kind === 'record') records.add(message.cluster, message.record)
      else log[message.level](message.message, message.fields)
    },
    log,
    now,
  })
  const looking = setInterval(() => {
    for (const news of told.news()) thread.tell(news)
  }, LOOK_MS).unref()
  return {
    port: thread.port,
    setup: (cluster) => {
      const path = `/admission/${encodeURIComponent(cluster)}/${webhookToken(tokenKey, cluster)}`
      const { caBundle } = certificates.current()
      return { path, caBundle, manifest: manifestOf(path, caBundle) }
    },
    unrecorded: records.unrecorded,
    interruption: () => thread.interruption(),
    loops: () => [records.loop()],
    stop: async () => {
      clearInterval(looking)
      certificates.stop()
      await thread.stop()
      await records.stop()
    },
  }
}

/** What is deployed, as text: anchors of YAML and all. */
function manifestOf(path: string, caBundle: string | undefined): string {
  const filled = readFileSync(MANIFEST, 'utf8').replaceAll(/(?<=path: )PATH(?=\/)/gu, path)
  return caBundle === undefined
    ? filled
    : filled.replaceAll(/(?<=caBundle: )CA_BUNDLE$/gmu, Buffer.from(caBundle).toString('base64'))
}
