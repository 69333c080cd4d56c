import type { Store } from '@septet/domain'

import { describeInstallation, type Installation } from './about.ts'
import type { AnswersOf } from '../answering/answering.ts'
import { readPolicies } from '../../policies.ts'
import { policiesView, putPolicies } from './policies.ts'
import { getRetention, putRetention } from './retention.ts'

type Needs = {
  readonly installation: Installation
  readonly store: Store
  readonly now: () => number
}

/** What is told and decided of this Septet as a whole. */
export const settingsAnswers = ({
  installation,
  store,
  now,
}: Needs): AnswersOf<'policies' | 'retention' | 'about'> => ({
  policiesGet: async () => policiesView(await readPolicies(store.settings)),
  /** Replaces them; pipelines go by them from their next turn on. */
  policiesPut: ({ edited, ...policies }, { caller }) =>
    putPolicies(store.settings, {
      policies,
      at: now(),
      by: caller.name,
      edited: typeof edited === 'string' ? Date.parse(edited) : edited,
    }),
  retentionGet: () => getRetention(store),
  retentionPut: (input) => putRetention(store, input, now()),
  aboutGet: (_input, { caller }) => describeInstallation(installation, store, caller),
})
