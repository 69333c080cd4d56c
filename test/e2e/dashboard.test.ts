import { OPERATIONS } from '@septet/contract'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { axeFindings, overflow } from '../page-flaws.ts'
import { openBrowser, webFolder } from '../shared/shared.ts'
import { visitDashboard } from './dashboard/dashboard-page.ts'
import { NOW } from './dashboard/figures.ts'
import { liveRecommendations } from './dashboard/recommendations.ts'
import { clusters, healthy, openFixtureServer, signedIn } from './dashboard/fixture-server.ts'
import type { Answers, FixtureServer } from './dashboard/fixture-server.ts'

let browser: Browser
let server: FixtureServer

beforeAll(async () => {
  const dist = await webFolder()
  browser = await openBrowser()
  server = await openFixtureServer(dist)
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})
beforeEach(() => {
  server.answers = healthy()
  server.asked.length = 0
})

type Visit = { readonly path?: string; readonly now?: number; readonly answers?: Answers } & BrowserContextOptions

/** Opens a page at the instant of the fixtures. */
function visit(
  { path = '/dashboard', now = NOW, answers = {}, ...options }: Visit,
  look: (page: Page) => Promise<void>,
): Promise<void> {
  server.answers = { ...healthy(), ...answers }
  const at = { url: `${server.url}${path}`, session: signedIn(now), now }
  return visitDashboard({ browser, ...at, timezoneId: 'UTC', ...options }, look)
}

type Reply = Answers[string]

const problem = (status: number, code: string, words: { detail: string; todo: string }): Reply => {
  const body = { type: `/docs/problems#${code}`, title: code, status, code, ...words }
  return () => ({ status, body })
}

/** A summary as of a server that is older than the page. */
const older: Reply = () => ({ body: { source: { id: 'demo', name: 'Demo cluster', kind: 'demo' } } })

/** Refuses, except for one cluster, whose summary is as ever. */
const unless =
  (cluster: string, refusal: Reply): Reply =>
  (query) =>
    (query.get('cluster') === cluster ? healthy()['/api/v1/summary'] : refusal)?.(query) ?? 'hang-up'

const ground = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)

const chart = (page: Page) => page.getByTestId('trend-chart').locator('svg').first().waitFor()

describe('the fixtures', () => {
  test.each(['demo', 'sample'])('of %s are what the contract allows', (cluster) => {
    const query = new URLSearchParams({ cluster })
    for (const operation of Object.values(OPERATIONS)) {
      const reply = healthy()[operation.path]?.(query)
      if (reply === undefined || reply === 'hang-up') continue
      expect(operation.output.safeParse(reply.body).error).toBeUndefined()
    }
  })
})

