import { at, GPU_MILLI, type Policy, scoredChooser } from '@septet/domain'

/** GPUs that are in use first, then free GPUs of nodes in use, then idle nodes; the fullest first within each. */
export const gpuPacking: Policy = {
  name: 'packing',
  start: ({ fleet }) =>
    scoredChooser(fleet, (_, node, gpu) => {
      const idle = at(fleet.wholeFree, node)
      if (gpu !== -1 && at(fleet.milliFree, gpu) < GPU_MILLI) return at(fleet.milliFree, gpu) / GPU_MILLI
      return (idle === fleet.nodes[node]?.gpus ? 1000 : 100) + idle
    }),
}
