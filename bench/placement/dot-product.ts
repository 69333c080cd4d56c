import { at, gpuMilliOf, type Policy, scoredChooser } from '@septet/domain'

import { mostOf, nodeMilliFree } from './best-fit.ts'

/** The node whose free CPU and GPU, multiplied by what is asked of each, come to least: busy where it is asked much. */
export const dotProduct: Policy = {
  name: 'dot-product',
  start: ({ fleet }) => {
    const most = mostOf(fleet)
    return scoredChooser(fleet, (demand, node, gpu) => {
      const cpu = (at(fleet.cpuFree, node) / most.cpuMilli) * (demand.cpuMilli / most.cpuMilli)
      // Within a node the fullest GPU that still has room: far below any difference between nodes.
      const inNode = gpu === -1 ? 0 : at(fleet.milliFree, gpu) * 1e-12
      const free = nodeMilliFree(fleet, node)
      return cpu + (free / most.gpuMilli) * (gpuMilliOf(demand.gpu) / most.gpuMilli) + inNode
    })
  },
}