describe('the Summary page', () => {
  test('shows the specification’s titles and the sample figures, labeled as such', async () => {
    await visit({ path: '/dashboard?cluster=sample' }, async (page) => {
      await chart(page)
      const text = await page.locator('body').innerText()
      const titles = ['GPU Optimization Summary', 'Real-time insights into your GPU infrastructure performance']
      const cards = ['Total Cost Savings', 'GPU Utilization', 'Active Workloads', 'MIG Efficiency']
      const figures = [
        '$324K',
        '+18% vs last month',
        '87.3%',
        '+2.3% above target',
        '127',
        '104 running · 23 queued',
        '94.7%',
      ]
      const rest = [
        'Dynamic partitioning active',
        'GPU Utilization Trend',
        'MIG Partition Status',
        'AI Optimization Recommendations',
        'Scale down gpu-a100-07',
        '$1,200/mo',
        '15% performance gain.',
        'Saves 23 minutes of queue time.',
        'All Systems Operational',
      ]
      for (const words of [...titles, ...cards, ...figures, ...rest, 'Sample data:', 'fixed figures', 'Not live'])
        expect(text).toContain(words)
      await expect.poll(() => page.title()).toBe('GPU Optimization Summary · Septet')
    })
  })

  test('keeps verified and estimated savings apart, and says so where nothing was measured', async () => {
    await visit({}, async (page) => {
      const card = page.getByRole('region', { name: 'Total Cost Savings' })
      await card.getByText('$84.2K').waitFor()
      expect(await card.innerText()).toMatch(/estimated[\s\S]*Verified\s+None yet[\s\S]*Capacity freed\s+\$23.4K/u)
      expect(await page.locator('main').innerText()).not.toMatch(/NaN|undefined|null|Infinity/u)
      await page.getByRole('button', { name: 'Utilization of a30-04: Not measured' }).waitFor()
    })
  })

  test('explains every figure on focus: formula, window, source and coverage', async () => {
    await visit({}, async (page) => {
      const figure = page.getByRole('button', { name: /^GPU utilization: 41.8%/u })
      await figure.focus()
      const card = page.getByRole('tooltip')
      await card.waitFor({ state: 'attached' })
      const words = await card.innerText()
      expect(words).toContain('Σ share × busy time')
      expect(words).toContain('Nov 19, 10:41 to Nov 20, 10:41')
      expect(words).toContain('usage rows of this cluster')
      expect(words).toContain('94% of the window')
      await page.keyboard.press('Escape')
      await card.waitFor({ state: 'detached' })
    })
  })

  test('opens a node by keyboard and says what its bars show', async () => {
    await visit({}, async (page) => {
      const node = page.getByRole('button', { name: /^mig-a100-01/u })
      await node.focus()
      await page.keyboard.press('Enter')
      await page.getByText('4g.40gb held by ml/vllm-7, 81% busy').first().waitFor()
      await page.getByText('placement inferred from the geometry').first().waitFor()
      await expect.poll(() => node.getAttribute('aria-expanded')).toBe('true')
    })
  })

  test('shows what a recommendation saves and risks, its steps and the way back', async () => {
    await visit({}, async (page) => {
      const panel = page.getByRole('region', { name: 'AI Optimization Recommendations' })
      await panel.getByText('3 of 11').waitFor()
      const tips = panel.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3 }) })
      await expect.poll(() => tips.count()).toBe(3)
      await panel.locator('summary').first().press('Enter')
      const first = await tips.first().innerText()
      for (const words of ['$4,200/mo', 'Cordon gpu-b', 'Uncordon gpu-b', 'Low risk', 'No pod moves'])
        expect(first).toContain(words)
      expect(await axeFindings(page)).toEqual([])
      await panel.getByRole('button', { name: '$4,200/mo' }).focus()
      await page
        .getByText(/Estimated: 2,920 GPU-h a month/u)
        .first()
        .waitFor()
      // A gain that no amount can be defended for is told in other units.
      expect(await tips.nth(1).innerText()).toContain('frees 3 GPUs')
    })
  })

  test('says why there is nothing to recommend', async () => {
    const empty = { ...liveRecommendations(), total: 0, recommendations: [] }
    const says = (madeAt: string | null, dismissed: number, words: RegExp): Promise<void> => {
      const answers = { '/api/v1/recommendations': () => ({ body: { ...empty, madeAt, dismissed } }) }
      return visit({ answers }, async (page) => {
        const panel = page.getByRole('region', { name: 'AI Optimization Recommendations' })
        await expect.poll(() => panel.getByRole('paragraph').allInnerTexts()).toEqual([expect.stringMatching(words)])
      })
    }
    await says(asOf, 2, /^Nothing to do: .* 2 dismissed\.$/u)
    await says(null, 0, /^None yet\. The first appear about a minute after usage is read\.$/u)
  })

  test('has a table behind the chart, in which gaps are gaps', async () => {
    await visit({}, async (page) => {
      await chart(page)
      const trend = page.getByRole('region', { name: 'GPU Utilization Trend', exact: true })
      await trend.getByRole('button', { name: 'By model' }).click()
      await trend.getByRole('img', { name: /^H100-80GB-HBM3: busy .* to .*, newest \d+%; held \d+%$/u }).waitFor()
      expect(await trend.getByRole('img').count()).toBe(3)
      expect(await axeFindings(page)).toEqual([])
      await trend.getByRole('button', { name: 'View as table' }).click()
      const table = page.getByRole('region', { name: 'Utilization as a table' })
      await expect.poll(() => table.getByRole('row').count()).toBe(97)
      await expect.poll(() => table.getByText('Not measured').count()).toBe(14)
    })
  })

  test('opens the four numbers of MIG efficiency and the list of problems', async () => {
    await visit({}, async (page) => {
      const opener = page.getByRole('button', { name: '4 numbers' })
      await opener.click()
      const numbers = page.getByRole('dialog', { name: 'The four numbers of MIG efficiency' })
      await expect.poll(() => numbers.innerText()).toMatch(/93\.4%[\s\S]*78\.1%[\s\S]*51\.2%[\s\S]*36\.4%/u)
      await page.keyboard.press('Escape')
      // A card that closes gives its focus back a moment later, which would close one that opened in between.
      await expect.poll(() => opener.evaluate((button) => button === document.activeElement)).toBe(true)
      await page.getByRole('button', { name: 'GPU fault, and more' }).click()
      await page.getByRole('dialog', { name: 'What is wrong' }).getByText('XID 79').waitFor()
    })
  })
})

