import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { filesBelow, importsOf, isForTests, packageOf, resolved, root, type Import } from './imports.ts'

/** Which package may import which; `apps/server/src/main.ts` and the command line's `main.ts` join parts and may import everything. */
const PACKAGES: Record<string, readonly string[]> = {
  'packages/domain': [],
  'packages/contract': ['domain'],
  'packages/connectors': ['domain'],
  'packages/storage': ['domain'],
  'packages/plan-files': ['domain', 'contract'],
  'packages/tools': ['domain', 'contract'],
  'packages/copilot': ['domain', 'contract', 'tools'],
  'packages/auth': ['domain', 'contract'],
  'packages/simulator': ['domain'],
  'apps/web': ['contract', 'domain'],
  'apps/cli': ['contract', 'domain', 'plan-files'],
  'apps/server': ['auth', 'contract', 'copilot', 'domain', 'plan-files', 'tools'],
}
const JOINERS = [
  'apps/server/src/main.ts',
  'apps/server/src/composition/',
  'apps/cli/src/main.ts',
  'apps/cli/src/connect.ts',
  'apps/cli/src/connect-agent.ts',
  'apps/cli/src/connect-doctor.ts',
  'apps/cli/src/connect-store.ts',
]

/** Inside `domain`, only leftwards. */
const DOMAIN_ORDER = [
  'once-for',
  'words',
  'units',
  'access',
  'gpu',
  'cluster',
  'analyze',
  'cost',
  'bill',
  'fleet',
  'plan',
  'act',
  'replay',
  'alert',
]

/** Inside `domain/plan`, only upwards in this list: each folder stands on those before it. */
const PLAN_ORDER = [
  'words',
  'guardrail',
  'steps',
  'documents',
  'linear',
  'layout',
  'place',
  'right-size',
  'policy',
  'simulate',
  'explain',
  'repack',
  'reconfigure',
  'appointment',
  'fleet-plan',
  'recommend',
  'start',
  'check',
  'hero',
]

/** Inside the page, which folder may import which; `.` is the typed client at the top. */
const WEB: Record<string, readonly string[]> = {
  theme: [],
  ui: [],
  geometry: ['ui'],
  session: ['ui'],
  '.': ['session'],
  'sign-in': ['session', 'theme', 'ui'],
  site: ['geometry', 'theme', 'ui'],
  dashboard: ['.', 'geometry', 'session', 'theme', 'ui'],
}

/** Inside the dashboard what screens share, only upwards in this list. */
const DASHBOARD_SHARED = [
  'address',
  'client',
  'words',
  'form',
  'panel',
  'chart',
  'table',
  'gpu',
  'recommendation',
  'acting',
  'prices',
  'report',
]

/** A screen stands on what is shared and on no other screen. */
const SCREENS = ['summary', 'fleet', 'partitions', 'workloads', 'cost', 'actions', 'clusters', 'alerts', 'settings']

/** Around the screens, and knowing none of them; only the files beside the folders know all. */
const DASHBOARD_FRAME = ['copilot', 'ask', 'palette', 'shell']

/** Inside `server`, which folder may import which. */
const SERVER: Record<string, readonly string[]> = {
  usage: ['usage'],
  savings: ['savings', 'usage'],
  'read-model': ['read-model'],
  admission: ['admission'],
  pipeline: ['pipeline', 'read-model', 'usage'],
  act: ['act', 'pipeline'],
  alerts: ['alerts'],
  operations: ['operations', 'savings', 'usage'],
  report: ['report', 'operations'],
  copilot: ['copilot', 'operations'],
  faces: ['faces', 'operations', 'report'],
}
/** Who may know of sign-in, sessions and tokens: the others are handed a caller. */
const KNOWS_AUTH = ['faces', 'composition']

const sources = Object.keys(PACKAGES).flatMap((folder) => filesBelow(`${folder}/src`))
const imports = sources.filter((file) => !isForTests(file)).flatMap(importsOf)
const outside = ['bench', 'test'].flatMap(filesBelow)
const ofTests = [...sources.filter(isForTests), ...outside].flatMap(importsOf)

describe('the import table holds', () => {
  test('between packages', () => {
    expect(imports.map(brokenBetweenPackages).filter(isText)).toEqual([])
  })
  test('tests know other packages by their names, and no package knows the benchmarks', () => {
    expect(ofTests.filter(isReaching).map(({ file, target }) => `${file} must not reach for ${target}`)).toEqual([])
  })
  test('only tests and benchmarks draw with what packages offer for testing', () => {
    const broken = imports.filter(({ target }) => /^@septet\/[\w-]+\/testing(\/|$)/u.test(target))
    expect(broken.map(({ file, target }) => `${file} must not import ${target}`)).toEqual([])
  })
  test('inside domain, only leftwards', () => {
    expect(imports.map(brokenInsideDomain).filter(isText)).toEqual([])
  })
  test('inside domain/plan, only downwards', () => {
    expect(imports.map(brokenInsidePlan).filter(isText)).toEqual([])
  })
  test('inside the server', () => {
    expect(imports.map(brokenInsideServer).filter(isText)).toEqual([])
    expect(imports.map(brokenAboutAuth).filter(isText)).toEqual([])
  })
  test('inside the page', () => {
    expect(imports.map(brokenInsideWeb).filter(isText)).toEqual([])
  })
  test('inside the dashboard: no screen knows another', () => {
    expect(imports.map(brokenInsideDashboard).filter(isText)).toEqual([])
  })
  test('one file is handed a ClusterWriter, so that nothing is written past what it writes down', () => {
    const holders = sources.filter((file) => /\bClusterWriter\b/u.test(readFileSync(join(root, file), 'utf8')))
    const makers =
      /^packages\/(domain\/src\/(act\/cluster-writer|index)\.ts|connectors\/)|^apps\/server\/src\/composition\/connect-cluster\.ts/u
    expect(holders.filter((file) => !makers.test(file))).toEqual(['apps/server/src/act/hand.ts'])
  })
  test('the parts of the page know no route, no query and no runtime of the domain', () => {
    const broken = imports.filter(
      ({ file, target, typeOnly }) =>
        file.startsWith('apps/web/src/ui/') &&
        (/^(react-router|@tanstack\/react-query)$/u.test(target) ||
          (target.startsWith('@septet/') &&
            !/^@septet\/(contract\/figure-words|domain\/words)$/u.test(target) &&
            !typeOnly)),
    )
    expect(broken.map(({ file, target }) => `${file} must not import ${target}`)).toEqual([])
  })
  test('it was read from real files', () => {
    expect(imports.length).toBeGreaterThan(100)
  })
})

