import { OPERATIONS } from '@septet/contract'
import { FIELDS, recordOf, SHOWN_FIELDS, SHOWN_MEANS } from '@septet/domain'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'

import { drawnFleet, NOW } from '@septet/web/testing'
import { visitDashboard } from './dashboard-page.ts'
import { healthy, signedIn } from './fixture-server.ts'
import type { Answers, FixtureServer } from './fixture-server.ts'
import { withFixtures } from './with-fixtures.ts'

const fleet = drawnFleet(10_000, 7)
const [FIRST = '', SECOND = ''] = fleet.frame.gpus.id
const HOSTILE = '<img src=x onerror="document.title=1">‮مهمة-🔥'.padEnd(253, 'x')

let browser: Browser
let server: FixtureServer
withFixtures((opened) => ({ browser, server } = opened))
beforeEach(() => {
  server.asked.length = 0
})

const unknown = (unit: string) => ({
  value: null,
  unit,
  quality: 'unknown',
  because: 'The exporter does not tell it of this GPU.',
  coverage: null,
  explain: { formula: 'as exported', window: null, source: 'the exporter' },
})
const measured = (value: number, unit: string) => ({ ...unknown(unit), value, quality: 'measured', because: null })

/** The card of one GPU: measured power, no memory, a fault in its past, and a day in which nothing was measured at first. */
const card = (id: string) => ({
  source: fleet.source,
  asOf: fleet.asOf,
  window: { from: '2026-11-16T10:45:00.000Z', to: '2026-11-17T10:45:00.000Z' },
  gpu: {
    id,
    index: 1,
    model: 'H100-80GB-HBM3',
    mode: 'whole',
    slots: 8,
    blocks: [
      {
        kind: 'busy',
        start: 0,
        size: 8,
        profile: null,
        placement: 'reported',
        busy: 0.62,
        holder: `team/Job/${HOSTILE}`,
        because: null,
      },
    ],
    fault: null,
  },
  node: {
    name: 'gpu-node-0000',
    pool: 'pool-a',
    ready: true,
    schedulable: true,
    mig: { strategy: 'mixed', config: null, state: null },
    problems: [],
  },
  identified: 'telemetry',
  reading: {
    at: fleet.asOf,
    memoryUsed: unknown('MiB'),
    memoryTotal: unknown('MiB'),
    memoryTotalOf: 'board',
    ...recordOf(SHOWN_FIELDS, (field) => unknown(FIELDS[field].unit)),
    power: measured(512, 'W'),
    temperature: measured(61, '°C'),
    xid: 0,
  },
  partitions: [
    {
      id,
      name: 'whole GPU',
      kind: 'busy',
      profile: null,
      busy: measured(0.62, 'ratio'),
      memoryUsed: unknown('MiB'),
      holders: [
        {
          workload: `team/Job/${HOSTILE}`,
          pod: `team/${HOSTILE}`,
          tenant: 'research',
          since: '2026-11-17T08:00:00.000Z',
          evidence: 'telemetry',
        },
      ],
    },
  ],
  faults: {
    complete: true,
    events: [{ at: '2026-11-16T22:10:00.000Z', code: 79, message: 'GPU 1 reported XID 79: it fell off the bus.' }],
  },
  day: {
    from: '2026-11-16T10:45:00.000Z',
    step: 300,
    partitions: [
      {
        id,
        name: 'whole GPU',
        busy: Array.from({ length: 288 }, (_, bucket) => (bucket < 100 ? null : 0.5 + (bucket % 9) / 30)),
        memory: Array.from({ length: 288 }, () => null),
      },
    ],
    ...recordOf(SHOWN_MEANS, () => Array.from({ length: 288 }, () => null)),
    power: Array.from({ length: 288 }, (_, bucket) => (bucket < 100 ? null : 400 + (bucket % 50))),
  },
})

const gone = {
  type: '/api#problem-not-found',
  title: 'Not found',
  status: 404,
  code: 'not-found',
  detail: 'There is no such GPU.',
  todo: 'Close this card.',
}

