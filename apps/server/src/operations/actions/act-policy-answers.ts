import { Refusal, type actPoliciesGet, type OutputOf } from '@septet/contract'
import { type ActPolicy, type SettingStore, type Store } from '@septet/domain'

import { defaultActPolicy, readActPolicy, writeActPolicy, type KeptActPolicy } from '../../act-policies.ts'
import type { ClusterFacts } from '../../facts.ts'
import type { AnswersOf } from '../answering/answering.ts'
import { answeredFrom } from '../answering/source.ts'
import { isoOf } from '../answering/view.ts'

type View = OutputOf<typeof actPoliciesGet>

type Needs = { readonly store: Pick<Store, 'settings'>; readonly now: () => number }

/** What each cluster lets Septet do. */
export const actPolicyAnswers = ({ store: { settings }, now }: Needs): AnswersOf<'actPolicies'> => ({
  actPoliciesGet: async (facts) => view(facts, await readActPolicy(settings, facts.record)),
  async actPoliciesPut(facts, { policy, edited }, { caller }) {
    const change = {
      policy,
      changedAt: now(),
      changedBy: caller.name,
      edited: typeof edited === 'string' ? Date.parse(edited) : edited,
    }
    const kept = await writeActPolicy(settings, facts.record.id, change)
    if (kept === undefined) throw await changedMeanwhile(settings, facts)
    return view(facts, kept)
  },
})

async function changedMeanwhile(settings: SettingStore, { record }: ClusterFacts): Promise<Refusal> {
  const { changedBy = 'Somebody' } = await readActPolicy(settings, record)
  return new Refusal(
    'invalid-input',
    `Nothing was saved: ${changedBy} changed what Septet may do on ${record.name} while you edited it.`,
    'Review the current settings and change them again.',
  )
}

const view = (cluster: ClusterFacts, { policy, changedAt, changedBy }: KeptActPolicy): View => ({
  ...answeredFrom(cluster, undefined),
  policy: policyView(policy),
  defaults: policyView(defaultActPolicy(cluster.record.kind)),
  changedAt: changedAt === undefined ? null : new Date(changedAt).toISOString(),
  changedBy: changedBy ?? null,
})

export const policyView = ({ auto, limits, windows, protectedNamespaces, ...policy }: ActPolicy): View['policy'] => ({
  ...policy,
  windows: windows.map((window) => ({ ...window })),
  protectedNamespaces: [...protectedNamespaces],
  auto: {
    ...auto,
    classes: [...auto.classes],
    budget: { hour: limitsView(auto.budget.hour), day: limitsView(auto.budget.day) },
    resumedAt: Object.fromEntries(Object.entries(auto.resumedAt).map(([kind, at]) => [kind, isoOf(at)])),
  },
  limits: { run: limitsView(limits.run), hour: limitsView(limits.hour), day: limitsView(limits.day) },
})

const limitsView = ({ pods, nodes, gpus, usdPerHour }: ActPolicy['limits']['run']) => ({
  pods: pods ?? null,
  nodes: nodes ?? null,
  gpus: gpus ?? null,
  usdPerHour: usdPerHour ?? null,
})
