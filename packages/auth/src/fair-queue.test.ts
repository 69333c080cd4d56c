import { expect, test } from 'vitest'

import { openFairQueue } from './fair-queue.ts'

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

/** A queue of which the test says when each work ends. */
function standing(mostWaiting: number) {
  const inTurn = openFairQueue({ atOnce: 1, mostWaiting, refusal: () => new Error('come back') })
  const begun: string[] = []
  const ends: (() => void)[] = []
  const ask = (from: string, name: string): Promise<string> =>
    inTurn(from, async () => {
      begun.push(name)
      await new Promise<void>((resolve) => void ends.push(resolve))
      return name
    }).catch((error: Error) => error.message)
  const endAll = async (): Promise<void> => {
    await turn()
    for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
      end()
      // oxlint-disable-next-line no-await-in-loop -- the next one begins only then
      await turn()
    }
  }
  return { begun, ask, endAll }
}

test('whoever asks once is next after whoever asked often', async () => {
  const { begun, ask, endAll } = standing(64)
  const all = [...['s1', 's2', 's3', 's4'].map((name) => ask('stranger', name)), ask('owner', 'o1')]
  await endAll()
  expect(begun).toEqual(['s1', 's2', 'o1', 's3', 's4'])
  expect(await Promise.all(all)).toEqual(['s1', 's2', 's3', 's4', 'o1'])
})

test('a queue that one has filled has room for another, and the last of the one is asked to come back', async () => {
  const { ask, endAll } = standing(3)
  const stranger = ['s1', 's2', 's3', 's4', 's5'].map((name) => ask('stranger', name))
  const owner = ask('owner', 'o1')
  await endAll()
  expect(await owner).toBe('o1')
  expect(await Promise.all(stranger)).toEqual(['s1', 's2', 's3', 'come back', 'come back'])
})

test('nobody takes the only place of another', async () => {
  const { ask, endAll } = standing(2)
  const all = ['a', 'b', 'c', 'd'].map((from) => ask(from, from))
  await endAll()
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'come back'])
})

test('what fails makes way', async () => {
  const inTurn = openFairQueue({ atOnce: 1, mostWaiting: 2, refusal: () => new Error('come back') })
  const answers = await Promise.allSettled([
    inTurn('a', () => Promise.reject(new Error('failed'))),
    inTurn('a', () => Promise.resolve('went on')),
  ])
  expect(answers).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled', value: 'went on' }])
})
