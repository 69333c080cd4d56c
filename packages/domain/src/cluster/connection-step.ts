/** The steps of a connection test, in their order. */
export const CONNECTION_STEPS = [
  'credentials',
  'reach',
  'certificate',
  'sign-in',
  'permissions',
  'gpus',
  'clock',
  'metrics',
  'metric-names',
  'metric-nodes',
] as const
type ConnectionStepId = (typeof CONNECTION_STEPS)[number]

/** `noticed`: it works, and something about it should be known. `skipped`: a step before it failed, or there is nothing to try. */
type ConnectionStepState = 'running' | 'passed' | 'noticed' | 'failed' | 'skipped'

/** How one step of a connection test went, in words for anyone who set the connection up. */
export type ConnectionStep = {
  readonly id: ConnectionStepId
  readonly state: ConnectionStepState
  /** What was found, or what failed: whole sentences. */
  readonly said: string
  /** What works all the same. */
  readonly works?: string
  readonly todo?: string
  /** The single things that were looked at: a permission, a metric. */
  readonly items?: readonly ConnectionItem[]
  /** What to apply to the cluster, as YAML. */
  readonly manifest?: string
}

export type ConnectionItem = {
  readonly name: string
  readonly state: 'passed' | 'failed' | 'noticed'
  /** What is lost without it; empty where nothing is to be said. */
  readonly said: string
}

/** What stands between the actor's token and the cluster, beside its roles. */
export type ActorPolicyState =
  | { readonly kind: 'in-force' | 'no-actor' | 'absent' | 'unbound' }
  /** Another policy of that name: which parts of it are not as they are shipped. */
  | { readonly kind: 'different'; readonly parts: readonly string[] }
  | { readonly kind: 'unknown'; readonly because: string }
