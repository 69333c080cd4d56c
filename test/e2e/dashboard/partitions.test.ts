import { OPERATIONS } from '@septet/contract'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { draftLivePlan, factsOf, liveEfficiency, livePartitions, liveRoom } from '@septet/server/testing'
import { sampleEfficiency, samplePartitions } from '@septet/server/testing/sample'
import { draw } from '@septet/domain/testing'
import { NOW } from '@septet/web/testing'
import { axeFindings, overflow } from '../../page-flaws.ts'
import { openBrowser, webFolder } from '../../shared/shared.ts'
import { visitDashboard } from './dashboard-page.ts'
import { type Answers, type FixtureServer, healthy, openFixtureServer, signedIn } from './fixture-server.ts'

const LONG = `node-${'x'.repeat(240)}-<b>bold</b>`
const cluster = draw`
  a@train  A100-SXM4-80GB  [3g.40gb lab/x] [3g.40gb lab/y]
  a@train  A100-SXM4-80GB  [2g.20gb -] [1g.10gb web/z]
  b@train  A100-SXM4-80GB  [7g.80gb -]
  c@edge   A30             [2g.12gb web/q] [2g.12gb -]
  d@edge   T4              [1/2 web/r] [1/2 -]
  e@edge   A30             [2g.12gb lab/v]
  ${LONG}  A30             [4g.24gb -]`
const facts = factsOf(cluster, [])

/** The wish that the test makes by keyboard: two 3g.40gb on the GPU of b. */
const WISH = {
  targets: [
    {
      gpu: 'GPU-b-0',
      mig: true,
      instances: [
        { profile: '3g.40gb', start: 0 },
        { profile: '3g.40gb', start: 4 },
      ],
    },
  ],
  mayWait: false,
  maxDisplaced: 10,
}

let browser: Browser
let server: FixtureServer
let answers: Answers

beforeAll(async () => {
  const plan = await draftLivePlan(facts, OPERATIONS.plansDraft.input.parse(WISH))
  const efficiency = await liveEfficiency(facts)
  const lists = new Map<string, unknown>()
  const listOf = async (query: Record<string, string>): Promise<void> => {
    const input = OPERATIONS.partitionsList.input.parse(query)
    lists.set(new URLSearchParams(query).toString(), await livePartitions(facts, input))
  }
  for (const mig of ['true', 'false']) await listOf({ mig, limit: '40', offset: '0' })
  await listOf({ mig: 'false', limit: '1' })
  for (const node of ['a', 'b', 'gone']) await listOf({ mig: 'false', node, limit: '1' })
  await listOf({ search: 'web/', mig: 'true', limit: '40', offset: '0' })
  answers = {
    '/api/v1/partitions': (query) =>
      isSample(query) ? { body: samplePartitions() } : { body: lists.get(withoutCluster(query)) ?? {} },
    '/api/v1/partitions/efficiency': (query) => ({ body: isSample(query) ? sampleEfficiency() : efficiency }),
    '/api/v1/partitions/room': (query) => ({
      body: liveRoom(facts, OPERATIONS.partitionsRoom.input.parse(Object.fromEntries(query))),
    }),
    '/api/v1/plans/draft': () => ({ body: plan }),
  }
  const dist = await webFolder()
  browser = await openBrowser()
  server = await openFixtureServer(dist)
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})
beforeEach(() => {
  server.answers = { ...healthy(), ...answers }
  server.asked.length = 0
})

const isSample = (query: URLSearchParams): boolean => query.get('cluster') === 'sample'

function withoutCluster(query: URLSearchParams): string {
  const rest = new URLSearchParams(query)
  rest.delete('cluster')
  return rest.toString()
}

const visit = (
  { path, ...options }: { readonly path: string } & BrowserContextOptions,
  look: (page: Page) => Promise<void>,
): Promise<void> =>
  visitDashboard(
    { browser, url: `${server.url}${path}`, session: signedIn(NOW), now: NOW, timezoneId: 'UTC', ...options },
    look,
  )

