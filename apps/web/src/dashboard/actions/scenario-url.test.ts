import type { Scenario } from '@septet/domain'
import { describe, expect, test } from 'vitest'

import { nodesOf, priceOf, withNodes, withPrice } from './FleetBuilder.tsx'
import { readScenario, writeScenario } from './scenario-url.ts'

const USUAL: Scenario = { from: 'week', changes: [], boards: 'same', sizes: 'held' }

describe('a scenario in the address', () => {
  test('comes back as it was written, whatever names hold', () => {
    const scenario: Scenario = {
      from: 'now',
      changes: [
        { kind: 'add', model: 'H100-80GB-HBM3', pool: 'a*b,c&d=é', nodes: 3, gpusPerNode: 8, price: 2.5 },
        { kind: 'add', model: 'T4', pool: '', nodes: 1, gpusPerNode: 1, price: null },
        { kind: 'remove', model: 'T4', pool: 't', nodes: 2 },
        { kind: 'price', model: 'T4', pool: 't', price: 0 },
      ],
      boards: 'any',
      sizes: 'fit',
    }
    const written = writeScenario(new URLSearchParams('cluster=demo'), scenario).toString()
    expect(readScenario(new URLSearchParams(written))).toEqual(scenario)
    expect(written).toContain('cluster=demo')
  })

  test('is short where all is as usual, and what makes no sense is left out', () => {
    expect(writeScenario(new URLSearchParams('sizes=fit&from=now'), USUAL).toString()).toBe('')
    const broken =
      'changes=add*T4,remove*T4*t*-1,nonsense,price*T4*t*x,add*T4*%25E0*1*1*,remove*T4*t*2&sizes=all&from=x'
    expect(readScenario(new URLSearchParams(broken))).toEqual({
      ...USUAL,
      changes: [{ kind: 'remove', model: 'T4', pool: 't', nodes: 2 }],
    })
  })
})

describe('the fleet that is supposed', () => {
  const group = { model: 'T4', pool: 't', nodes: 4, gpusPerNode: 2, price: 0.5 }

  test('has as many nodes as were typed, and the change is gone when it is as today', () => {
    const more = withNodes([], group, 6)
    expect(nodesOf(group, more)).toBe(6)
    const fewer = withNodes(more, group, 1)
    expect(fewer).toEqual([{ kind: 'remove', model: 'T4', pool: 't', nodes: 3 }])
    expect(nodesOf(group, fewer)).toBe(1)
    expect(withNodes(fewer, group, 4)).toEqual([])
  })

  test('keeps prices and nodes apart, and groups too', () => {
    const priced = withPrice(withNodes([], group, 6), group, 0.7)
    expect([priceOf(group, priced), nodesOf(group, priced)]).toEqual([0.7, 6])
    expect([priceOf({ ...group, pool: 'u' }, priced), nodesOf({ ...group, pool: 'u' }, priced)]).toEqual([0.5, 4])
    expect(withPrice(priced, group, 0.5)).toHaveLength(1)
  })
})
