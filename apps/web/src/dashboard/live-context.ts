import { createContext, useContext } from 'react'

/** Whether the server can tell us of changes right now. */
export type Connection = 'connecting' | 'connected' | 'disconnected'

export type Live = {
  readonly connection: Connection
  readonly paused: boolean
  readonly setPaused: (paused: boolean) => void
}

export const LiveContext = createContext<Live>({ connection: 'connecting', paused: false, setPaused: () => undefined })

export const useLive = (): Live => useContext(LiveContext)
