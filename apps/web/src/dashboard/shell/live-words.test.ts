import { describe, expect, test } from 'vitest'

import type { Live } from '../client/live-context.ts'
import type { Cluster } from '../client/sources.ts'
import { liveWords } from './LiveState.tsx'

const live = (change: Partial<Live>): Live => ({
  connection: 'connected',
  closed: false,
  setClosed: () => undefined,
  paused: false,
  setPaused: () => undefined,
  held: 0,
  ...change,
})
const cluster = (change: Partial<Cluster>): Cluster =>
  ({ id: 'one', name: 'one', kind: 'cluster', state: 'connected', ...change }) as Cluster

describe('how live the figures are', () => {
  test.each([
    [live({}), cluster({}), 'Connected'],
    [live({ connection: 'connecting' }), cluster({}), 'Connecting'],
    [live({ connection: 'disconnected' }), cluster({}), 'Disconnected'],
    [live({ closed: true, connection: 'disconnecting' }), cluster({}), 'Disconnecting'],
    [live({ closed: true, connection: 'disconnected' }), cluster({}), 'Disconnected'],
    [live({ paused: true }), cluster({}), 'Paused'],
    [live({ paused: true, held: 1 }), cluster({}), 'Paused · 1 change'],
    [live({ paused: true, held: 3 }), cluster({}), 'Paused · 3 changes'],
    [live({}), cluster({ state: 'disconnected' }), 'Cluster disconnected'],
    [live({}), cluster({ state: 'connecting' }), 'Connecting'],
    [live({ connection: 'disconnected' }), cluster({ kind: 'sample' }), 'Not live'],
  ])('is told in a word or two (%#)', (state, of, words) => {
    expect(liveWords(state, of).words).toBe(words)
  })

  test('what the reader closed is not a fault, and can be opened again', () => {
    const words = liveWords(live({ closed: true, connection: 'disconnected' }), cluster({}))
    expect(words).toMatchObject({ dot: 'off', closable: true, pausable: false })
    expect(liveWords(live({ connection: 'disconnected' }), cluster({})).dot).toBe('fault')
  })
})
