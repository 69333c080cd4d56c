import type { RequestListener } from 'node:http'

import { instant, type Instant, type Window } from '@septet/domain'
import { assert, asyncProperty, integer } from 'fast-check'
import { describe, expect, test } from 'vitest'

import { serve } from '../http/serve.fixture.ts'
import { allocated, ASSETS_IN, ALLOCATIONS_IN, node } from './opencost-answers.fixture.ts'
import { openOpenCost } from './open-opencost.ts'

const at = (text: string): Instant => instant(Date.parse(text))
const WINDOW = { from: at('2026-07-01T00:00:00Z'), to: at('2026-07-02T00:00:00Z') }

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }
const DAY_MS = 86_400_000
const today = (now: Instant): number => Math.floor(now / DAY_MS) * DAY_MS
const SECOND = String.raw`\d\d\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ`

type Read = (found: readonly string[], now: Instant) => readonly [from: number, to: number]

/** The windows that OpenCost reads: names, lengths that end with the unit that now is in, pairs of Unix seconds and of instants. */
const FORMS: readonly (readonly [form: RegExp, read: Read])[] = [
  [/^today$/u, (_, now) => [today(now), today(now) + DAY_MS]],
  [/^yesterday$/u, (_, now) => [today(now) - DAY_MS, today(now)]],
  [/^(\d+)w$/u, ([, weeks], now) => [today(now) + DAY_MS * (1 - 7 * Number(weeks)), today(now) + DAY_MS]],
  [
    /^(\d+)([mhd])$/u,
    ([, count, unit = ''], now) => {
      const length = UNIT_MS[unit] ?? Number.NaN
      const end = (Math.floor(now / length) + 1) * length
      return [end - Number(count) * length, end]
    },
  ],
  [/^(\d+)[,|-](\d+)$/u, ([, from, to]) => [Number(from) * 1000, Number(to) * 1000]],
  [new RegExp(`(${SECOND}),(${SECOND})`, 'u'), ([, from = '', to = '']) => [at(from), at(to)]],
]

/** A window as OpenCost reads it; undefined: it refuses it. */
function windowOf(text: string, now: Instant): Window | undefined {
  for (const [form, read] of FORMS) {
    const found = form.exec(text)
    if (found === null) continue
    const [from, to] = read(found, now)
    return { from: instant(from), to: instant(to) }
  }
  return undefined
}

describe('a window, as OpenCost reads it', () => {
  const now = at('2026-07-01T12:34:56Z')
  test.each([
    ['2026-07-01T00:00:00Z,2026-07-02T00:00:00Z', '2026-07-01T00:00:00Z', '2026-07-02T00:00:00Z'],
    ['1782864000,1782950400', '2026-07-01T00:00:00Z', '2026-07-02T00:00:00Z'],
    ['today', '2026-07-01T00:00:00Z', '2026-07-02T00:00:00Z'],
    ['yesterday', '2026-06-30T00:00:00Z', '2026-07-01T00:00:00Z'],
    ['2d', '2026-06-30T00:00:00Z', '2026-07-02T00:00:00Z'],
    ['6h', '2026-07-01T07:00:00Z', '2026-07-01T13:00:00Z'],
    ['1w', '2026-06-25T00:00:00Z', '2026-07-02T00:00:00Z'],
  ])('%s', (text, from, to) => expect(windowOf(text, now)).toEqual({ from: at(from), to: at(to) }))

  test.each([
    '2026-07-01T00:00:00.000Z,2026-07-02T00:00:00.000Z',
    '2026-07-01T02:00:00+02:00,2026-07-02T00:00:00Z',
    '',
  ])('is not "%s"', (text) => expect(windowOf(text, now)).toBeUndefined())

  test('is what it is asked for, whatever instants ours has', () =>
    assert(
      asyncProperty(integer({ min: 0, max: 4e12 }), integer({ min: 1000, max: 1e11 }), async (from, length) => {
        const asked: (string | null)[] = []
        const get = ({ url }: { readonly url: string }) => {
          asked.push(new URL(url).searchParams.get('window'))
          const body = JSON.stringify({ code: 200, data: {} })
          const whole = { cut: undefined, contentType: '', location: undefined, retryAfter: undefined }
          return Promise.resolve({ status: 200, body, ...whole })
        }
        await openOpenCost({ url: 'http://opencost', get }).figures({ from: instant(from), to: instant(from + length) })
        const [begin, end] = [from, from + length].map((ms) => Math.floor(ms / 1000) * 1000)
        expect(asked.map((text) => windowOf(text ?? '', now))).toEqual([0, 1].map(() => ({ from: begin, to: end })))
      }),
      { numRuns: 50 },
    ))
})

/** Answers both questions as OpenCost does: in plain text where it cannot read the window. */
const answering =
  (assets: unknown, allocation: unknown, asked: string[] = []): RequestListener =>
  (request, response) => {
    asked.push(request.url ?? '')
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://opencost')
    const window = searchParams.get('window') ?? ''
    if (windowOf(window, WINDOW.to) === undefined) {
      response.statusCode = 400
      response.end(`Invalid 'window' parameter: illegal window: ${window}\n`)
      return
    }
    response.end(JSON.stringify(pathname.endsWith('/assets') ? assets : allocation))
  }
