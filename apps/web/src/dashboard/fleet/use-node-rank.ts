import { useState } from 'react'

import type { FleetPicture } from './fleet-picture.ts'
import type { NodeOrder } from './use-fleet-choice.ts'
import { worstNodes } from './worst-nodes.ts'

/**
 * The rank of each node where the worst come first; undefined where they come by name. It stays as it was when it was
 * asked for, so that nothing moves under the reader's eyes with each reading.
 */
export function useNodeRank(picture: FleetPicture, order: NodeOrder): Int32Array | undefined {
  const [kept, keep] = useState<{ readonly frame: unknown; readonly rank: Int32Array }>()
  if (order === 'name') {
    if (kept !== undefined) keep(undefined)
    return undefined
  }
  if (kept?.frame === picture.frame) return kept.rank
  const rank = worstNodes(picture)
  keep({ frame: picture.frame, rank })
  return rank
}
