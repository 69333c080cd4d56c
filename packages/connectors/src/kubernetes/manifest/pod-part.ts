import type { Raw } from './raw.ts'

/** What the pods of one part of an object are made from. */
export type PodPart = {
  readonly part: string
  readonly count: number
  /** Where the count can be changed; undefined where it is a product, or left open. */
  readonly countPath: string | undefined
  /** One on each node that it may run on, and `count` is not known. Absent: no. */
  readonly onEachNode?: true
  readonly metadata: Raw
  readonly metadataPath: string
  readonly spec: Raw
  /** JSON pointer of the specification. */
  readonly path: string
}

export type JobParts = {
  readonly parts: readonly PodPart[]
  readonly gang: boolean
  /** Pointer to `suspend` where that is true. */
  readonly suspend: string | undefined
  readonly unknown: readonly string[]
  /** Their specification is written nowhere in the manifest as it is here. Absent: it is. */
  readonly isMade?: true
}
