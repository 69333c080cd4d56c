import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { best } from './search.ts'

const node = (name: string, detail = '8 × H100') => ({ kind: 'node' as const, id: name, name, detail })
const workload = (namespace: string, name: string) => ({
  kind: 'workload' as const,
  id: `${namespace}/Job/${name}`,
  name,
  detail: `Job in ${namespace}`,
})
const names = (objects: Parameters<typeof best>[0], query: string, limit = 12) =>
  best(objects, { query, limit }).found.map(({ name }) => name)

describe('search', () => {
  test('puts the exact name first, then what begins with it, then what holds it', () => {
    const objects = [node('old-gpu-1'), node('gpu-10'), node('gpu-1'), node('other')]
    expect(names(objects, 'GPU-1')).toEqual(['gpu-1', 'gpu-10', 'old-gpu-1'])
  })

  test('finds by every word, in name, id or detail, in any order', () => {
    const objects = [workload('research', 'vllm'), workload('vision', 'vllm'), node('a', '8 × A100, pool research')]
    expect(names(objects, 'research vllm')).toEqual(['vllm'])
    expect(names(objects, 'vllm research')).toEqual(['vllm'])
    expect(names(objects, 'research')).toHaveLength(2)
  })

  test('says how many there are beyond those that it tells', () => {
    const objects = Array.from({ length: 30 }, (_one, index) => node(`gpu-${index}`))
    expect(best(objects, { query: 'gpu', limit: 5 })).toMatchObject({ total: 30, found: { length: 5 } })
  })

  test('what it finds holds every word, whatever is asked', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 12 })
    fc.assert(
      fc.property(
        fc.array(fc.tuple(text, text), { maxLength: 20 }),
        text.filter((query) => query.trim() !== ''),
        (pairs, query) => {
          const objects = pairs.map(([name, detail]) => node(name, detail))
          const words = query.toLowerCase().split(/\s+/u).filter(Boolean)
          const { found, total } = best(objects, { query, limit: 50 })
          expect(total).toBe(found.length)
          for (const { name, detail } of found) {
            const all = `${name} ${name} ${detail}`.toLowerCase()
            expect(words.every((word) => all.includes(word))).toBe(true)
          }
        },
      ),
    )
  })
})
