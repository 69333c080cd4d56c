import type { ProfileName } from '../../gpu/geometry.ts'
import type { AskedJob, ManifestChange } from './asked-job.ts'

/**
 * Whether a job would start. `now`: all its pods would be bound at once, or once pods of lower priority have made room. `not-now`: at least one would have to wait.
 * `unknown`: what decides it cannot be seen from here; it is never a guess.
 */
export type StartVerdict = 'now' | 'not-now' | 'unknown'

export type StartAnswer = Pick<AskedJob, 'kind' | 'namespace' | 'name' | 'gang'> & {
  readonly verdict: StartVerdict
  /** The answer for people. */
  readonly sentence: string
  /** Pods in all, and how many of them would start now. */
  readonly pods: number
  readonly starting: number
  /** Where they would go; which of equal devices the device plugin hands out is its own choice. Empty where none starts. */
  readonly places: readonly StartPlace[]
  /** What keeps it from starting, the nearest first. */
  readonly because: readonly string[]
  /** What it asks for, as its wait is kept: of the pods that lack room, of the whole job where a queue admits it. */
  readonly asks: string
  /** What could not be judged, and why. */
  readonly unknown: readonly string[]
  /** What others could do so that it starts as it is. */
  readonly ways: readonly StartWay[]
  /** Changes of the job itself, each of which would do alone, the smallest first. */
  readonly changes: readonly JobChange[]
}

export type StartPlace = {
  readonly part: string
  readonly node: string
  /** Pods on this node. */
  readonly pods: number
  /** Free devices there that they could get. */
  readonly devices: readonly {
    readonly gpu: string
    readonly index: number
    readonly profile: ProfileName | undefined
  }[]
}

export type StartWay = {
  /**
   * `recut`: of GPUs that nobody holds; `move`: other work moves; `repair`: a node or GPU comes back; `unsearched`: no moves
   * were found where they were likely, and not everywhere was looked.
   */
  readonly kind: 'recut' | 'move' | 'repair' | 'quota' | 'unsearched'
  readonly sentence: string
  /** The planner makes a plan of it: room for one instance of the profile. */
  readonly room: { readonly profile: ProfileName; readonly node: string } | undefined
}

/** A change of the manifest with which the job would start now. */
export type JobChange = {
  readonly kind: 'resume' | 'taint' | 'rules' | 'queue' | 'namespace' | 'cpu' | 'memory' | 'profile' | 'gpus' | 'pods'
  readonly sentence: string
  /** The document of the manifest, from 0. */
  readonly document: number
  readonly patch: readonly ManifestChange[]
}
