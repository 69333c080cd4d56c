import { LONG, MARKUP, ODD, of, oddClusters, openTestSeptet, TURNS, type TestSeptet } from '@septet/server/testing'
import { screen } from '@testing-library/dom'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { linesOf, wordsOf } from '../read-page.fake.ts'
import { openDashboardOf } from './open-dashboard.fake.tsx'

// Every screen over clusters as nobody would like them, and for somebody who may see one namespace, answered by the server
// itself.

const ADMIN = 'admin@septet.local'
/** May see the namespace `lab` only. */
const VIEWER = 'viewer@septet.local'

/** Every screen of figures, with its views. */
const SCREENS = [
  '',
  '/fleet',
  '/fleet?view=table',
  '/partitions',
  '/partitions?view=room',
  '/partitions?view=stranded',
  '/workloads',
  '/cost',
  '/cost?view=budgets',
  '/cost?view=prices',
  '/actions',
  '/actions/savings',
  '/actions/what-if',
  '/actions/what-if?from=now',
  '/alerts',
] as const

/** Sections of the settings that speak of clusters, names or people. */
const SETTINGS = [
  'clusters',
  'prices',
  'tenants',
  'policies',
  'acting',
  'retention',
  'notifications',
  'reports',
  'members',
  'about',
].map((section) => `/settings/${section}`)

let odd: TestSeptet
let none: TestSeptet
const tokens = new Map<string, string>()
beforeAll(async () => {
  const environment = { SEPTET_AUTHORIZED_EMAIL: `${ADMIN},${VIEWER}` }
  odd = await openTestSeptet({ environment, facts: { clusters: oddClusters } })
  none = await openTestSeptet({ environment, clusters: [] })
  for (const septet of [odd, none]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (const [key, token] of await signInBoth(septet)) tokens.set(key, token)
  }
})
afterAll(async () => {
  await odd?.close()
  await none?.close()
})

async function signInBoth(septet: TestSeptet): Promise<[string, string][]> {
  const admin = await septet.signIn(ADMIN)
  const member = await fetch(`${septet.url}/api/v1/members/${VIEWER}`, {
    method: 'PUT',
    headers: { ...admin, 'content-type': 'application/json' },
    body: JSON.stringify({ role: 'viewer', namespaces: ['lab'] }),
  })
  if (!member.ok) throw new Error(await member.text())
  const viewer = await septet.signIn(VIEWER)
  return [
    [`${septet.url} ${ADMIN}`, admin.authorization.replace('Bearer ', '')],
    [`${septet.url} ${VIEWER}`, viewer.authorization.replace('Bearer ', '')],
  ]
}

const visit = (septet: TestSeptet, path: string, who = ADMIN): ReturnType<typeof openDashboardOf> =>
  openDashboardOf(septet.url, `/dashboard${path}`, tokens.get(`${septet.url} ${who}`) ?? '')