const figuresOf = async (assets: unknown, allocation: unknown) =>
  openOpenCost({ url: await serve(answering(assets, allocation)) }).figures(WINDOW)
const enveloped = (data: unknown) => ({ code: 200, data })
const NOTHING = enveloped([])

describe('OpenCost by its API', () => {
  test('is asked for assets and for allocation by namespace, of one window', async () => {
    const asked: string[] = []
    const url = await serve(answering(NOTHING, NOTHING, asked))
    await openOpenCost({ url: `${url}/model/` }).figures(WINDOW)
    const window = 'window=2026-07-01T00%3A00%3A00Z%2C2026-07-02T00%3A00%3A00Z'
    expect(asked.toSorted()).toEqual([
      `/model/allocation?${window}&aggregate=namespace&includeIdle=true`,
      `/model/assets?${window}`,
    ])
  })

  test.each(Object.entries(ASSETS_IN))(
    'tells nodes with GPU-hours and the cost of GPUs and of all: %s',
    async (_, assets) => {
      expect((await figuresOf(assets, NOTHING)).nodes).toEqual([
        {
          name: 'gpu-0',
          providerId: 'i-0abc',
          instanceType: 'p5.48xlarge',
          gpuHours: 192,
          gpuCost: 182.4,
          totalCost: 536.4,
        },
      ])
    },
  )

  test.each(Object.entries(ALLOCATIONS_IN))('tells namespaces, and idle without hours: %s', async (_, allocation) => {
    expect((await figuresOf(NOTHING, allocation)).namespaces).toEqual([
      { name: 'ml', gpuHours: 96, gpuCost: 91.2 },
      { name: '__idle__', gpuHours: undefined, gpuCost: 91.2 },
    ])
  })

  test('tells a step after the other, and what it does not know is unknown', async () => {
    const { namespaces } = await figuresOf(
      NOTHING,
      enveloped([{ ml: allocated({ name: 'ml' }) }, null, {}, { ml: { name: 'ml', gpuHours: null, gpuCost: null } }]),
    )
    expect(namespaces).toEqual([
      { name: 'ml', gpuHours: 96, gpuCost: 91.2 },
      { name: 'ml', gpuHours: undefined, gpuCost: undefined },
    ])
    const [unknown] = (
      await figuresOf(enveloped({ a: node({ GPUHours: null, gpuCost: null, totalCost: null }) }), NOTHING)
    ).nodes
    expect(unknown).toMatchObject({ gpuHours: undefined, gpuCost: undefined, totalCost: undefined })
  })

  test.each([
    ['an empty list', []],
    ['an empty step', [{}]],
    ['a step that is null', [null]],
    ['an empty map', {}],
    ['null', null],
  ])('of a window without data says %s, which is nothing', async (_, data) => {
    expect(await figuresOf(enveloped(data), enveloped(data))).toEqual({ nodes: [], namespaces: [] })
  })

  test('corrected by a bill tells what GPUs cost after it, as its totals do', async () => {
    // A fifth less for the whole node: 536.4 - 107.28.
    const corrected = node({ adjustment: -107.28, totalCost: 429.12 })
    const less = allocated({ name: 'ml', gpuCostAdjustment: -18.24 })
    const { nodes, namespaces } = await figuresOf(enveloped({ corrected }), enveloped([{ ml: less }]))
    expect(nodes[0]?.gpuCost).toBeCloseTo(182.4 * 0.8, 9)
    expect(nodes[0]?.totalCost).toBe(429.12)
    expect(namespaces[0]?.gpuCost).toBeCloseTo(91.2 * 0.8, 9)
    const unsaid = enveloped({ unsaid: node({ adjustment: -1, gpuCost: null }) })
    expect((await figuresOf(unsaid, NOTHING)).nodes[0]?.gpuCost).toBeUndefined()
    const whole = node({ adjustment: -536.4, totalCost: 0 })
    expect((await figuresOf(enveloped({ whole }), NOTHING)).nodes[0]?.gpuCost).toBe(0)
  })

  test.each([
    [500, '{"code":500,"message":"no data for window"}', 'answered 500 and not as OpenCost does: no data for window.'],
    [200, '{"code":500,"status":"error","data":null,"message":"prometheus is away"}', ': prometheus is away.'],
    [400, "Invalid 'window' parameter: illegal window: x\n", "does: Invalid 'window' parameter: illegal window: x."],
    // Some versions refuse, and then go on to answer.
    [400, 'Invalid \'window\' parameter: illegal window: x\n{"code":200,"data":[]}', 'illegal window: x. Give'],
    [500, 'Error getting assets: boom\n', 'does: Error getting assets: boom.'],
    [200, '<html>', 'not as OpenCost does. Give the address of its API (port 9003; /model for Kubecost).'],
    [200, '{"code":200,"data":"nothing"}', 'not as OpenCost does. Give the address of its API'],
  ])('that answers %d with %s is refused in words', async (status, body, words) => {
    const url = await serve((_request, response) => {
      response.statusCode = status
      response.end(body)
    })
    await expect(openOpenCost({ url }).figures(WINDOW)).rejects.toThrow(words)
  })
})