describe('the partitions', () => {
  test('are listed with four numbers that are not one, and narrowed by what holds them', () =>
    visit({ path: '/dashboard/partitions?cluster=demo' }, async (page) => {
      await page.getByRole('heading', { name: 'MIG efficiency' }).waitFor()
      for (const name of ['Slice coverage', 'Slice allocation', 'Slice busy', 'Fragmentation'])
        await page
          .getByRole('button', { name: new RegExp(`^${name}: `, 'u') })
          .first()
          .waitFor()
      await page.getByRole('button', { name: 'a', exact: true }).waitFor()
      // A name that could be markup is text, however long.
      await page.getByText('<b>bold</b>', { exact: false }).first().waitFor()
      await page.getByLabel('Node or workload').fill('web/')
      await page.getByText('2 nodes').first().waitFor()
      await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('web/')
      expect(await overflow(page)).toBe(0)
    }))

  test('tell a free instance from memory that is not cut, and are not red where there is room to cut', () =>
    visit({ path: '/dashboard/partitions?cluster=demo' }, async (page) => {
      const row = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'e', exact: true }) })
      await row.getByText('room left').waitFor()
      expect(await page.getByText('none free').count()).toBe(0)
      const legend = page.getByRole('listitem')
      for (const name of ['free', 'unpartitioned']) await legend.getByText(name, { exact: true }).first().waitFor()
      await row.getByRole('img', { name: /2 memory slices unpartitioned/u }).waitFor()
    }))

  test('say what keeps a profile out, and who is in the way', () =>
    visit({ path: '/dashboard/partitions?cluster=demo&view=room' }, async (page) => {
      await page.getByLabel('Board').selectOption('A100-SXM4-80GB')
      await page.getByLabel('Profile').selectOption('3g.40gb')
      await page.getByText('One 3g.40gb fits after repartitioning free capacity', { exact: false }).waitFor()
      await page.getByText('Blocked by: 3g.40gb at 0, lab/Pod/x', { exact: false }).waitFor()
      await page.getByLabel('How many').fill('5')
      await page.getByText('does not fit without moving workloads', { exact: false }).waitFor()
      expect(await axeFindings(page)).toEqual([])
    }))

  test('become a target layout and a plan with its files, by keyboard alone', () =>
    visit({ path: '/dashboard/partitions?cluster=demo&node=b' }, async (page) => {
      const first = page.getByRole('button', { name: /^Place 7g\.80gb at memory slices 0 to 7/u })
      await first.focus()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Remove 3g.40gb from memory slices 0 to 3' }).waitFor()
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Remove 3g.40gb from memory slices 4 to 7' }).waitFor()
      await page.keyboard.press('Control+z')
      await page
        .getByRole('button', { name: 'Remove 3g.40gb from memory slices 4 to 7' })
        .waitFor({ state: 'detached' })
      await page.keyboard.press('Control+Shift+Z')
      await page.getByText('1 compute slice is stranded', { exact: false }).first().waitFor()
      await page.getByRole('button', { name: 'Draft plan' }).focus()
      const [request] = await Promise.all([page.waitForRequest(/plans\/draft/u), page.keyboard.press('Enter')])
      expect(request.postDataJSON()).toEqual({ cluster: 'demo', ...WISH })
      await page.getByText('None. No running pod stops.').waitFor()
      await page.getByText('Repartition 1 of 1 GPUs of b', { exact: false }).first().waitFor()
      await page.getByLabel('File', { exact: true }).selectOption('commands.sh')
      await page.getByText('kubectl patch configmap', { exact: false }).first().waitFor()
      expect(await axeFindings(page)).toEqual([])
    }))

  test('mark whoever would have to move, and say when the plan is for an older wish', () =>
    visit({ path: '/dashboard/partitions?cluster=demo&node=a' }, async (page) => {
      await page.getByRole('button', { name: /^Place 7g\.80gb/u }).click()
      await page.getByText('Must move: 3g.40gb at 0 (lab/Pod/x), 3g.40gb at 4 (lab/Pod/y)').waitFor()
      await page.getByRole('button', { name: 'Draft plan' }).click()
      await page.getByRole('region', { name: 'Draft plan' }).waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('before your last change', { exact: false }).waitFor()
      await expect.poll(() => page.getByText('Must move', { exact: false }).count()).toBe(0)
    }))

  test('say so when a node is gone, and when there is nothing to lay out behind sample data', async () => {
    await visit({ path: '/dashboard/partitions?cluster=demo&node=gone' }, async (page) => {
      await page.getByText('gone is not among the nodes that you see', { exact: false }).waitFor()
    })
    await visit({ path: '/dashboard/partitions?cluster=sample&view=room' }, async (page) => {
      await page.getByText('Sample data has no GPUs', { exact: false }).waitFor()
      expect(server.asked.filter((path) => path.includes('/room'))).toEqual([])
    })
    await visit({ path: '/dashboard/partitions?cluster=sample' }, async (page) => {
      // What sample data has not is said once, not in each of four numbers.
      await page.getByText('Sample data has only the one MIG efficiency', { exact: false }).waitFor()
      expect(await page.getByText('Not measured').count()).toBe(0)
    })
  })
})
