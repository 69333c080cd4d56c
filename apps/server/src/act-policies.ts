import { ActPolicySchema } from '@septet/contract'
import {
  DEFAULT_ACT_POLICY,
  instant,
  ratio,
  recordOf,
  seconds,
  type ActPolicy,
  type ClusterRecord,
  type SettingStore,
} from '@septet/domain'
import { ACTION_CLASSES, CLASSES } from '@septet/domain/action-classes'
import { z } from 'zod'

/** What a cluster lets Septet do, with who decided it. */
export type KeptActPolicy = {
  readonly policy: ActPolicy
  readonly changedAt: number | undefined
  readonly changedBy: string | undefined
}

const keyOf = (cluster: string): string => `act-policy/${cluster}`
const KeptSchema = z.object({ policy: ActPolicySchema, changedAt: z.number(), changedBy: z.string() })

/** Throws what the store throws. What cannot be read any more is nothing that anybody allowed. */
export async function readActPolicy(
  settings: SettingStore,
  { id, kind }: Pick<ClusterRecord, 'id' | 'kind'>,
): Promise<KeptActPolicy> {
  const kept = KeptSchema.safeParse(await settings.get(keyOf(id))).data
  if (kept === undefined) return { policy: defaultActPolicy(kind), changedAt: undefined, changedBy: undefined }
  return { ...kept, policy: actPolicyOf(kept.policy) }
}

/** Nothing is done on a cluster where nobody allowed it. The demo cluster is there to be tried out. */
export const defaultActPolicy = (kind: ClusterRecord['kind']): ActPolicy =>
  kind === 'demo' ? DEMO : DEFAULT_ACT_POLICY

const DEMO: ActPolicy = {
  ...DEFAULT_ACT_POLICY,
  modes: recordOf(ACTION_CLASSES, (name) => (CLASSES[name].most === 'suggest' ? 'observe' : 'approve')),
  coolDown: seconds(60),
  warning: seconds(60),
  watch: seconds(300),
}

type Change = {
  readonly policy: z.output<typeof ActPolicySchema>
  readonly changedAt: number
  readonly changedBy: string
  /** When that was changed which somebody looked at and edited, null: never; undefined: whatever stands there is replaced. */
  readonly edited?: number | null | undefined
}

/** Undefined, and nothing is written, where somebody else has changed it since. */
export async function writeActPolicy(
  settings: SettingStore,
  cluster: string,
  { edited, ...change }: Change,
): Promise<KeptActPolicy | undefined> {
  const before = await settings.get(keyOf(cluster))
  const kept = KeptSchema.safeParse(before).data
  if (edited !== undefined && edited !== (kept?.changedAt ?? null)) return undefined
  if (edited === undefined) await settings.put(keyOf(cluster), change)
  else if (!(await settings.replace(keyOf(cluster), before, change))) return undefined
  return { ...change, policy: actPolicyOf(change.policy) }
}

/** As the domain counts it: with its own units. */
const actPolicyOf = (policy: z.output<typeof ActPolicySchema>): ActPolicy => ({
  ...policy,
  auto: {
    ...policy.auto,
    budget: { hour: limitsOf(policy.auto.budget.hour), day: limitsOf(policy.auto.budget.day) },
    resumedAt: Object.fromEntries(
      Object.entries(policy.auto.resumedAt).map(([kind, at]) => [kind, instant(Date.parse(at ?? ''))]),
    ),
  },
  limits: {
    run: limitsOf(policy.limits.run),
    hour: limitsOf(policy.limits.hour),
    day: limitsOf(policy.limits.day),
  },
  minimum: { ...policy.minimum, confidence: ratio(policy.minimum.confidence) },
  coolDown: seconds(policy.coolDown),
  approvalHolds: seconds(policy.approvalHolds),
  warning: seconds(policy.warning),
  watch: seconds(policy.watch),
})

type Limits = z.output<typeof ActPolicySchema>['limits']['run']

const limitsOf = ({ pods, nodes, gpus, usdPerHour }: Limits): ActPolicy['limits']['run'] => ({
  pods: pods ?? undefined,
  nodes: nodes ?? undefined,
  gpus: gpus ?? undefined,
  usdPerHour: usdPerHour ?? undefined,
})
