import { describe, expect, test } from 'vitest'

import { mib, ratio } from '../units.ts'
import { isInUse, nodeNamer, type Sighting, sightingsByNode } from './sighting.ts'

const seen = (change: Partial<Sighting> = {}): Sighting => ({
  node: 'a',
  gpu: 'GPU-1',
  index: 0,
  model: 'T4',
  ...change,
})

describe('the node that an exporter’s host name means', () => {
  const nodeOf = nodeNamer(['gpu-1.east.example.com', 'gpu-2', 'gpu-3.east', 'gpu-3.west', '10.0.0.4'])
  test.each([
    ['gpu-2', 'gpu-2'],
    ['gpu-2.east.example.com', 'gpu-2'],
    ['gpu-1', 'gpu-1.east.example.com'],
    ['gpu-3.west', 'gpu-3.west'],
    ['10.0.0.4', '10.0.0.4'],
    // Two nodes begin so, and nobody knows which is meant.
    ['gpu-3', undefined],
    // Addresses have dots of their own.
    ['10.0.0.5', undefined],
    ['10', undefined],
    ['gpu-9', undefined],
    ['', undefined],
  ])('%s: %s', (host, node) => expect(nodeOf(host)).toBe(node))
})

test('sightings of no node are counted by the name that they give', () => {
  const sightings = [seen(), seen({ node: 'a.example.com', index: 1 }), seen({ node: 'x' }), seen({ node: 'x' })]
  const { byNode, strangers } = sightingsByNode(sightings, ['a', 'b'])
  expect([...byNode].map(([name, all]) => [name, all.map(({ index }) => index)])).toEqual([['a', [0, 1]]])
  expect([...strangers].map(([host, all]) => [host, all.length])).toEqual([['x', 2]])
})

test.each<[string, Partial<Sighting>, boolean]>([
  ['busy', { busy: ratio(0.02) }, true],
  ['a trace of busy', { busy: ratio(0.01) }, false],
  ['running kernels', { kernelTime: ratio(0.5) }, true],
  ['holding memory', { memoryUsed: mib(1025) }, true],
  ['holding what the driver keeps', { memoryUsed: mib(1024) }, false],
  ['not measured', {}, false],
])('a device that is %s is in use: %s', (...[, change, inUse]) => expect(isInUse(seen(change))).toBe(inUse))
