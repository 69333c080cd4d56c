import { createContext, useContext } from 'react'

import type { LineState } from './follow-stream.ts'

export type Live = {
  /** Whether the server can tell us of changes right now. */
  readonly connection: LineState
  /** Closed by the reader: it does not come back by itself, and nothing is asked for by itself. */
  readonly closed: boolean
  readonly setClosed: (closed: boolean) => void
  readonly paused: boolean
  readonly setPaused: (paused: boolean) => void
  /** How often something changed since it was paused. */
  readonly held: number
}

const nothing = (): void => undefined

export const LiveContext = createContext<Live>({
  connection: 'connecting',
  closed: false,
  setClosed: nothing,
  paused: false,
  setPaused: nothing,
  held: 0,
})

export const useLive = (): Live => useContext(LiveContext)
