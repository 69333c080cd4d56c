import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { readTraceNodes, readTracePods, type Demand, type FleetNode, type TraceRead } from '@septet/domain'

const NODES = 'openb_node_list_gpu_node.csv'
const PODS = /^openb_pod_list_([\w-]+)\.csv$/u

/** Reads the nodes and one list of pods of a trace. Throws an error that says what is missing or wrong, and where. */
export function readTraceFolder(folder: string, list: string): Trace {
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new Error(`There is no folder ${folder}. Name the one that holds ${NODES} with --trace DIR.`)
  const lists = readdirSync(folder).flatMap((file) => PODS.exec(file)?.[1] ?? [])
  const nodes = rowsOf(folder, NODES, { read: readTraceNodes, hint: 'It lists the nodes; it is part of the trace.' })
  const hint = lists.length === 0 ? `${folder} has no list of pods.` : `Its lists are: ${lists.toSorted().join(', ')}.`
  return { nodes, pods: rowsOf(folder, `openb_pod_list_${list}.csv`, { read: readTracePods, hint }) }
}

export type Trace = { readonly nodes: readonly FleetNode[]; readonly pods: readonly Demand[] }

type Reading<Row> = { readonly read: (text: string, file: string) => TraceRead<Row>; readonly hint: string }

function rowsOf<Row>(folder: string, file: string, { read, hint }: Reading<Row>): readonly Row[] {
  const path = join(folder, file)
  if (!existsSync(path)) throw new Error(`${path} is missing. ${hint}`)
  const answer = read(readFileSync(path, 'utf8'), file)
  if (answer.kind === 'read') return answer.rows
  throw new Error(`The trace cannot be used:\n  ${answer.problems.join('\n  ')}`)
}
