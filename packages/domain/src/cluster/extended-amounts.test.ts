import { expect, test } from 'vitest'

import { refusedAmount } from './extended-amounts.ts'

const GPU = 'nvidia.com/gpu'
const because = (limits: object, requests: object = {}): string | undefined =>
  refusedAmount({ ...limits }, { ...requests })?.because

test.each([
  [{ [GPU]: 0.5 }, {}, 'nvidia.com/gpu is 0.5, and must be a whole number'],
  [{ [GPU]: '500m' }, {}, 'nvidia.com/gpu is 500m, and must be a whole number'],
  [{ [GPU]: -1 }, {}, 'nvidia.com/gpu is -1, and an amount cannot be negative'],
  [{}, { [GPU]: 1 }, 'nvidia.com/gpu has a request and no limit, and needs a limit equal to its request'],
  [{ [GPU]: 2 }, { [GPU]: 1 }, 'nvidia.com/gpu has a request of 1 and a limit of 2, and they must be equal'],
  [{ 'rdma/hca': '0.5' }, {}, 'rdma/hca is 0.5, and must be a whole number'],
  [{ gpu: 1 }, {}, 'gpu is no resource that Kubernetes has'],
])('limits %o and requests %o are refused', (limits, requests, words) => expect(because(limits, requests)).toBe(words))

test.each([
  [{ [GPU]: 1 }, {}],
  [{ [GPU]: '1' }, { [GPU]: 1 }],
  [{ [GPU]: '1.0' }, {}],
  [{ [GPU]: 0 }, {}],
  [{ cpu: 0.5, memory: '1.5Gi' }, { cpu: '100m' }],
  [{}, { 'ephemeral-storage': '1Gi' }],
])('limits %o and requests %o are taken', (limits, requests) => expect(because(limits, requests)).toBeUndefined())
