import { setTimeout as delay } from 'node:timers/promises'

import { AskError } from '../served/ask-server.ts'

/** Where answers go. */
export type Screen = {
  /** Characters of a line of the terminal; undefined where none reads along. */
  readonly width: number | undefined
  readonly print: (text: string) => Promise<void>
  /** Aborted when whoever watches has seen enough. */
  readonly enough: AbortSignal
}

/**
 * Asks again and again: a terminal shows the newest answer alone, anything else gets one after the other. A server that
 * is away for a while is waited for; a refusal ends it, as does `enough`. Throws as asking does.
 */
export async function keepWatching(ask: () => Promise<string>, seconds: number, screen: Screen): Promise<string> {
  while (!screen.enough.aborted) {
    const text = await ask().catch(whileAway)
    await screen.print(screen.width === undefined ? text : `${CLEAR}${text}`)
    await delay(seconds * 1000, undefined, { signal: screen.enough }).catch(() => undefined)
  }
  return ''
}

const CLEAR = '\u001B[H\u001B[2J\u001B[3J'

function whileAway(error: unknown): string {
  if (error instanceof AskError && (error.status === undefined || error.status >= 500)) {
    return `${error.message}\n`
  }
  throw error
}
