import { describe, expect, test } from 'vitest'

import type { Answer } from '../../api.ts'
import { placeWords, roomBlockWords, roomVerdict } from './room-words.ts'

type Room = Answer<'partitionsRoom'>
const room = (change: Partial<Room>): string =>
  roomVerdict({ profile: '3g.40gb', count: 4, now: 0, recut: 0, blockedGpus: 0, ...change } as Room)
const place = (change: Partial<Room['places'][number]>): string =>
  placeWords({ now: 0, starts: [], recut: 0, replaces: 0, ...change } as Room['places'][number])

describe('whether they fit', () => {
  test.each([
    [{ verdict: 'now', now: 4 }, '4 × 3g.40gb fits now, with no changes.'],
    [{ verdict: 'now', now: 1, count: 1 }, 'One 3g.40gb fits now, with no changes.'],
    [{ verdict: 'recut', recut: 4 }, '4 × 3g.40gb fits after repartitioning free capacity. No pod is displaced.'],
    [
      { verdict: 'recut', now: 1, recut: 3 },
      '4 × 3g.40gb fits after repartitioning free capacity: 1 of them now, the rest after that. No pod is displaced.',
    ],
    [
      { verdict: 'displacing', now: 1, recut: 2, blockedGpus: 1 },
      '4 × 3g.40gb does not fit without moving workloads: there is room for 3, and 1 more needs workloads to move. 1 GPU could fit one then.',
    ],
    [
      { verdict: 'displacing', count: 1200, blockedGpus: 2400 },
      '1,200 × 3g.40gb does not fit without moving workloads: there is room for 0, and 1,200 more need workloads to move. 2,400 GPUs could fit one then.',
    ],
    [
      { verdict: 'never', now: 2 },
      '4 × 3g.40gb does not fit: there is room for 2, and no other GPU could ever fit one.',
    ],
  ] as const)('%j', (change, words) => expect(room(change)).toBe(words))
})

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
