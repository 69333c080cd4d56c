import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { openTestSeptet, type TestSeptetOptions } from '@septet/server/testing'
import { z } from 'zod'

/** Revisions of the protocol that the referee has frozen requirements for. */
export const REVISIONS = ['2026-07-28', '2025-11-25'] as const
export type Revision = (typeof REVISIONS)[number]

/** Scenarios that call no tool, resource or prompt of the referee, so that any server can be judged by them as it is. */
export const WITHOUT_FIXTURES: Readonly<Record<Revision, readonly string[]>> = {
  '2026-07-28': [
    'tools-list',
    'resources-list',
    'prompts-list',
    'caching',
    'dns-rebinding-protection',
    'sep-2164-resource-not-found',
    'server-sse-multiple-streams',
    'http-header-validation',
    'input-required-result-unsupported-methods',
  ],
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
  ],
}

const STATUSES = ['SUCCESS', 'FAILURE', 'WARNING', 'SKIPPED', 'INFO'] as const
const CHECKS = z.array(z.looseObject({ id: z.string(), status: z.enum(STATUSES), errorMessage: z.string().optional() }))
type Check = z.output<typeof CHECKS>[number]

/** What the referee found in one scenario. */
export type Scenario = { readonly name: string; readonly isRequired: boolean; readonly checks: readonly Check[] }

/** `tools` is the folder that holds the referee. */
export type RefereeOptions = TestSeptetOptions & { readonly tools: string }

/** What the referee finds on a Septet that is opened for it, in everything it has for servers of a revision. */
export async function refereeFinds(
  revision: Revision,
  { tools, ...options }: RefereeOptions,
): Promise<readonly Scenario[]> {
  const septet = await openTestSeptet(options)
  try {
    const referee = join(tools, 'node_modules/@modelcontextprotocol/conformance')
    return await runReferee(referee, `${septet.url}/mcp`, revision)
  } finally {
    await septet.close()
  }
}

/** Throws where it did not run all that the revision requires. */
async function runReferee(referee: string, url: string, revision: Revision): Promise<readonly Scenario[]> {
  const folder = await mkdtemp(join(tmpdir(), 'septet-referee-'))
  const main = join(referee, 'dist/index.js')
  const args = [main, 'server', '--url', url, '--requirements', revision, '-o', folder]
  try {
    // It ends with 1 where a required scenario fails; what it wrote says which.
    await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 }).catch(() => undefined)
    const required = await requiredBy(referee, revision)
    const found = await Promise.all(
      (await readdir(folder)).map(async (at): Promise<Scenario> => {
        const name = at.replace(/^server-/u, '').replace(/-\d{4}-\d\d-\d\dT.*$/u, '')
        const checks = CHECKS.parse(JSON.parse(await readFile(join(folder, at, 'checks.json'), 'utf8')))
        return { name, isRequired: required.includes(name), checks }
      }),
    )
    const missing = required.filter((name) => !found.some((scenario) => scenario.name === name))
    if (missing.length > 0) throw new Error(`The referee of MCP ${revision} did not run ${missing.join(', ')}.`)
    return found.toSorted((a, b) => a.name.localeCompare(b.name))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Whether nothing was found wrong; what was not run proves nothing. */
export const isPassed = ({ checks }: Scenario): boolean =>
  checks.some(({ status }) => status === 'SUCCESS') && checks.every(({ status }) => status !== 'FAILURE')

async function requiredBy(referee: string, revision: Revision): Promise<readonly string[]> {
  const text = await readFile(join(referee, `requirements/${revision}.yaml`), 'utf8')
  const [, list = ''] = /^server:\n((?: {2}- .*\n)+)/mu.exec(text) ?? []
  return [...list.matchAll(/^ {2}- (\S+)$/gmu)].map(([, name = '']) => name)
}