const answers = (): Answers => ({
  ...healthy(),
  '/api/v1/fleet': (query) => ({ body: query.get('known') === fleet.revision ? { ...fleet, frame: null } : fleet }),
  [`/api/v1/fleet/${FIRST}`]: () => ({ body: card(FIRST) }),
  [`/api/v1/fleet/${SECOND}`]: () => ({ body: card(SECOND) }),
  '/api/v1/fleet/GPU-gone': () => ({ status: 404, body: gone }),
})

type Visit = { readonly query?: string; readonly answers?: Answers } & BrowserContextOptions

/** Opens the fleet at the instant of the fixtures. */
function visit(
  { query = '', answers: more = {}, ...options }: Visit,
  look: (page: Page) => Promise<void>,
): Promise<void> {
  server.answers = { ...answers(), ...more }
  const at = { url: `${server.url}/dashboard/fleet?cluster=demo${query}`, session: signedIn(NOW), now: NOW }
  const viewport = { width: 1440, height: 900 }
  return visitDashboard({ browser, ...at, timezoneId: 'UTC', viewport, ...options }, look)
}

const map = (page: Page) => page.getByTestId('fleet-map')
const asked = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)

/** How many different colors the canvas shows; a blank one has a single color. */
const colors = (page: Page): Promise<number> =>
  map(page)
    .locator('canvas')
    .evaluate((canvas) => {
      if (!(canvas instanceof HTMLCanvasElement)) return 0
      const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] }
      const seen = new Set<string>()
      for (let at = 0; at < data.length; at += 4 * 97) seen.add(`${data[at]} ${data[at + 1]} ${data[at + 2]}`)
      return seen.size
    })

test('the fixtures are what the contract allows', () => {
  expect(OPERATIONS.fleetMap.output.safeParse(fleet).error).toBeUndefined()
  expect(OPERATIONS.fleetGpu.output.safeParse(card(FIRST)).error).toBeUndefined()
})

describe('the map', () => {
  test('draws ten thousand GPUs, and asks for the frame once', () =>
    visit({}, async (page) => {
      await expect.poll(() => colors(page)).toBeGreaterThan(4)
      server.send({ kind: 'inventory', cluster: 'demo', asOf: fleet.asOf ?? '' })
      await expect
        .poll(() => server.asked.filter((path) => path.startsWith('/api/v1/fleet')))
        .toEqual(['/api/v1/fleet?cluster=demo', `/api/v1/fleet?cluster=demo&known=${fleet.revision}`])
    }))

  test('is walked by keyboard alone: say, open, close, back', () =>
    visit({}, async (page) => {
      await expect.poll(() => colors(page)).toBeGreaterThan(4)
      await map(page).focus()
      await page.keyboard.press('Home')
      await page.keyboard.press('ArrowRight')
      await expect
        .poll(() => page.locator('output.sr-only').allTextContents())
        .toContainEqual(expect.stringMatching(/^gpu-node-0000, GPU 1, H100/u))
      await page.keyboard.press('Enter')
      const panel = page.getByRole('dialog')
      await panel.getByText('XID 79').first().waitFor()
      await expect.poll(() => asked(page, 'gpu')).toBe(SECOND)
      await page.keyboard.press('Escape')
      await panel.waitFor({ state: 'detached' })
      await expect.poll(() => asked(page, 'gpu')).toBeNull()
      await page.goBack()
      await panel.waitFor()
    }))

  test('is zoomed and moved by wheel and keys, and comes back whole', () =>
    visit({}, async (page) => {
      const fit = page.getByRole('button', { name: 'Fit' })
      await map(page).focus()
      await expect.poll(() => fit.getAttribute('aria-disabled')).toBe('true')
      await page.keyboard.press('+')
      await page.keyboard.press('Shift+ArrowDown')
      await expect.poll(() => fit.getAttribute('aria-disabled')).toBe('false')
      await fit.click()
      await expect.poll(() => fit.getAttribute('aria-disabled')).toBe('true')
    }))

  test('is narrowed down by legend and search, and the address keeps both', () =>
    visit({ query: '&q=gpu-node-00' }, async (page) => {
      await page.getByText('800 of 10,000 GPUs match').waitFor()
      await page.getByRole('button', { name: /^idle-held/u }).click()
      await expect.poll(() => asked(page, 'show')).toBe('idle')
      const matching = async () => (await page.getByText(/of 10,000 GPUs match/u).textContent())?.split(' ')[0]
      await expect.poll(async () => Number(await matching())).toBeLessThan(800)
      await page.goBack()
      await page.getByText('800 of 10,000 GPUs match').waitFor()
    }))

  test('is grouped, and the table is one key away', () =>
    visit({ query: '&group=pool' }, async (page) => {
      await map(page).waitFor()
      await page.keyboard.press('t')
      const table = page.getByRole('table', { name: 'Every GPU' })
      await table.waitFor()
      await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('10001')
      expect(await table.locator('tbody tr').count()).toBeLessThan(80)
      await table.getByRole('button', { name: 'gpu-node-0000 · GPU 1' }).click()
      await page.getByRole('dialog').waitFor()
      await expect.poll(() => [asked(page, 'view'), asked(page, 'gpu')]).toEqual(['table', SECOND])
    }))
})

