import { readFileSync } from 'node:fs'

import { sameText, type Secrets } from '@septet/auth'
import { readAdmissionReview } from '@septet/connectors'
import type { Log, Store } from '@septet/domain'

import { listenForReviews } from '../admission/admission-listener.ts'
import { AdmissionRecords } from '../admission/admission-records.ts'
import { ReviewAnswers } from '../admission/answer-review.ts'
import { mountedCertificates } from '../admission/mounted-certificates.ts'
import { ownCertificates } from '../admission/own-certificates.ts'
import { Permissions } from '../admission/permissions.ts'
import type { AdmissionConfig } from '../config.ts'
import type { Facts } from '../facts.ts'
import type { AdmissionFace } from '../operations/actions/admission-answers.ts'

export type AdmissionParts = {
  readonly config: AdmissionConfig & { readonly host: string }
  readonly store: Pick<Store, 'settings' | 'actions' | 'admissions'>
  readonly facts: Facts
  readonly secrets: Pick<Secrets, 'seal' | 'unseal' | 'keyedHash'>
  readonly log: Log
  readonly now: () => number
}

export type Admission = AdmissionFace & {
  readonly port: number
  stop(): Promise<void>
}

const MANIFEST = new URL('../../../../deploy/admission.yaml', import.meta.url)

/** Answers the API servers of all clusters about new pods. Throws where it cannot listen or has no certificate. */
export async function openAdmission({ config, store, facts, secrets, log, now }: AdmissionParts): Promise<Admission> {
  const clusters = () => facts.clusters().map(({ record }) => record)
  const records = new AdmissionRecords({ store: store.admissions, log, now })
  const permissions = new Permissions({ store, clusters, records, log, now })
  const reviews = new ReviewAnswers({
    read: readAdmissionReview,
    viewOf: (cluster) =>
      facts
        .clusters()
        .find(({ record }) => record.id === cluster)
        ?.admission(),
    permissionOf: (cluster) => permissions.of(cluster),
    record: (cluster, record) => records.add(cluster, record),
    log,
    now,
    clock: () => performance.now(),
  })
  const tokenOf = (cluster: string): string => secrets.keyedHash('admission', cluster)
  const { certDir, names } = config
  await permissions.start()
  const listener = await listenForReviews({
    host: config.host,
    port: config.port,
    certificates:
      certDir === undefined
        ? ownCertificates({ settings: store.settings, secrets, names, now })
        : mountedCertificates(certDir),
    reviews,
    isGiven: (cluster, token) => sameText(token, tokenOf(cluster)),
    log,
    clock: () => performance.now(),
  })
  return {
    port: listener.port,
    setup: (cluster) => {
      const path = `/admission/${encodeURIComponent(cluster)}/${tokenOf(cluster)}`
      const caBundle = listener.caBundle()
      return { path, caBundle, manifest: manifestOf(path, caBundle) }
    },
    unrecorded: records.unrecorded,
    stop: async () => {
      await listener.stop()
      await permissions.stop()
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
