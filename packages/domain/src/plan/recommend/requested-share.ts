import type { GpuRequest } from '../../cluster/workload.ts'
import { profileOf, sliceShare } from '../../gpu/board.ts'
import { boardFor } from '../../gpu/known-boards.ts'
import { profileOfResource } from '../../gpu/profile-name.ts'

/** What a pod asks for, in GPUs of this model; what is no MIG device of it counts as a whole one. */
export function requestedShare(requests: readonly GpuRequest[], model: string): number {
  const board = boardFor(model)
  return requests.reduce((sum, { resource, count }) => {
    const name = profileOfResource(resource)
    const profile = board === undefined || name === undefined ? undefined : profileOf(board, name)
    return sum + count * (board === undefined || profile === undefined ? 1 : sliceShare(board, profile))
  }, 0)
}