describe('the card of a GPU', () => {
  test('shows hostile names as text, what is not measured as that, and the past with its gap', () =>
    visit({ query: `&gpu=${FIRST}` }, async (page) => {
      const panel = page.getByRole('dialog')
      await panel.getByRole('link', { name: HOSTILE.slice(0, 30) }).waitFor()
      expect(await page.title()).not.toBe('1')
      await panel.getByText('512').waitFor()
      await panel.getByText('Not measured').first().waitFor()
      await panel.getByText('Memory in use, last 24 hours: not measured.').waitFor()
      await panel.getByRole('heading', { name: 'Busy, last 24 hours' }).waitFor()
    }))

  test('of a GPU that is gone says so and leads back', () =>
    visit({ query: '&gpu=GPU-gone' }, async (page) => {
      await page.getByText('This GPU is not there').waitFor()
      await page.getByRole('button', { name: 'Back to the fleet' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await expect.poll(() => asked(page, 'gpu')).toBeNull()
    }))

  test('of a GPU that goes while it is open keeps what was known', () =>
    visit({ query: `&gpu=${FIRST}` }, async (page) => {
      await page.getByRole('dialog').getByText('512').waitFor()
      server.answers = { ...server.answers, [`/api/v1/fleet/${FIRST}`]: () => ({ status: 404, body: gone }) }
      server.send({ kind: 'inventory', cluster: 'demo', asOf: fleet.asOf ?? '' })
      await page.getByText('Below is its last known state.').waitFor()
      await expect.poll(() => page.getByRole('dialog').getByText('512').isVisible()).toBe(true)
    }))
})

describe('states', () => {
  const empty = { ...drawnFleet(0, 1) }
  const notReady = { ...gone, status: 503, code: 'not-ready', detail: 'Septet is reading Demo for the first time.' }
  const notAllowed = { ...gone, status: 403, code: 'not-allowed', detail: 'Not for you.' }

  test.each([
    ['an empty cluster', { body: { ...empty, now: { ...empty.now, notReady: [] } } }, 'No GPU to show'],
    ['one that was not read yet', { status: 503, body: notReady }, 'Septet is reading Demo for the first time.'],
    ['one that is not for this role', { status: 403, body: notAllowed }, 'Not for your role'],
  ])('%s has a page that says so', (_name, reply, words) =>
    visit({ answers: { '/api/v1/fleet': () => reply } }, async (page) => {
      await page.getByText(words).first().waitFor()
      expect(await map(page).count()).toBe(0)
    }),
  )

  test('one GPU is a map too', () =>
    visit({ answers: { '/api/v1/fleet': () => ({ body: drawnFleet(1, 3) }) } }, async (page) => {
      await page.getByText('1 GPU', { exact: true }).waitFor()
      await expect.poll(() => colors(page)).toBeGreaterThan(1)
    }))
})
