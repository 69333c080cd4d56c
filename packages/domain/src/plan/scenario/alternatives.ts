import { fewestGpus, finishFullest, keepUsable, migBestFit } from '../place/mig-policies.ts'
import type { MigPolicy } from '../place/mig-policy.ts'

/** A way to share GPUs: cut on demand where a policy says, or, without one, cut as they are today. */
export type Alternative = {
  /** Stable: it stands in links. */
  readonly id: string
  readonly policy: MigPolicy | undefined
}

/** Every way that can be compared, the simplest first. */
export const ALTERNATIVES: readonly Alternative[] = [
  { id: 'today', policy: undefined },
  { id: 'mig.best-fit', policy: migBestFit },
  { id: 'mig.septet-finish', policy: finishFullest },
  { id: 'mig.septet-usable', policy: keepUsable },
  { id: 'mig.septet-elastic', policy: fewestGpus },
]

export const alternativeOf = (id: string): Alternative | undefined => ALTERNATIVES.find((one) => one.id === id)
