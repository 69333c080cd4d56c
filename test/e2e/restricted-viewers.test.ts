import { OPERATIONS, type OperationKey } from '@septet/contract'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { eventually, signIn } from '../server-process.ts'
import { demoSeptet, openBrowser, type SharedSeptet } from '../shared/shared.ts'

type Header = { readonly authorization: string }

const RESTRICTED = { email: 'restricted@example.com', password: 'a long enough password' }

let septet: SharedSeptet
let admin: Header
/** The namespace that holds most MIG devices of the demo cluster: whose view has something of everything. */
let mine: string
let callers: Record<'member' | 'token', Header>

beforeAll(async () => {
  septet = await demoSeptet()
  admin = await signIn(septet)
  mine = await busiestNamespace()
  await signIn(septet, RESTRICTED)
  await ask(`/api/v1/members/${RESTRICTED.email}`, admin, {
    method: 'PUT',
    body: { role: 'viewer', namespaces: [mine] },
  })
  const made = await ask('/api/v1/tokens', admin, {
    method: 'POST',
    body: { name: 'of-a-restricted-viewer', role: 'viewer', namespaces: [mine] },
  })
  const { secret } = OPERATIONS.tokensCreate.output.parse(made)
  // The first usage is stored half a minute after the start.
  await eventually(
    async () =>
      OPERATIONS.costBreakdown.output.parse(
        await ask('/api/v1/cost?cluster=demo', { authorization: `Bearer ${secret}` }),
      ),
    ({ groups }) => groups.length > 0,
  )
  callers = { member: await signIn(septet, RESTRICTED), token: { authorization: `Bearer ${secret}` } }
})

type Request = { readonly method: string; readonly body: object }

