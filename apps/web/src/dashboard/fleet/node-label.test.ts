import { expect, test } from 'vitest'

import { nodeLabel } from './draw-region.ts'

test('a name that is too long keeps its end', () => {
  expect(nodeLabel('gpu-l40s-06', { down: false, room: 11 })).toBe('gpu-l40s-06')
  expect(nodeLabel('gpu-l40s-06', { down: false, room: 8 })).toBe('…l40s-06')
})

test('a node that is not ready keeps its name, and says so in the room that is left', () => {
  expect(nodeLabel('gpu-l40s-06', { down: true, room: 23 })).toBe('gpu-l40s-06 · not ready')
  expect(nodeLabel('gpu-l40s-06', { down: true, room: 22 })).toBe('gpu-l40s-06 ✕')
  expect(nodeLabel('gpu-l40s-06', { down: true, room: 10 })).toBe('…l40s-06 ✕')
  expect(nodeLabel('gpu-l40s-06', { down: true, room: 4 })).toBe('…6 ✕')
})
