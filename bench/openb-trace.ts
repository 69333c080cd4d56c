import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { type Demand, type ShareNode } from '@septet/domain'
import { readTraceNodes, readTracePods, type TraceRead } from './placement/read-trace.ts'

export const OPENB_LISTS = ['default', 'gpuspec33', 'gpushare100'] as const

export type OpenbList = (typeof OPENB_LISTS)[number]

/** The openb trace (Alibaba `cluster-trace-gpu-v2023`): nodes and one list of pods. */
export function readOpenb(input: string | undefined, list: OpenbList): { nodes: ShareNode[]; pods: Demand[] } {
  const folder = input ?? join(import.meta.dirname, '../../shared/traces/openb-2023')
  return {
    nodes: rowsOf(folder, 'openb_node_list_gpu_node.csv', readTraceNodes),
    pods: rowsOf(folder, `openb_pod_list_${list}.csv`, readTracePods),
  }
}

function rowsOf<Row>(folder: string, file: string, read: (text: string, file: string) => TraceRead<Row>): Row[] {
  const path = join(folder, file)
  if (!existsSync(path))
    throw new Error(
      `${path} is missing. Put the files of Alibaba's cluster-trace-gpu-v2023 there, or name their folder with --input DIR.`,
    )
  const answer = read(readFileSync(path, 'utf8'), file)
  if (answer.kind === 'refused') throw new Error(answer.problems.join('\n'))
  return [...answer.rows]
}
