import { type Demand, type ShareNode } from '@septet/domain'
import { readTraceNodes, readTracePods, type TraceRead } from './placement/read-trace.ts'
import { readTrace } from './trace-file.ts'

export const OPENB_LISTS = ['default', 'gpuspec33', 'gpushare100'] as const

export type OpenbList = (typeof OPENB_LISTS)[number]

/** The openb trace (Alibaba `cluster-trace-gpu-v2023`): nodes and one list of pods. */
export function readOpenb(input: string | undefined, list: OpenbList): { nodes: ShareNode[]; pods: Demand[] } {
  return {
    nodes: rowsOf(input, 'openb_node_list_gpu_node.csv', readTraceNodes),
    pods: rowsOf(input, `openb_pod_list_${list}.csv`, readTracePods),
  }
}

function rowsOf<Row>(
  input: string | undefined,
  name: string,
  read: (text: string, file: string) => TraceRead<Row>,
): Row[] {
  const answer = read(readTrace({ set: 'openb-2023', name, input }), name)
  if (answer.kind === 'refused') throw new Error(answer.problems.join('\n'))
  return [...answer.rows]
}
