import { expect, test } from 'vitest'

import { isMisspelledGpu } from './gpu-resource.ts'
import { offerHint } from './offer-hint.ts'

const a100 = { gpus: [{ model: 'A100-SXM4-80GB' }], allocatable: { 'nvidia.com/gpu': 8 } }
const small = { gpus: [{ model: 'A100-SXM4-40GB' }], allocatable: { 'nvidia.com/mig-1g.5gb': 7 } }

const gb200 = (olderNames = false) => ({ gpus: [{ model: 'GB200', olderNames }], allocatable: {} })

test.each([
  [
    'nvidia.com/gpus',
    [a100],
    'No node offers nvidia.com/gpus. The closest that nodes offer is nvidia.com/gpu: ask for that.',
  ],
  [
    'nvidia.com/GPU',
    [a100],
    'No node offers nvidia.com/GPU. The closest that nodes offer is nvidia.com/gpu: ask for that.',
  ],
  [
    'nvidia.com/mig_1g.5gb',
    [small],
    'No node offers nvidia.com/mig_1g.5gb. The closest that nodes offer is nvidia.com/mig-1g.5gb: ask for that.',
  ],
  ['amd.com/gpus', [a100], 'No node offers amd.com/gpus.'],
  ['nvidia.com/mig-1g.5gb', [a100], 'A100-SXM4-80GB has no 1g.5gb: ask for 1g.10gb (nvidia.com/mig-1g.10gb).'],
  ['nvidia.com/mig-3g.95gb', [gb200()], 'GB200 has no 3g.95gb: ask for 3g.93gb (nvidia.com/mig-3g.93gb).'],
  ['nvidia.com/mig-3g.93gb', [gb200(true)], 'GB200 has no 3g.93gb: ask for 3g.95gb (nvidia.com/mig-3g.95gb).'],
  ['nvidia.com/mig-3g.40gb', [small], 'A100-SXM4-40GB has no 3g.40gb: ask for 7g.40gb (nvidia.com/mig-7g.40gb).'],
])('%s', (resource, nodes, hint) => expect(offerHint(resource, nodes)).toBe(hint))

test('nothing is said of what some node could offer, nor where boards are not known', () => {
  expect(offerHint('nvidia.com/mig-1g.5gb', [a100, small])).toBeUndefined()
  expect(offerHint('nvidia.com/gpu', [{ gpus: [{ model: 'T4' }], allocatable: {} }])).toBeUndefined()
  expect(offerHint('nvidia.com/mig-1g.5gb', [{ gpus: [{ model: undefined }], allocatable: {} }])).toBeUndefined()
  expect(
    offerHint('nvidia.com/gpus', [{ gpus: [{ model: 'T4' }], allocatable: { 'nvidia.com/gpus': 1 } }]),
  ).toBeUndefined()
})

test('what is another resource by intent is not taken for a misspelled GPU', () => {
  const others = [
    'nvidia.com/gpumem',
    'nvidia.com/gpucores',
    'nvidia.com/hostdev',
    'rdma/hca',
    'example.com/gpu',
    'cpu',
  ]
  expect(others.filter(isMisspelledGpu)).toEqual([])
})
