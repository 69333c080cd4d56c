import { instant, mib, ratio, type AdmissionView } from '@septet/domain'
import { expect, test } from 'vitest'

import { AdmissionPacker, AdmissionUnpacker } from './packed-admission.ts'

const node = (name: string, cpuMilli = 1000): AdmissionView['nodes'][number] => ({
  name,
  rules: { labels: { zone: 'a' }, taints: [] },
  left: { cpuMilli, memory: Infinity },
  instances: [],
})
const size = {
  workload: 'lab/Deployment/chat',
  model: 'H100-80GB-HBM3',
  profile: '1g.20gb',
  resource: 'nvidia.com/mig-1g.20gb',
  memory: mib(20_096),
  memoryPeak: 8192,
  window: { from: instant(0), to: instant(1) },
  confidence: ratio(0.9),
}
const sizes: AdmissionView['sizes'] = new Map([[size.workload, size]])
const view = (nodes: AdmissionView['nodes'], more: Partial<AdmissionView> = {}): AdmissionView => ({
  takenAt: instant(1),
  sizes,
  nodes,
  quotas: [],
  ...more,
})

test('what is unpacked is what was packed, and what has not changed is the same object as before', () => {
  const [packer, unpacker] = [new AdmissionPacker(), new AdmissionUnpacker()]
  const take = (next: AdmissionView): AdmissionView => unpacker.unpack(packer.pack(next))
  const first = view([node('a'), node('b'), node('c')])
  const before = take(first)
  expect(before).toEqual(first)

  // One is gone, one has less room, one is new.
  const second = view([node('b', 500), node('c'), node('d')], { takenAt: instant(2) })
  const after = take(second)
  expect(after).toEqual(second)
  expect(after.nodes[1]).toBe(before.nodes[2])
  expect(after.sizes).toBe(before.sizes)

  const learned = view([node('c')], { sizes: new Map([[size.workload, { ...size, memoryPeak: 4096 }]]) })
  expect(take(learned)).toEqual(learned)
  expect(() => unpacker.unpack({ bytes: Uint8Array.of(1, 2, 3) })).toThrow(/./u)
  expect(take(learned)).toEqual(learned)
})
