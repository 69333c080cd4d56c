import type { Store } from '@septet/domain'

import { describeInstallation, type Installation } from './about.ts'
import type { Answering } from '../answering/answering.ts'
import type { ClusterService } from '../clusters/cluster-service.ts'
import { connectionAnswers } from '../clusters/connection-answers.ts'
import { getPolicies, putPolicies } from './policies.ts'
import { previewTenants } from './tenant-preview.ts'
import { getRetention, putRetention } from './retention.ts'

type Needs = {
  readonly clusters: ClusterService
  readonly installation: Installation
  readonly store: Store
  readonly now: () => number
}

/** What is told and decided of this Septet as a whole. */
export const settingsAnswers = (answer: Answering, { clusters, installation, store, now }: Needs) => ({
  ...connectionAnswers(answer, { clusters }),
  policiesGet: answer.ofSeptet('policiesGet', () => getPolicies(store.settings)),
  policiesPut: answer.ofSeptet('policiesPut', ({ edited, ...policies }, { caller }) =>
    putPolicies(store.settings, {
      policies,
      at: now(),
      by: caller.name,
      edited: typeof edited === 'string' ? Date.parse(edited) : edited,
    }),
  ),
  retentionGet: answer.ofSeptet('retentionGet', () => getRetention(store)),
  retentionPut: answer.ofSeptet('retentionPut', (input) => putRetention(store, input, now())),
  tenantsPreview: answer.ofSeptet('tenantsPreview', ({ tenants }, { seen }) => previewTenants(seen, tenants)),
  aboutGet: answer.ofSeptet('aboutGet', (_input, { caller }) => describeInstallation(installation, store, caller)),
})
