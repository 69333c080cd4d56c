import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

import { describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/** Which package may import which; `apps/server/src/main.ts` and the command line's `main.ts` join parts and may import everything. */
const PACKAGES: Record<string, readonly string[]> = {
  'packages/domain': [],
  'packages/contract': ['domain'],
  'packages/connectors': ['domain'],
  'packages/solver': ['domain'],
  'packages/storage': ['domain'],
  'packages/simulator': ['domain'],
  'apps/web': ['contract', 'domain'],
  'apps/cli': ['contract', 'domain'],
  'apps/server': ['contract', 'domain'],
}
const JOINERS = ['apps/server/src/main.ts', 'apps/server/src/parts/', 'apps/cli/src/main.ts', 'apps/cli/src/connect.ts']

/** Inside `domain`, only leftwards. */
const DOMAIN_ORDER = ['units', 'access', 'gpu', 'cluster', 'analyze', 'cost', 'plan', 'alert']

/** Inside `server`, which folder may import which. */
const SERVER: Record<string, readonly string[]> = {
  usage: ['usage'],
  pipeline: ['pipeline', 'usage'],
  alerts: ['alerts'],
  operations: ['operations', 'usage'],
  auth: ['auth'],
  report: ['report', 'operations'],
  faces: ['faces', 'operations', 'auth', 'report'],
  copilot: ['copilot', 'operations', 'auth'],
}

type Import = { file: string; target: string; typeOnly: boolean }

const sources = Object.keys(PACKAGES).flatMap((folder) => filesBelow(join(root, folder, 'src')))
const imports = sources.filter((file) => !/\.(test|suite)\.tsx?$/u.test(file)).flatMap(importsOf)

describe('the import table holds', () => {
  test('between packages', () => {
    expect(imports.map(brokenBetweenPackages).filter(isText)).toEqual([])
  })
  test('inside domain, only leftwards', () => {
    expect(imports.map(brokenInsideDomain).filter(isText)).toEqual([])
  })
  test('inside the server', () => {
    expect(imports.map(brokenInsideServer).filter(isText)).toEqual([])
  })
  test('only pipeline/act.ts is handed a ClusterWriter', () => {
    const holders = sources.filter((file) => /\bClusterWriter\b/u.test(readFileSync(join(root, file), 'utf8')))
    const allowed =
      /^(packages\/domain\/src\/ports\.ts|packages\/connectors\/|apps\/server\/src\/(pipeline\/act|main)\.)/u
    expect(holders.filter((file) => !allowed.test(file))).toEqual([])
  })
  test('the parts of the page know no route, no query and no runtime of the domain', () => {
    const broken = imports.filter(
      ({ file, target, typeOnly }) =>
        file.startsWith('apps/web/src/ui/') &&
        (/^(react-router|@tanstack\/react-query)$/u.test(target) ||
          (target.startsWith('@septet/') && target !== '@septet/contract/figure-words' && !typeOnly)),
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
  const escaped = target.startsWith('.') && !resolved(file, target).startsWith(`${folder}/src/`)
  return escaped ? `${file} must not reach out of its package to ${target}` : undefined
}

function brokenInsideDomain({ file, target }: Import): string | undefined {
  const here = /^packages\/domain\/src\/(\w+)\//u.exec(file)?.[1]
  if (here === undefined || !target.startsWith('.')) return undefined
  const there = /^packages\/domain\/src\/(\w+)[./]/u.exec(resolved(file, target))?.[1] ?? ''
  const inOrder = DOMAIN_ORDER.indexOf(there) <= DOMAIN_ORDER.indexOf(here)
  return inOrder && DOMAIN_ORDER.includes(there) ? undefined : `${file} must not import ${there}`
}

function brokenInsideServer({ file, target }: Import): string | undefined {
  const here = /^apps\/server\/src\/(\w+)\//u.exec(file)?.[1] ?? ''
  const allowed = SERVER[here]
  if (allowed === undefined || !target.startsWith('.')) return undefined
  const there = /^apps\/server\/src\/(\w+)\//u.exec(resolved(file, target))?.[1]
  return there === undefined || allowed.includes(there) ? undefined : `${file} must not import ${there}`
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8')
  const statements = text.matchAll(/^\s*(?:import|export)\s+(type\s+)?(?:[^'"`;]*?\s+from\s+)?['"]([^'"]+)['"]/gmu)
  const dynamic = text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/gu)
  return [
    ...[...statements].map((match) => ({ file, target: match[2] ?? '', typeOnly: match[1] !== undefined })),
    ...[...dynamic].map((match) => ({ file, target: match[1] ?? '', typeOnly: false })),
  ]
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/u.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .toSorted()
}

const resolved = (file: string, target: string): string => relative(root, resolve(root, dirname(file), target))
const isText = (value: string | undefined): value is string => value !== undefined
