import { expect, test } from 'vitest'

import { Replay, type ScoreKeeper } from './replay.ts'

type Stay = { readonly at: number; readonly who: string }

/** Goes through entries that come at these moments and stay for so long, and writes down what the keeper is told. */
function told(entries: ReadonlyArray<readonly [at: number, stays: number]>, until: number, events?: number) {
  const heard: string[] = []
  const keeper: ScoreKeeper<Stay> = {
    pass: (to) => heard.push(`until ${to}`),
    came(entry, now) {
      heard.push(`${entry} comes`)
      replay.willEnd({ at: now + (entries[entry]?.[1] ?? 0), who: String(entry) })
    },
    ended: (all) =>
      heard.push(
        `${all
          .map(({ who }) => who)
          .toSorted()
          .join(' and ')} ends`,
      ),
    over: () => heard.push('over'),
  }
  const replay = new Replay<Stay>({ comesAt: (entry) => entries[entry]?.[0], until }, keeper)
  return { more: replay.advance(events), heard }
}

test('what ends at a moment ends together, and before anything comes at that moment', () => {
  const { heard } = told(
    [
      [0, 5],
      [2, 3],
      [5, 1],
    ],
    10,
  )
  expect(heard.join(', ')).toBe(
    'until 0, 0 comes, until 2, 1 comes, until 5, 0 and 1 ends, until 5, 2 comes, until 6, 2 ends, until 10, over',
  )
})

test('what ends or comes after the end is not told, and what does at the end is', () => {
  const { heard } = told(
    [
      [0, 10],
      [1, 11],
      [10, 0],
      [10.5, 0],
    ],
    10,
  )
  expect(heard.join(', ')).toBe(
    'until 0, 0 comes, until 1, 1 comes, until 10, 0 ends, until 10, 2 comes, until 10, 2 ends, until 10, over',
  )
})

test('it goes on by as many events as asked, and says whether there are more', () => {
  const many = Array.from({ length: 5 }, (_, at) => [at, Infinity] as const)
  expect(told(many, 10, 3)).toEqual({
    more: true,
    heard: ['until 0', '0 comes', 'until 1', '1 comes', 'until 2', '2 comes'],
  })
  expect(told(many, 10, 6).more).toBe(false)
})
