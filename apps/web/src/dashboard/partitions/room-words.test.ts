import { describe, expect, test } from 'vitest'

import type { Answer } from '../../api.ts'
import { placeWords, roomBlockWords } from './RoomAnswer.tsx'

type Room = Answer<'partitionsRoom'>
const place = (change: Partial<Room['places'][number]>): string =>
  placeWords({ now: 0, starts: [], recut: 0, replaces: 0, ...change } as Room['places'][number])

describe('what one GPU can give', () => {
  test.each([
    [{ now: 1, starts: [4] }, '1 now at memory slice 4'],
    [{ now: 2, starts: [0, 4] }, '2 now at memory slices 0, 4'],
    [{ recut: 2 }, '2 after repartitioning'],
    [{ recut: 1, replaces: 3 }, '1 after repartitioning, which replaces 3 free instances'],
    [
      { now: 1, starts: [0], recut: 1, replaces: 1 },
      '1 now at memory slice 0; 1 more after repartitioning, which replaces 1 free instance',
    ],
  ])('%j', (change, words) => expect(place(change)).toBe(words))
})

test('who must leave is not named to those who may not see it', () => {
  const block = { profile: '4g.40gb', start: 0, size: 4, holder: 'lab/Job/train' }
  expect(roomBlockWords(block)).toBe('4g.40gb at 0, lab/Job/train')
  expect(roomBlockWords({ ...block, holder: null })).toBe('4g.40gb at 0, a namespace you cannot see')
  expect(roomBlockWords({ ...block, profile: null })).toBe('the whole GPU, lab/Job/train')
})
