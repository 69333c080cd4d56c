/** What a fault may be told. */
type Detail = 'node' | 'pod' | 'resource' | 'times' | 'seconds'

type FaultKind = {
  readonly says: string
  readonly takes: readonly Detail[]
  /** Without it there is nothing to do. */
  readonly needs?: Detail
  /** How often it happens where that is not told; without it, until it is taken away. */
  readonly times?: number
  /** Where they are not told. */
  readonly seconds?: number
}

const CHANGE = ['node', 'times'] as const
const WRITE = ['resource', 'node', 'pod', 'times'] as const

/** Everything that can be made to go wrong. */
export const FAULT_KINDS = {
  'mig-stuck-pending': {
    says: 'The next MIG change stops after the operator’s pods were paused: pending for ever, nothing allocatable, until the deploy labels are set back to true and then mig.config changes.',
    takes: CHANGE,
    times: 1,
  },
  'mig-failed': {
    says: 'The next MIG change fails and stays failed until mig.config changes or the mig-manager pod is restarted.',
    takes: CHANGE,
    times: 1,
  },
  'mig-reboot': {
    says: 'The next MIG change reboots the node: rebooting and not ready for some seconds, then success.',
    takes: [...CHANGE, 'seconds'],
    times: 1,
    seconds: 20,
  },
  'slow-mig': {
    says: 'The next MIG change takes so many seconds longer.',
    takes: [...CHANGE, 'seconds'],
    times: 1,
    seconds: 60,
  },
  'late-device-plugin': {
    says: 'After the next MIG change, or when its device plugin starts the next time, the devices become allocatable so many seconds later.',
    takes: [...CHANGE, 'seconds'],
    times: 1,
    seconds: 30,
  },
  'drifted-layout': {
    says: 'So many seconds after the next MIG change has succeeded, somebody sets mig.config to something else by hand.',
    takes: [...CHANGE, 'seconds'],
    times: 1,
    seconds: 1,
  },
  'withheld-device': {
    says: 'One device of the node is unhealthy: allocatable is one less than capacity, for so many seconds or until this is taken away.',
    takes: ['node', 'seconds'],
    needs: 'node',
  },
  'node-vanishes': {
    says: 'The node goes at once, with its pods and its exporter.',
    takes: ['node'],
    needs: 'node',
    times: 1,
  },
  'ignores-sigterm': {
    says: 'Pods take the whole of their grace period to end, for so many seconds or until this is taken away.',
    takes: ['node', 'pod', 'times', 'seconds'],
  },
  'budget-never-allows': {
    says: 'A disruption budget allows no eviction of the pod (of any guarded pod where none is named), for so many seconds or until this is taken away.',
    takes: ['pod', 'seconds'],
  },
  'api-409': {
    says: 'The next writes are not done and answered with a conflict. Dry runs are not disturbed, here and below.',
    takes: WRITE,
    times: 1,
  },
  'api-429': {
    says: 'The next writes are not done and told to come back after so many seconds.',
    takes: [...WRITE, 'seconds'],
    times: 1,
    seconds: 1,
  },
  'api-500': {
    says: 'The next writes are not done and answered with an internal error.',
    takes: WRITE,
    times: 1,
  },
  'answer-lost': {
    says: 'The next writes are done, and the connection is cut before the answer.',
    takes: WRITE,
    times: 1,
  },
  'answer-wrong': {
    says: 'The next writes are done, and answered with an internal error.',
    takes: WRITE,
    times: 1,
  },
  'config-race': {
    says: 'Somebody else writes the ConfigMap just before the next write of it: a write with a resourceVersion is a conflict.',
    takes: ['times'],
    times: 1,
  },
  'watch-cut': {
    says: 'All watches end at once, or those of one resource.',
    takes: ['resource'],
    times: 1,
  },
} as const satisfies Record<string, FaultKind>

export type FaultName = keyof typeof FAULT_KINDS

export const FAULT_NAMES = Object.keys(FAULT_KINDS).filter((name): name is FaultName => name in FAULT_KINDS)

/** The row of a fault, with the literal types widened. */
export const faultKind = (name: FaultName): FaultKind => FAULT_KINDS[name]
