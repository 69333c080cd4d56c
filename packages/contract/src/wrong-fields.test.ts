import { expect, test } from 'vitest'
import { z } from 'zod'

import { wrongFields } from './wrong-fields.ts'

const Input = z.strictObject({
  count: z.number().min(2).max(40),
  share: z.number().gt(0).lt(1),
  kind: z.enum(['node', 'gpu']),
  only: z.literal('demo'),
  name: z.string().min(1).max(3),
  names: z.array(z.string()).min(1).max(2),
  digest: z.string().regex(/^[0-9a-f]{64}$/u, 'must be the 64 hexadecimal digits'),
})
const RIGHT = { count: 2, share: 0.5, kind: 'gpu', only: 'demo', name: 'a', names: ['a'], digest: 'f'.repeat(64) }

test.each([
  [{ count: 41 }, 'count: must be at most 40'],
  [{ count: 1 }, 'count: must be at least 2'],
  [{ count: '1' }, 'count: must be a number'],
  [{ count: undefined }, 'count: is missing'],
  [{ share: 0 }, 'share: must be more than 0'],
  [{ share: 1 }, 'share: must be less than 1'],
  [{ kind: 'pod' }, 'kind: must be one of "node", "gpu"'],
  [{ only: 'other' }, 'only: must be "demo"'],
  [{ name: '' }, 'name: must not be empty'],
  [{ name: 'long' }, 'name: must have at most 3 characters'],
  [{ names: 'a' }, 'names: must be an array'],
  [{ names: ['a', 'b', 'c'] }, 'names: must have at most 2 items'],
  [{ digest: '3fa912cd' }, 'digest: must be the 64 hexadecimal digits'],
  [{ more: 1 }, 'input: has nothing called "more"'],
])('%j: %s', (wrong, words) => {
  const read = Input.safeParse({ ...RIGHT, ...wrong })
  expect(read.success ? '' : wrongFields(read.error)).toBe(words)
})
