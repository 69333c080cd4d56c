import { recordOf } from '../../analyze/field-values.ts'
import { DRAWN_AT } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { JudgedSample } from '../../analyze/sample.ts'
import { MINUTE_MS, ratio } from '../../units.ts'
import { ACTION_CLASSES } from '../../plan/words/action-class.ts'
import { SHOWN_POLICY } from '../../plan/recommend/proposal.ts'
import type { ActionRun } from '../action-run.ts'
import { type ActPolicy, DEFAULT_ACT_POLICY } from '../policy/act-policy.ts'
import { later, twoDollars } from '../policy/drawn-run.fixture.ts'
import type { ActQuestion, Approval, ObjectFacts } from './act-context.ts'

/** Half a minute after the cluster was read. */
export const NOW = later(MINUTE_MS / 2)

/** Every class waits for approval. */
export const APPROVING: ActPolicy = {
  ...DEFAULT_ACT_POLICY,
  modes: recordOf(ACTION_CLASSES, () => 'approve'),
}

/** Septet stops idle work by itself. */
export const AUTOMATIC: ActPolicy = {
  ...APPROVING,
  modes: { ...APPROVING.modes, 'reclaim-idle': 'auto' },
  auto: { ...APPROVING.auto, classes: ['reclaim-idle'] },
}

/** A question that no rule has anything against: an admin approves the plan on the cluster that it was made from. */
export function allowed(run: ActionRun, snapshot: ClusterSnapshot, change: Partial<ActQuestion> = {}): ActQuestion {
  return {
    run,
    policy: APPROVING,
    plans: SHOWN_POLICY,
    snapshot,
    samples: measured(snapshot),
    priceOf: twoDollars,
    now: NOW,
    history: [],
    approval: approvedBy(run),
    stops: [],
    objects: [],
    ...change,
  }
}

export const approvedBy = (run: ActionRun, change: Partial<Approval> = {}): Approval => ({
  kind: 'person',
  name: 'ann@example.com',
  party: 'account:ann',
  role: 'admin',
  digest: run.digest,
  at: DRAWN_AT,
  ...change,
})

export const bySeptet = (run: ActionRun): Approval =>
  approvedBy(run, { kind: 'septet', name: 'septet', party: undefined, role: undefined })

/** An object that nobody keeps, manages or scales, but for what is said. */
export const factsOf = (object: string, change: Partial<ObjectFacts> = {}): ObjectFacts => ({
  object,
  keep: { kind: 'none' },
  owner: { kind: 'free', tool: undefined, application: '' },
  autoscaler: undefined,
  ...change,
})

/** Every GPU and every instance is measured, and idle. */
export const measured = (snapshot: ClusterSnapshot): JudgedSample[] =>
  snapshot.nodes.flatMap(({ gpus, name, product }) =>
    gpus.flatMap(({ id, index, partitions }) => {
      const sample: JudgedSample = {
        at: DRAWN_AT,
        node: name,
        gpu: id,
        index,
        model: product,
        busy: ratio(0),
        quality: { kind: 'measured' },
      }
      const instances = partitions.flatMap((partition) =>
        partition.kind === 'mig'
          ? [{ ...sample, instance: { id: partition.instance, profile: partition.profile } }]
          : [],
      )
      return [sample, ...instances]
    }),
  )
