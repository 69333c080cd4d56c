import type { Board } from '../../gpu/board.ts'
import { acceptMost, fewestGpus, MIG_BASELINES } from '../place/mig-policies.ts'
import type { MigPolicy } from '../place/mig-policy.ts'
import { staticLayouts, wholeGpus } from './static-layouts.ts'

/** Every policy that can be compared on a fleet of one board, the simplest first. */
export const migPoliciesFor = (board: Board): readonly MigPolicy[] => [
  wholeGpus,
  ...staticLayouts(board),
  ...MIG_BASELINES,
  fewestGpus,
  acceptMost,
]
