import { instant, type ClusterSnapshot } from '@septet/domain'
import { draw } from '@septet/domain/testing'
import { expect, test } from 'vitest'

import { ReadingTurn } from './reading-turn.ts'

const drawn = draw`a T4 [-]`
const taken = (at: number): ClusterSnapshot => ({ ...drawn, takenAt: instant(at) })

/** What an agent has kept, read one after the other, by whatever store. */
function turnOver(readings: readonly ClusterSnapshot[], add: () => Promise<void>) {
  const looked: number[] = []
  const warned: string[] = []
  let read = 0
  const parts = {
    record: { id: 'c' },
    reader: { state: () => ({ kind: 'disconnected' }) },
    feed: { next: async () => read < readings.length, silence: () => undefined, at: () => instant(read) },
    collector: {
      collect: async () => {
        read += 1
        return true
      },
      snapshot: () => readings[read - 1],
      judged: () => [],
    },
    store: { events: { list: async () => [], add }, waits: {} },
    log: { warn: (message: string) => warned.push(message) },
    look: async (at: number) => {
      looked.push(at)
      await add()
    },
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is not asked for is left out
  return { turn: new ReadingTurn(parts as never), looked, warned }
}

test('of what an agent caught up on, each reading is looked at', async () => {
  const { turn, looked } = turnOver([taken(10), taken(20), taken(30)], async () => undefined)
  expect(await turn.take()).toBe(true)
  expect(looked).toEqual([10, 20, 30])
})

test('a store that does not answer stops no reading', async () => {
  const { turn, looked, warned } = turnOver([taken(10), taken(20)], () => Promise.reject(new Error('away')))
  expect(await turn.take()).toBe(true)
  expect(looked).toEqual([10, 20])
  expect(warned).toContain('what happened could not be written yet')
})