describe('the address', () => {
  test('holds source and range, and back undoes a choice', async () => {
    await visit({}, async (page) => {
      await page.getByRole('radio', { name: 'Last 7 days' }).click()
      await page.getByText('Last 7 days, share of ready GPU time').waitFor()
      await page.getByRole('button', { name: /^Source:/u }).click()
      await page.getByRole('menuitemradio', { name: /Sample data/u }).click()
      await page.getByText('$324K').waitFor()
      await expect.poll(() => new URL(page.url()).search).toBe('?range=7d&cluster=sample')
      await page.goBack()
      await page.getByText('$84.2K').waitFor()
      await page.goBack()
      await page.getByText('Last 24 hours, share of ready GPU time').waitFor()
      await expect.poll(() => new URL(page.url()).search).toBe('')
    })
  })
})

const summaries = (): number => server.asked.filter((path) => path.startsWith('/api/v1/summary')).length
const asOf = new Date(NOW).toISOString()

describe('live updates', () => {
  test('ask again only for what an event names', async () => {
    await visit({}, async (page) => {
      await page.getByText('Connected', { exact: true }).waitFor()
      await page.getByText('$84.2K').waitFor()
      await chart(page)
      // The last of what is asked ahead for the other screens.
      await expect.poll(() => server.asked).toContain('/api/v1/alerts?days=7')
      server.asked.length = 0
      server.send({ kind: 'inventory', cluster: 'demo', asOf })
      await expect
        .poll(() => server.asked.toSorted())
        .toEqual([
          '/api/v1/clusters',
          '/api/v1/partitions?limit=8',
          '/api/v1/workloads?status=queued&sort=duration&limit=5',
          '/api/v1/workloads?status=running&limit=5',
        ])
    })
  })

  test('wait while paused and catch up on resuming', async () => {
    await visit({}, async (page) => {
      await page.getByText('Connected', { exact: true }).waitFor()
      await page.getByText('$84.2K').waitFor()
      await page.getByRole('button', { name: 'Pause live updates' }).click()
      await page.getByText('Paused', { exact: true }).waitFor()
      server.asked.length = 0
      server.send({ kind: 'analysis', cluster: 'demo', asOf })
      await page.waitForTimeout(300)
      expect(summaries()).toBe(0)
      await page.getByRole('button', { name: 'Resume live updates' }).click()
      await expect.poll(summaries).toBe(1)
    })
  })
})