const NO_VALUE = /NaN|undefined|\bnull\b|Infinity|\[object/u
const ONE_OF_MANY = /(?<![\d.,])1 (?:GPUs|nodes|rows|pods|slices|days|pools|devices|requests)\b/u
/** A share or an amount of 0, which would be a claim about what is not there. */
const ZERO = /(?<![\d.])0(?:\.0)?\s?%|\$0(?:\.00)?(?!\d)/u

/** Goes to a screen as a link does, and gives its text, which is never of a value that is none. */
async function textAt(path: string, rest: () => Promise<void>): Promise<string> {
  history.pushState(null, '', `/dashboard${path}`)
  dispatchEvent(new PopStateEvent('popstate'))
  await rest()
  // The script of a screen comes when it is opened, and what is not answered yet has a skeleton.
  await expect.poll(() => document.querySelector('main h1')).not.toBeNull()
  await expect.poll(() => document.querySelectorAll('main .waits:not(svg)').length).toBe(0)
  await rest()
  const main = screen.getByRole('main')
  const text = wordsOf(main)
  expect(`${path}: ${text}`).not.toMatch(NO_VALUE)
  expect([path, linesOf(main).filter((line) => ONE_OF_MANY.test(line))]).toEqual([path, []])
  expect(`${path}: ${text}`).not.toContain('could not be loaded')
  return text
}

describe('without a cluster', () => {
  test('every screen says so and leads to where one is added', async () => {
    const { rest, user } = await visit(none, '')
    for (const path of SCREENS) {
      // oxlint-disable-next-line no-await-in-loop -- one screen after the other
      expect(await textAt(path, rest)).toContain('You do not have access to a cluster yet.')
      const link = screen.getByRole('link', { name: 'Add a cluster' }).getAttribute('href')
      expect([path, link]).toEqual([path, '/dashboard/settings/clusters?add=cluster'])
    }
    await user.click(screen.getByRole('link', { name: 'Add a cluster' }))
    await screen.findByLabelText('Kubeconfig')
  })

  test('of a link to one that is gone, sample data is one press away', async () => {
    const { rest, user } = await visit(none, '')
    expect(await textAt('?cluster=gone', rest)).toContain('There is no cluster "gone".')
    await user.click(screen.getByRole('button', { name: 'View sample data' }))
    await screen.findByText('$324K')
  })

  test('somebody who may not add one is told who may', async () => {
    const { rest } = await visit(none, '', VIEWER)
    expect(await textAt('/fleet', rest)).toContain('An admin can add one, in Settings → Clusters.')
  })
})

const SAYS = {
  '': /No node of \S+ offers GPUs/u,
  '/fleet': /No GPU to show/u,
  '/fleet?view=table': /No GPU to show/u,
  '/partitions': /No GPU here is in MIG mode/u,
  '/partitions?view=room': /No GPU in this cluster supports MIG/u,
  '/partitions?view=stranded': /No GPU here is in MIG mode/u,
  '/workloads': /No workload is running on a GPU or waiting for one/u,
  '/cost': /Nothing was seen in this window/u,
  '/cost?view=budgets': /No budgets for this cluster yet/u,
  '/cost?view=prices': /No GPU was seen in this window/u,
  '/actions': /No recommendations yet/u,
  '/actions/savings': /No savings yet/u,
  '/actions/what-if': /No usage is stored yet/u,
  '/actions/what-if?from=now': /No node in this cluster has a GPU/u,
  '/alerts': /No alerts firing/u,
} satisfies Record<(typeof SCREENS)[number], RegExp>

describe('next to nothing', () => {
  test.each(['empty', 'without-gpus'])(
    'a cluster "%s" has no share and no amount, and every screen says why',
    async (cluster) => {
      const { rest } = await visit(odd, of(cluster, ''))
      for (const path of SCREENS) {
        // oxlint-disable-next-line no-await-in-loop -- one screen after the other
        const text = await textAt(of(cluster, path), rest)
        expect(`${path}: ${text}`).not.toMatch(ZERO)
        expect(`${path}: ${text}`).toMatch(SAYS[path])
      }
    },
  )

  test('one GPU fills every screen', async () => {
    const { rest } = await visit(odd, of('one', ''))
    // oxlint-disable-next-line no-await-in-loop -- one screen after the other
    for (const path of SCREENS) await textAt(of('one', path), rest)
    expect(await textAt(of('one', '/fleet'), rest)).toContain('1 GPU')
    expect(await textAt(of('one', '/cost'), rest)).toMatch(/Unallocated\s+−\$[\d.]+\s+100\.0%/u)
    expect(await textAt(of('one', '/partitions?view=room'), rest)).toContain('1 GPU with room')
  })
})

describe('a range of which nothing is known', () => {
  test.each([
    {
      range: '2019-03-01T00:00:00Z/2019-03-01T01:00:00Z',
      says: 'Nothing was seen in this window.',
      words: 'Mar 1, 2019, 01:00 to Mar 1, 2019, 02:00',
    },
    {
      range: '2099-03-01T00:00:00Z/2099-03-08T00:00:00Z',
      says: 'This window is in the future: there is no data yet.',
      words: 'Mar 1, 2099, 01:00',
    },
  ])('has no figure on any screen: $says', async ({ range, says, words }) => {
    const at = (path: string) => of('unseen', `${path}?zone=Europe/Berlin&range=${encodeURIComponent(range)}`)
    const { rest } = await visit(odd, at(''))
    await screen.findByRole('button', { name: (name) => name.startsWith(`Time range: ${words}`) })
    const summary = await textAt(at(''), rest)
    // Of now, and not of the range: what runs, and what recommendations would save. Of the range: nothing, which is no 0.
    for (const told of [
      'No GPU was seen in this window.',
      'No GPU-hours in this window.',
      'No utilization measured in this window.',
      'GPU Utilization Not measured',
    ])
      expect(summary).toContain(told)
    const cost = await textAt(at('/cost'), rest)
    for (const told of [
      says,
      'No GPU was in use or ready in this window.',
      'No day in this window has a known cost.',
      'No GPU was in use in this window.',
    ])
      expect(cost).toContain(told)
    expect(cost).not.toMatch(ZERO)
    expect(await textAt(`${at('/cost')}&view=prices`, rest)).toContain('No GPU was seen in this window')
    const workloads = await textAt(at('/workloads'), rest)
    expect(workloads).toMatch(/Idle GPU-h.*Running/u)
    expect(workloads).not.toMatch(/\$0\.00|No price/u)
  })
})

const CUTS = ['/cost?by=label&label=team', '/cost?by=pool', '/cost?by=namespace']

describe('names as long as Kubernetes allows, markup, emoji and text from right to left', () => {
  test('stay text on every screen', async () => {
    const { rest } = await visit(odd, of('strange', ''))
    for (const path of [...SCREENS, ...CUTS, ...SETTINGS, '/clusters']) {
      // oxlint-disable-next-line no-await-in-loop -- one screen after the other
      await textAt(of('strange', path), rest)
      expect([path, document.querySelectorAll('main b, img[src^="x"]').length]).toEqual([path, 0])
      expect([path, document.title]).toEqual([path, expect.stringMatching(/ · Septet$/u)])
    }
  })

  test('are shown as the scheduler wrote them', async () => {
    const { rest } = await visit(odd, of('strange', ''))
    await textAt(of('strange', '/workloads?view=waiting'), rest)
    expect(screen.getByRole('main').textContent).toContain(`${MARKUP}: ${ODD} ${LONG}`)
    expect(ODD).toContain(TURNS)
  })
})

describe('for somebody who may see one namespace, which holds half a GPU', () => {
  test('every screen shows what is theirs, names nobody else, and refuses with the role or the namespace it takes', async () => {
    const { rest } = await visit(odd, of('strange', ''), VIEWER)
    for (const path of [...SCREENS, ...SETTINGS, '/clusters']) {
      // oxlint-disable-next-line no-await-in-loop -- one screen after the other
      const text = await textAt(of('strange', path), rest)
      expect(`${path}: ${text}`).not.toMatch(/z-1|waits-1|train\b/u)
      expect([path, text.length > 100]).toEqual([path, true])
      const refusals = text.split('Not for your role').slice(1)
      const unsaid = refusals.filter(
        (words) => !/requires the (?:operator|admin) role|may see the namespace/u.test(words),
      )
      expect([path, unsaid]).toEqual([path, []])
    }
  })

  test('no total is of the whole cluster, and what cannot be known of a part is not told as 0', async () => {
    const { rest } = await visit(odd, of('strange', ''), VIEWER)
    const cost = await textAt(of('strange', '/cost'), rest)
    expect(cost).toMatch(/Held\s+\$[\d.]+\s+100\.0%\s+of what was held/u)
    expect(cost).not.toMatch(/Unallocated|Stranded|of the capacity/u)
    const summary = await textAt(of('strange', ''), rest)
    expect(summary).toMatch(/Active Workloads\s+2\s+1 running · 1 queued/u)
    // Nothing was measured, so no part that needs telemetry has a figure.
    expect(summary).toMatch(/Idle-held\s+Not measured/u)
    const partitions = await textAt(of('strange', '/partitions'), rest)
    expect(partitions).not.toMatch(/\b0\s+of 7/u)
    const stranded = await textAt(of('strange', '/partitions?view=stranded'), rest)
    expect(stranded).toContain('counted over whole GPUs')
    expect(stranded).not.toContain('every free slice fits some profile')
  })
})