async function ask(path: string, who: Header, { method, body }: Partial<Request> = {}): Promise<unknown> {
  const asked = {
    method: method ?? 'GET',
    headers: { ...who, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  }
  // What is still being analyzed is answered a moment later.
  const answer = await eventually(
    () => fetch(`${septet.url}${path}`, asked),
    ({ status }) => status !== 503,
  )
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method ?? 'GET'} ${path}: ${answer.status} ${text}`)
  return JSON.parse(text)
}

async function busiestNamespace(): Promise<string> {
  const { nodes } = await eventually(
    async () => OPERATIONS.partitionsList.output.parse(await ask('/api/v1/partitions?cluster=demo', admin)),
    (answer) => answer.nodes.some(({ used }) => used > 0),
  )
  const holders = nodes.flatMap(({ gpus }) =>
    gpus.flatMap(({ blocks }) => blocks.flatMap(({ holder }) => holder ?? [])),
  )
  const counts = new Map<string, number>()
  for (const holder of holders) {
    const namespace = holder.split('/')[0] ?? ''
    counts.set(namespace, (counts.get(namespace) ?? 0) + 1)
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? ''
}

/** What some questions cannot be asked without. */
const NEEDED: Readonly<Record<string, string>> = {
  'search.find': '&query=a',
  'partitions.room': '&profile=1g.10gb',
}

/** Every question that is answered for somebody who is limited to namespaces, and the list of clusters. */
const PATHS = (Object.keys(OPERATIONS) as OperationKey[])
  .map((key) => OPERATIONS[key])
  .filter(
    ({ method, reach, effect, path }) =>
      method === 'GET' && reach === 'namespaces' && effect === 'read' && !path.includes(':'),
  )
  // One workload is asked for by its own name, below.
  .filter(({ name }) => name !== OPERATIONS.workloadsGet.name)
  .map(({ name, path, input }) => `${path}?${'cluster' in input.shape ? 'cluster=demo' : ''}${NEEDED[name] ?? ''}`)
  .concat('/api/v1/partitions?cluster=demo&mig=false', '/api/v1/cost?cluster=demo&by=node', '/api/v1/clusters')

/** Questions that are too long for an address. */
const SAID: Readonly<Record<string, (namespace: string) => object>> = {
  '/api/v1/copilot': () => ({ cluster: 'demo', question: 'Where is the most waste?' }),
  '/api/v1/starts': (namespace) => ({
    cluster: 'demo',
    namespace,
    manifest:
      '{kind: Pod, metadata: {name: new}, spec: {containers: [{name: a, resources: {limits: {nvidia.com/gpu: 64}}}]}}',
  }),
}

/** Names of namespaces and workloads of the demo cluster that are nobody's but others', as whole names; none is a word. */
async function namesOfOthers(): Promise<RegExp> {
  const { workloads } = OPERATIONS.workloadsList.output.parse(
    await ask('/api/v1/workloads?cluster=demo&limit=2000', admin),
  )
  const own = new Set(workloads.filter(({ namespace }) => namespace === mine).flatMap(({ name }) => [name, mine]))
  const others = new Set(
    workloads
      .flatMap(({ namespace, name }) => [namespace, name])
      .filter((name) => !own.has(name) && /[\d-]/u.test(name)),
  )
  expect(others.size).toBeGreaterThan(20)
  return new RegExp(`(?<![\\w-])(?:${[...others].join('|')})(?![\\w-])`, 'u')
}

describe('a member and a token that are limited to one namespace', () => {
  test('are told no name of others, by any operation', async () => {
    expect(PATHS.length).toBeGreaterThanOrEqual(11)
    const others = await namesOfOthers()
    for (const [kind, who] of Object.entries(callers)) {
      const { workloads } = OPERATIONS.workloadsList.output.parse(await ask('/api/v1/workloads?cluster=demo', who))
      const own = `/api/v1/workload?cluster=demo&id=${encodeURIComponent(workloads[0]?.id ?? '')}`
      for (const path of [...PATHS, own]) {
        const text = JSON.stringify(await ask(path, who))
        expect([kind, path, others.exec(text)?.[0]]).toEqual([kind, path, undefined])
      }
      for (const [path, body] of Object.entries(SAID)) {
        const text = JSON.stringify(await ask(path, who, { method: 'POST', body: body(mine) }))
        expect([kind, path, others.exec(text)?.[0]]).toEqual([kind, path, undefined])
      }
    }
    const whole = JSON.stringify(await ask('/api/v1/workloads?cluster=demo', admin))
    expect(others.test(whole)).toBe(true)
  })

  test('see what the admin sees of that namespace', async () => {
    for (const who of Object.values(callers)) {
      const listed = async (header: Header) =>
        OPERATIONS.workloadsList.output
          .parse(await ask('/api/v1/workloads?cluster=demo&limit=2000', header))
          .workloads.filter(({ namespace }) => namespace === mine)
          .map(({ id }) => id)
          .toSorted()
      // The demo goes on: what one sees the other sees a moment later.
      const [seen] = await eventually(
        async () => [await listed(who), await listed(admin)] as const,
        ([theirs, known]) => theirs.length > 0 && JSON.stringify(theirs) === JSON.stringify(known),
      )
      expect(seen.length).toBeGreaterThan(0)
      const { groups, total } = OPERATIONS.costBreakdown.output.parse(await ask('/api/v1/cost?cluster=demo', who))
      expect(groups.map(({ key }) => key)).toEqual([mine])
      expect(total?.gpuHours.unallocated).toBeNull()
    }
  })

  test('see their blocks, and that other parts of the same GPUs are taken', async () => {
    const { nodes } = OPERATIONS.partitionsList.output.parse(
      await ask('/api/v1/partitions?cluster=demo', callers.token),
    )
    const blocks = nodes.flatMap(({ gpus }) => gpus.flatMap((gpu) => gpu.blocks))
    expect(blocks.some(({ holder }) => holder?.startsWith(`${mine}/`))).toBe(true)
    const others = blocks.filter(({ kind }) => kind === 'others')
    expect(others.length).toBeGreaterThan(0)
    expect(others.every(({ holder, busy, because }) => holder === null && busy === null && because !== null)).toBe(true)
  })

  test('are refused the audit log and may not change anything', async () => {
    await expect(ask('/api/v1/audit', callers.member)).rejects.toThrow('403')
    await expect(
      ask('/api/v1/recommendations/any/dismissal?cluster=demo', callers.token, {
        method: 'PUT',
        body: { reason: 'We keep it.' },
      }),
    ).rejects.toThrow('403')
  })
})

describe('the dashboard of a member who is limited to one namespace', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  test('has a figure or a reason in every card, and no panel that failed', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 1600 } })
    const thrown: string[] = []
    const failed: string[] = []
    page.on('pageerror', (error) => thrown.push(error.message))
    page.on('response', (answer) => {
      const path = new URL(answer.url()).pathname
      if (answer.status() >= 400 && path.startsWith('/api/v1/')) failed.push(`${answer.status()} ${path}`)
    })
    await page.goto(`${septet.url}/auth?next=${encodeURIComponent('/dashboard?cluster=demo')}`)
    await page.getByLabel('Email').fill(RESTRICTED.email)
    await page.getByLabel('Password', { exact: true }).fill(RESTRICTED.password)
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
    await page.waitForURL((url) => url.pathname.startsWith('/dashboard'))
    await page.getByText('Covers what your namespaces held').waitFor()
    await page.getByText('held by others, not shown').first().waitFor()
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    expect(await page.getByText('Unallocated', { exact: true }).count()).toBe(0)
    expect([thrown, failed]).toEqual([[], []])
    await page.close()
  })
})