describe('when something is not there', () => {
  test('a first run says how far it is and offers one next step', async () => {
    const connecting = { ...clusters[0], state: 'connecting', gpus: null, history: { done: 9, of: 30, detail: 'days' } }
    const answers: Answers = {
      '/api/v1/clusters': () => ({ body: { clusters: [connecting, clusters[1]] } }),
      '/api/v1/summary': unless('sample', problem(503, 'not-ready', { detail: 'Nothing yet.', todo: 'Wait.' })),
    }
    await visit({ answers }, async (page) => {
      await page.getByRole('heading', { name: 'Connecting to Demo cluster' }).waitFor()
      await page.getByText('9 of 30 · days').waitFor()
      await page.getByRole('button', { name: 'View sample data meanwhile' }).click()
      await page.getByText('$324K').waitFor()
      await expect.poll(() => new URL(page.url()).search).toBe('?cluster=sample')
    })
  })

  test('the server’s refusal is shown in its words, with the sources that still work', async () => {
    const unknown = problem(404, 'unknown-cluster', { detail: 'There is no cluster "prod".', todo: 'Ask for demo.' })
    await visit(
      { path: '/dashboard?cluster=prod', answers: { '/api/v1/summary': unless('demo', unknown) } },
      async (page) => {
        await page.getByRole('alert').getByText('There is no cluster "prod". Ask for demo.').waitFor()
        await page.getByRole('button', { name: 'Show Demo cluster' }).click()
        await page.getByText('$84.2K').waitFor()
        await expect.poll(() => page.getByRole('alert').count()).toBe(0)
      },
    )
  })

  test('a lost server leaves the last figures and says of when they are', async () => {
    await visit({}, async (page) => {
      await page.getByText('Connected', { exact: true }).waitFor()
      await page.getByText('$84.2K').waitFor()
      server.answers = { ...server.answers, '/api/v1/summary': () => 'hang-up' }
      server.send({ kind: 'analysis', cluster: 'demo', asOf })
      await page.getByText('Cannot reach the Septet server.').waitFor()
      await page.getByText('Showing data from 10:41.').waitFor()
      expect(await page.getByText('$84.2K').isVisible()).toBe(true)
    })
  })

  test('old figures turn grey and say so; they do not disappear', async () => {
    await visit({ now: NOW + 14 * 60_000 }, async (page) => {
      await page.getByText('The newest data is from 10:41, 14 min ago').waitFor()
      const color = (selector: string) =>
        page
          .locator(selector)
          .first()
          .evaluate((node) => getComputedStyle(node).color)
      const ink = await color('h1')
      await expect.poll(() => color('.figure')).not.toBe(ink)
      expect(await page.getByText('$84.2K').isVisible()).toBe(true)
    })
  })

  test('one panel that fails does not take the others with it', async () => {
    const broken = problem(404, 'not-found', { detail: 'The partitions cannot be read.', todo: 'See the log.' })
    await visit({ answers: { '/api/v1/partitions': broken } }, async (page) => {
      const panel = page.getByRole('region', { name: 'MIG Partition Status' })
      await panel.getByText('The partitions cannot be read. See the log.').waitFor()
      await page.getByText('$84.2K').waitFor()
      await expect.poll(() => page.getByRole('alert').count()).toBe(1)
    })
  })

  test('an answer that the Summary cannot draw takes neither the frame nor the other screens with it', async () => {
    const at = { url: `${server.url}/dashboard`, session: signedIn(NOW), now: NOW }
    server.answers = { ...healthy(), '/api/v1/summary': older }
    const context = await browser.newContext()
    try {
      await context.addInitScript(({ key, value }) => localStorage.setItem(key, value), at.session)
      const page = await context.newPage()
      await page.clock.setFixedTime(at.now)
      await page.goto(at.url)
      await page.getByRole('alert').getByText('The summary could not be loaded.').waitFor()
      await page.getByRole('button', { name: 'Load the page again' }).waitFor()
      await page.getByRole('link', { name: 'Alerts', exact: true }).first().click()
      await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor()
      // What failed of one screen is not said of the next.
      await expect.poll(() => page.getByText('The summary could not be loaded.').count()).toBe(0)
    } finally {
      await context.close()
    }
  })

  test('an unknown path is a page of its own, and is named in the console', async () => {
    const logged: string[] = []
    await visit({}, async (page) => {
      page.on('console', (message) => logged.push(message.text()))
      await page.goto(`${server.url}/dashboard/no/such/page`)
      await page.getByRole('heading', { name: '404' }).waitFor()
      await page.getByText('Oops! Page not found').waitFor()
      await expect.poll(() => logged.join('\n')).toContain('/dashboard/no/such/page')
      // The front page is another document, outside the router of the dashboard.
      expect(await page.getByRole('link', { name: 'Return to Home' }).getAttribute('href')).toBe('/')
    })
  })
})

describe('the theme', () => {
  test('follows the system, and a choice outlives a reload', async () => {
    await visit({ colorScheme: 'dark' }, async (page) => {
      const dark = await ground(page)
      await page
        .getByRole('button', { name: /^Theme:/u })
        .last()
        .click()
      await page.getByRole('menuitemradio', { name: 'Light' }).click()
      await expect.poll(() => ground(page)).not.toBe(dark)
      const light = await ground(page)
      await page.reload()
      await expect.poll(() => ground(page)).toBe(light)
    })
  })
})

// 640 is 1280 at 200 % zoom; 320 is where WCAG 1.4.10 asks for reflow.
test('nothing is cut off at 320, 360, 640 and 1280 pixels', async () => {
  await visit({}, async (page) => {
    await page.getByText('$84.2K').waitFor()
    await chart(page)
    await page.getByRole('button', { name: /^mig-h100-02/u }).click()
    for (const width of [320, 360, 640, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      await expect.poll(async () => [width, await overflow(page)]).toEqual([width, 0])
    }
  })
})

test('nothing moves by itself for those who asked for less motion', async () => {
  await visit({ reducedMotion: 'reduce' }, async (page) => {
    await page.getByText('$84.2K').waitFor()
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
  })
})
