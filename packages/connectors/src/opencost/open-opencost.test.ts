import type { RequestListener } from 'node:http'

import { instant } from '@septet/domain'
import { describe, expect, test } from 'vitest'

import { serve } from '../http/serve.fixture.ts'
import { openOpenCost } from './open-opencost.ts'

// It runs up to now, which is seldom a whole second.
const WINDOW = { from: instant(Date.UTC(2026, 6, 1, 0, 0, 0, 250)), to: instant(Date.UTC(2026, 6, 2, 0, 0, 0, 999)) }
const NODE = {
  type: 'Node',
  properties: { category: 'Compute', name: 'gpu-0', providerID: 'i-0abc' },
  nodeType: 'p5.48xlarge',
  minutes: 1440,
  GPUHours: 192,
  cpuCost: 145.7,
  ramCost: 208.3,
  gpuCost: 182.4,
  gpuCount: 8,
  totalCost: 536.4,
}
const ASSETS = {
  code: 200,
  status: 'success',
  data: {
    'AWS/a/b/Compute/c/Node/Kubernetes/i-0abc/gpu-0': NODE,
    'AWS/a/b/Storage/c/Disk/d': { type: 'Disk', totalCost: 1 },
  },
}
// Some answers have no status, and NaN is null.
const ALLOCATION = {
  code: 200,
  data: [
    { ml: { name: 'ml', gpuCount: 4, gpuHours: 96, gpuCost: 91.2, totalCost: 99, gpuAllocation: null } },
    { ml: { name: 'ml', gpuHours: null, gpuCost: null }, __idle__: { gpuHours: 0, gpuCost: 91.2 } },
    null,
  ],
}
/** What OpenCost reads as a window: a pair of RFC 3339 without fractions or of Unix seconds, a length or a name. */
const WINDOWS = [
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ,\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/u,
  /^\d+,\d+$/u,
  /^\d+[mhdw]$/u,
  /^(?:today|yesterday|week|month|lastweek|lastmonth)$/u,
]
const answering =
  (asked: string[] = []): RequestListener =>
  (request, response) => {
    asked.push(request.url ?? '')
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://opencost')
    const window = searchParams.get('window') ?? ''
    const isRead = WINDOWS.some((form) => form.test(window))
    response.statusCode = isRead ? 200 : 400
    const refused = { code: 400, message: `Invalid 'window' parameter: illegal window: ${window}` }
    response.end(JSON.stringify(isRead ? (pathname.endsWith('/assets') ? ASSETS : ALLOCATION) : refused))
  }

describe('OpenCost by its API', () => {
  test('is asked for assets and for allocation by namespace, of one window', async () => {
    const asked: string[] = []
    const url = await serve(answering(asked))
    await openOpenCost({ url: `${url}/model/` }).figures(WINDOW)
    const window = 'window=2026-07-01T00%3A00%3A00Z%2C2026-07-02T00%3A00%3A00Z'
    expect(asked.toSorted()).toEqual([
      `/model/allocation?${window}&aggregate=namespace&includeIdle=true`,
      `/model/assets?${window}`,
    ])
  })

  test('tells nodes with GPU-hours and the cost of GPUs and of all, and what it does not know is unknown', async () => {
    const { nodes, namespaces } = await openOpenCost({ url: await serve(answering()) }).figures(WINDOW)
    expect(nodes).toEqual([
      {
        name: 'gpu-0',
        providerId: 'i-0abc',
        instanceType: 'p5.48xlarge',
        gpuHours: 192,
        gpuCost: 182.4,
        totalCost: 536.4,
      },
    ])
    expect(namespaces).toEqual([
      { name: 'ml', gpuHours: 96, gpuCost: 91.2 },
      { name: 'ml', gpuHours: undefined, gpuCost: undefined },
      { name: '__idle__', gpuHours: 0, gpuCost: 91.2 },
    ])
  })

  test.each([
    [500, '{"code":500,"message":"no data for window"}', 'answered 500 and not as OpenCost does: no data for window.'],
    [200, '{"code":400,"message":"bad window"}', 'bad window'],
    [200, '<html>', 'Give the address of its API (port 9003; /model for Kubecost).'],
  ])('that answers %d with %s is refused in words', async (status, body, words) => {
    const url = await serve((_request, response) => {
      response.statusCode = status
      response.end(body)
    })
    await expect(openOpenCost({ url }).figures(WINDOW)).rejects.toThrow(words)
  })
})
