import type { ServerEvent } from '@septet/contract'
import { parseRange, type ConnectionState, type Instant, type Problem } from '@septet/domain'

import type { ActingState, ClusterSize, HistoryProgress } from '../facts.ts'
import { analysisKey, type AnalysisOf } from './questions.ts'

/** What is small enough to be told whole, whenever any of it changes. */
export type ModelState = {
  readonly connection: ConnectionState
  readonly problems: readonly Problem[]
  readonly asOf: Instant | undefined
  readonly history: HistoryProgress | undefined
  readonly size: ClusterSize | undefined
  /** Absent in what an older Septet has kept. */
  readonly acting?: ActingState
}

/** How the work of its pipeline goes; and of a Septet that only answers, how it follows. */
export const HEALTH = 'health'
export const FOLLOWING = 'following'

/** Long lists lie in pieces: `nodes` names them in order, `nodes/7` is one of them. */
export const LISTS = ['nodes', 'allocations', 'workloads'] as const
export type ListName = (typeof LISTS)[number]

/** The last event of each kind, so that whoever reads the model hears of what it shows. */
export const eventSection = ({ kind }: ServerEvent): string => `event/${kind}`
export const isEvent = (key: string): boolean => key.startsWith('event/')

export const pieceKey = (list: ListName, piece: number): string => `${list}/${piece}`

const ANALYSIS = 'analysis/'
export const analysisSection = (of: AnalysisOf): string => `${ANALYSIS}${analysisKey(of)}`

/** Which analysis a section is; undefined for one that is none, or is of a range that this version does not know. */
export function analysisOfSection(key: string): AnalysisOf | undefined {
  if (!key.startsWith(ANALYSIS)) return undefined
  const [text, namespaces] = JSON.parse(key.slice(ANALYSIS.length))
  const range = parseRange(text)
  if (range === undefined) return undefined
  return { range, namespaces: namespaces === 'all' ? undefined : namespaces }
}