function brokenBetweenPackages({ file, target }: Import): string | undefined {
  const folder = Object.keys(PACKAGES).find((name) => file.startsWith(`${name}/`)) ?? ''
  if (JOINERS.some((joiner) => file.startsWith(joiner))) return undefined
  if (target.startsWith('@septet/')) {
    const [, wanted = ''] = target.split('/')
    const allowed = PACKAGES[folder] ?? []
    return allowed.includes(wanted) ? undefined : `${file} must not import ${target}`
  }
  const own = [`${folder}/src/`, ...(file.startsWith('apps/web/src/site/') ? ['apps/web/content/'] : [])]
  const escaped = target.startsWith('.') && !own.some((place) => resolved(file, target).startsWith(place))
  return escaped ? `${file} must not reach out of its package to ${target}` : undefined
}

/** Into a package from outside of it, or from a package to the benchmarks. What tests share in `test` is for all. */
function isReaching({ file, target }: Import): boolean {
  if (!target.startsWith('.')) return false
  const here = packageOf(file)
  const there = packageOf(resolved(file, target))
  return here !== there && there !== 'test' && !(here === 'test' && there === 'bench')
}

function brokenInsideDomain({ file, target }: Import): string | undefined {
  const here = /^packages\/domain\/src\/(\w+)\//u.exec(file)?.[1]
  if (here === undefined || !target.startsWith('.')) return undefined
  const there = /^packages\/domain\/src\/([\w-]+)[./]/u.exec(resolved(file, target))?.[1] ?? ''
  const inOrder = DOMAIN_ORDER.indexOf(there) <= DOMAIN_ORDER.indexOf(here)
  return inOrder && DOMAIN_ORDER.includes(there) ? undefined : `${file} must not import ${there}`
}

function brokenInsidePlan({ file, target }: Import): string | undefined {
  const folder = /^packages\/domain\/src\/plan\/([\w-]+)\//u
  const here = folder.exec(file)?.[1]
  const there = target.startsWith('.') ? folder.exec(resolved(file, target))?.[1] : undefined
  if (here === undefined || there === undefined) return undefined
  const known = PLAN_ORDER.includes(here) && PLAN_ORDER.includes(there)
  return known && PLAN_ORDER.indexOf(there) <= PLAN_ORDER.indexOf(here) ? undefined : `${file} must not import ${there}`
}

function brokenInsideServer({ file, target }: Import): string | undefined {
  const here = /^apps\/server\/src\/([\w-]+)\//u.exec(file)?.[1] ?? ''
  const allowed = SERVER[here]
  if (allowed === undefined || !target.startsWith('.')) return undefined
  const there = /^apps\/server\/src\/([\w-]+)\//u.exec(resolved(file, target))?.[1]
  return there === undefined || allowed.includes(there) ? undefined : `${file} must not import ${there}`
}

function brokenAboutAuth({ file, target }: Import): string | undefined {
  const here = /^apps\/server\/src\/(\w+)\//u.exec(file)?.[1]
  if (target !== '@septet/auth' || here === undefined || KNOWS_AUTH.includes(here)) return undefined
  return `${file} must not import ${target}`
}

function brokenInsideWeb({ file, target }: Import): string | undefined {
  const here = webFolder(file)
  const there = target.startsWith('.') ? webFolder(resolved(file, target)) : undefined
  if (here === undefined || there === undefined || here === there || here === 'bench') return undefined
  return WEB[here]?.includes(there) ? undefined : `${file} must not import ${target}`
}

function brokenInsideDashboard({ file, target }: Import): string | undefined {
  const folder = /^apps\/web\/src\/dashboard\/([\w-]+)\//u
  const here = folder.exec(file)?.[1]
  if (here === undefined || !target.startsWith('.')) return undefined
  const path = resolved(file, target)
  const there = path.startsWith('apps/web/src/dashboard/') ? (folder.exec(path)?.[1] ?? '.') : here
  return here === there || dashboardAllows(here).includes(there) ? undefined : `${file} must not import ${target}`
}

/** The folders of the dashboard that one of them may stand on. */
function dashboardAllows(folder: string): readonly string[] {
  const [shared, frame] = [DASHBOARD_SHARED.indexOf(folder), DASHBOARD_FRAME.indexOf(folder)]
  if (shared >= 0) return DASHBOARD_SHARED.slice(0, shared)
  if (frame >= 0) return [...DASHBOARD_SHARED, ...DASHBOARD_FRAME.slice(0, frame)]
  return SCREENS.includes(folder) ? DASHBOARD_SHARED : []
}

/** `.` for a file beside the folders; undefined outside the page. */
function webFolder(file: string): string | undefined {
  const inside = /^apps\/web\/src\/(?:([\w-]+)\/)?/u.exec(file)
  return inside === null ? undefined : (inside[1] ?? '.')
}

const isText = (value: string | undefined): value is string => value !== undefined
