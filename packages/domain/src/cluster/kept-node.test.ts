import { describe, expect, test } from 'vitest'

import { ratio } from '../units.ts'
import { assemble, inventory, node, pod } from './drawn-inventory.fixture.ts'
import type { Sighting } from './sighting.ts'

const seen = (on: string, index: number, more: Partial<Sighting> = {}): Sighting => ({
  node: on,
  gpu: `GPU-${on}-${index}`,
  index,
  model: 'NVIDIA A100-SXM4-80GB',
  ...more,
})

const [a, b] = [node('a'), node('b')]
const [onA, onB] = [pod('on-a', 'a'), pod('on-b', 'b')]
const reading = (): readonly Sighting[] => [seen('a', 0), seen('a', 1), seen('b', 0), seen('b', 1)]

describe('between two snapshots', () => {
  const first = assemble(inventory([a, b], [onA, onB]), reading())

  test('a node is the same object while the API, its pods and its devices are as they were', () => {
    const second = assemble(inventory([a, b], [onA, onB]), reading(), first)
    expect(second.nodes.map((each, at) => each === first.nodes[at])).toEqual([true, true])
    expect(second).toEqual(first)
  })

  test('a pod that went changes who holds what, and not the object of its node nor what others hold', () => {
    const other = pod('other', 'b')
    const both = assemble(inventory([a, b], [onA, onB, other]), reading())
    const second = assemble(inventory([a, b], [onA, other]), reading(), both)
    expect(second.nodes.map((each, at) => each === both.nodes[at])).toEqual([true, true])
    expect(second.allocations.map(({ pod: holder }) => holder)).toEqual(['team/on-a', 'team/other'])
    expect(second.allocations.map((each) => both.allocations.includes(each))).toEqual([true, true])
  })

  test('a node that reads differently is another object', () => {
    const second = assemble(inventory([a, { ...b, schedulable: false }], [onA, onB]), reading(), first)
    expect(second.nodes.map((each, at) => each === first.nodes[at])).toEqual([true, false])
  })

  test.each<[string, Partial<Sighting>]>([
    ['reports an XID', { xid: 79 }],
    ['comes into use', { busy: ratio(0.5) }],
    ['is cut', { instance: { id: '7', profile: '1g.10gb' } }],
    ['has another model', { model: 'NVIDIA H100 80GB HBM3' }],
    ['is held by another pod', { holder: { namespace: 'team', pod: 'on-b' } }],
  ])('a node is made anew when a device of it %s', (_, change) => {
    const changed = [seen('a', 0), seen('a', 1), seen('b', 0), seen('b', 1, change)]
    const kept = assemble(inventory([a, b], [onA, onB]), changed, first)
    const anew = assemble(inventory([{ ...a }, { ...b }], [onA, onB]), changed, first)
    expect(kept.nodes[0]).toBe(first.nodes[0])
    expect(kept).toEqual(anew)
  })

  test('what was made from another snapshot before is not taken over', () => {
    const faulty = assemble(inventory([a, b], [onA, onB]), [seen('a', 0, { xid: 79 }), ...reading().slice(1)])
    const silent = assemble(inventory([a, b], [onA, onB]), reading(), faulty)
    expect(silent.nodes[0]?.gpus.map(({ fault }) => fault?.code)).toEqual(['gpu-lost', undefined])
    const sound = assemble(inventory([a, b], [onA, onB]), reading(), first)
    expect(sound.nodes[0]?.gpus.map(({ fault }) => fault?.code)).toEqual([undefined, undefined])
  })
})
