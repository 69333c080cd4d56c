import {
  isProgram,
  pricesOf,
  pricingOf,
  type ActionRun,
  type ActQuestion,
  type Approval,
  type ClusterSnapshot,
  type ObjectFacts,
} from '@septet/domain'

import type { ActParts } from './act-parts.ts'
import type { History } from './history.ts'

/** What it takes to judge runs of a cluster. */
export type Judging = Pick<ActParts, 'store' | 'cluster' | 'clock' | 'samples' | 'policy' | 'plans' | 'prices'> & {
  readonly history: Pick<History, 'runs'>
}

/** All that the guardrails judge by, as it is now. Throws what store and cluster throw. */
export async function questionOf(
  parts: Judging,
  run: ActionRun,
  of: {
    readonly snapshot: ClusterSnapshot
    readonly approval: Approval | undefined
    readonly objects: readonly ObjectFacts[]
  },
): Promise<ActQuestion> {
  const { store, cluster, clock, samples } = parts
  const [policy, plans, book, history, stops] = await Promise.all([
    parts.policy(),
    parts.plans(),
    parts.prices(),
    parts.history.runs(),
    store.stops(),
  ])
  const own = stops.filter(({ cluster: on }) => on === undefined || on === cluster)
  const priceOf = pricesOf(book, pricingOf(of.snapshot))
  return { ...of, run, policy, plans, priceOf, history, stops: own, samples: samples(), now: clock() }
}

/** Who approved a run, with what they may do now. Throws what the store throws. */
export async function approvalOf({ roleOf }: Pick<ActParts, 'roleOf'>, run: ActionRun): Promise<Approval | undefined> {
  const approved = run.transitions.find(({ state }) => state === 'approved')
  if (approved === undefined) return undefined
  const { by: name, at, party } = approved
  const kind = name === 'septet' ? 'septet' : isProgram(name) ? 'token' : 'person'
  const role = kind === 'septet' ? undefined : await roleOf(approved)
  return { kind, name, party, at, role, digest: run.digest }
}
