import { expect, test } from 'vitest'

import type { ActionDetail } from '../../acting/action-words.ts'
import { journalOf } from './WriteJournal.tsx'

type Write = ActionDetail['writes'][number]

const write = (number: number, what: string, kind: 'done' | 'refused'): Write => ({
  number,
  at: '2026-11-20T10:00:00Z',
  step: 1,
  isUndo: false,
  what,
  says: what,
  outcome: { kind, because: '' },
  evidence: [],
})

test('tries of one write in a row are one line with the last outcome; the same write after it was done is another', () => {
  const lines = journalOf([
    write(1, 'evict a', 'refused'),
    write(2, 'evict a', 'refused'),
    write(3, 'evict a', 'done'),
    write(4, 'evict b', 'done'),
    write(5, 'evict b', 'done'),
  ])
  expect(lines.map(({ write: { what, outcome }, before }) => [what, outcome?.kind, before])).toEqual([
    ['evict a', 'done', [1, 2]],
    ['evict b', 'done', []],
    ['evict b', 'done', []],
  ])
})
