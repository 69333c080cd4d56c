import type { GpuPart } from '../../analyze/gpu-parts.ts'
import type { Pod } from '../../cluster/workload.ts'

/** Whether all pods ask for one thing, and all that they hold is of one kind. */
export function holdAlike([part, ...parts]: readonly GpuPart[], [pod, ...pods]: readonly Pod[]): boolean {
  const asked = JSON.stringify(pod?.requests)
  return (
    pod?.requests.length === 1 &&
    pods.every(({ requests }) => JSON.stringify(requests) === asked) &&
    parts.every(
      ({ model, profile, share }) => model === part?.model && profile === part.profile && share === part.share,
    )
  )
}
