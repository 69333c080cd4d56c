import { plural } from '../../words.ts'
import type { ReplayedClass } from '../../plan/words/action-class.ts'
import { reclaimRule } from './reclaim-rule.ts'
import { removeRule } from './remove-rule.ts'
import type { ShadowRule, ShadowSources } from './shadow-rule.ts'
import { sizeRule } from './size-rule.ts'

/** How a class is replayed, and in which words. */
type Replay = {
  /** Its rule, with how the record says what came after. */
  readonly rule: (sources: ShadowSources) => ShadowRule
  /** Of a large fleet only a part of the past is read: what that is of. */
  readonly reads: 'idle-work' | 'work' | 'work-and-room' | 'nodes'
  /** "Septet would have …". */
  readonly nothing: string
  readonly some: (objects: number) => string
  /** Why the outcome of a change is unknown. */
  readonly dark: string
  /** What a reader has to know of it: what nobody recorded, what was assumed for it, and what counts as wrong. */
  readonly notes: readonly string[]
}

const TODAY =
  'Labels, and pods that must not be disrupted, are assumed to be as they are today. GitOps owners, autoscalers and septet.io/keep on objects are not recorded: they would have kept some of this from being done.'
const ALONE = 'Only this class is assumed to be on auto; what other classes would have done first is not included.'
const IN_TURNS = 'If more than 25 workloads could shrink at the same time, the replay checks 25 of them each hour.'
const LET_ON =
  'After each mistake, the replay assumes that a person undoes it and resumes the class. On a live cluster the class stays halted until someone does.'

const NOT_MEASURED = 'nothing was measured after it'

export const REPLAYS = {
  'reclaim-idle': {
    rule: reclaimRule,
    reads: 'idle-work',
    nothing: 'stopped nothing',
    some: (objects) => `stopped ${plural(objects, 'workload')}`,
    dark: 'the hour after is not over, or was not measured',
    notes: [
      'Stopping work frees its GPUs for other work. The bill stays the same until a node goes.',
      'Each decision was made from hours that had ended by then. When work came back is known to the hour.',
      'Labels, and pods that must not be disrupted, are assumed to be as they are today. GitOps owners, autoscalers and septet.io/keep on objects are not recorded: they would have kept some of this work running.',
      'The replay assumes that the owner restarted the work by hand. An Undo would instead have halted the class until a person resumed it.',
    ],
  },
  'fewer-gpus': {
    rule: (sources) => sizeRule('fewer', sources),
    reads: 'work',
    nothing: 'given no work fewer GPUs',
    some: (objects) => `given ${plural(objects, 'workload')} fewer GPUs`,
    dark: NOT_MEASURED,
    notes: [
      'Fewer GPUs for work frees the others for other work. The bill stays the same until a node goes.',
      'A change counts as wrong if all its devices together averaged more work in a later hour than the remaining ones can do, or if a pod needed more memory than its remaining devices have.',
      'Each decision was made from hours that had ended by then; what was learned of later peaks is at most a day old. How far an autoscaler would have gone down is not recorded.',
      IN_TURNS,
      TODAY,
      ALONE,
      LET_ON,
    ],
  },
  'right-size': {
    rule: (sources) => sizeRule('smaller', sources),
    reads: 'work-and-room',
    nothing: 'given no work a smaller size',
    some: (objects) => `given ${plural(objects, 'workload')} a smaller size`,
    dark: NOT_MEASURED,
    notes: [
      'A smaller size frees the rest of the GPU for other work. The bill stays the same until a node goes.',
      'A change counts as wrong if a later memory peak exceeds the smaller profile, or if the work’s average in a later hour exceeds what its slices can do.',
      'Each decision was made from hours that had ended by then; what was learned of later peaks is at most a day old. Where MIG devices lie on a GPU is not recorded, so they lie where they can.',
      'CPU and memory requests, tolerations and pods that must not be disrupted are as they are today. Capacity that a change frees stays free.',
      IN_TURNS,
      TODAY,
      ALONE,
      LET_ON,
    ],
  },
  'remove-node': {
    rule: removeRule,
    reads: 'nodes',
    nothing: 'removed no node',
    some: (objects) => `removed ${plural(objects, 'node')}`,
    dark: 'nothing was recorded after it, or work still looked for room',
    notes: [
      'A node that goes lowers the bill, where its machine is ended and not prepaid.',
      'Wrong is where work that later ran on the node would have found no such GPUs free on the nodes that are left within an hour. Nothing is moved or repartitioned to make room for it.',
      'Pods that waited then and are gone are unknown, as is what pods without GPUs requested: CPU, memory, taints, tolerations and pods that wait are as they are today.',
      'Disruption budgets of a NodePool, and which machines an autoscaler may end, are not recorded.',
      TODAY,
      ALONE,
      LET_ON,
    ],
  },
} as const satisfies Record<ReplayedClass, Replay>
