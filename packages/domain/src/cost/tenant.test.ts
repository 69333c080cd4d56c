import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { tenantOf, type TenantRule } from './tenant.ts'

const rule = (name: string, more: Partial<TenantRule>): TenantRule => ({ name, namespaces: [], labels: {}, ...more })

const holds = (pattern: string, namespace: string): boolean =>
  pattern.endsWith('*') ? namespace.startsWith(pattern.slice(0, -1)) : namespace === pattern

describe('the tenant of a workload', () => {
  test('is that of its namespace, of a beginning of it, or of its labels', () => {
    const rules = [
      rule('vision', { namespaces: ['cv', 'vision-*'] }),
      rule('search', { labels: { team: 'search' } }),
      rule('night', { namespaces: ['batch'], labels: { shift: 'night' } }),
    ]
    expect(tenantOf({ namespace: 'cv' }, rules)).toBe('vision')
    expect(tenantOf({ namespace: 'vision-lab' }, rules)).toBe('vision')
    expect(tenantOf({ namespace: 'cv-old' }, rules)).toBeUndefined()
    expect(tenantOf({ namespace: 'x', labels: { team: 'search' } }, rules)).toBe('search')
    expect(tenantOf({ namespace: 'batch', labels: { shift: 'day' } }, rules)).toBeUndefined()
    expect(tenantOf({ namespace: 'batch', labels: { shift: 'night' } }, rules)).toBe('night')
  })

  test('is nobody for a rule that asks for nothing, for labels that are not known, and for what nobody holds', () => {
    expect(tenantOf({ namespace: 'x', labels: {} }, [rule('all', {})])).toBeUndefined()
    expect(tenantOf({ namespace: 'x' }, [rule('search', { labels: { team: 'search' } })])).toBeUndefined()
    expect(tenantOf({ namespace: '' }, [rule('everyone', { namespaces: ['*'] })])).toBeUndefined()
    expect(tenantOf({ namespace: 'x', labels: {} }, [rule('odd', { labels: { constructor: 'x' } })])).toBeUndefined()
  })

  const name = fc.constantFrom('a', 'ab', 'abc', 'b', 'ba', 'team-a', 'team-b')
  const labels = fc.dictionary(fc.constantFrom('team', 'app'), fc.constantFrom('x', 'y'))
  const anyRule = fc.record({
    name: fc.string({ minLength: 1, maxLength: 3 }),
    namespaces: fc.array(
      fc.oneof(
        name,
        name.map((text) => `${text}*`),
        fc.constant('*'),
      ),
      { maxLength: 3 },
    ),
    labels,
  })

  test('is decided by the first rule that matches alone, whatever comes after', () => {
    fc.assert(
      fc.property(name, labels, fc.array(anyRule, { maxLength: 6 }), (namespace, carried, rules) => {
        const workload = { namespace, labels: carried }
        const first = rules.findIndex((one) => tenantOf(workload, [one]) !== undefined)
        expect(tenantOf(workload, rules)).toBe(first === -1 ? undefined : rules[first]?.name)
      }),
    )
  })

  test('is that of the first rule whose words all hold', () => {
    fc.assert(
      fc.property(name, labels, fc.array(anyRule, { maxLength: 6 }), (namespace, carried, rules) => {
        const first = rules.find(
          (one) =>
            one.namespaces.length + Object.keys(one.labels).length > 0 &&
            (one.namespaces.length === 0 || one.namespaces.some((pattern) => holds(pattern, namespace))) &&
            Object.entries(one.labels).every(([key, value]) => carried[key] === value),
        )
        expect(tenantOf({ namespace, labels: carried }, rules)).toBe(first?.name)
      }),
    )
  })

  test('a namespace that is named exactly is matched by that name and by no other', () => {
    fc.assert(
      fc.property(name, name, (namespace, other) => {
        expect(tenantOf({ namespace }, [rule('one', { namespaces: [other] })])).toBe(
          namespace === other ? 'one' : undefined,
        )
      }),
    )
  })
})
