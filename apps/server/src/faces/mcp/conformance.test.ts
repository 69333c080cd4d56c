import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { openTestSeptet, type TestSeptet } from '../open-test-septet.fixture.ts'

const run = promisify(execFile)

let septet: TestSeptet
let folder: string

beforeAll(async () => {
  septet = await openTestSeptet()
  folder = await mkdtemp(join(tmpdir(), 'septet-mcp-'))
})
afterAll(async () => {
  await septet.close()
  await rm(folder, { recursive: true, force: true })
})

type Wanted = { readonly scenarios: readonly string[]; readonly stateless: number | undefined }

/** Scenarios of the referee that ask for no tool, resource or prompt of its own, by revision of the protocol. */
const WITHOUT_FIXTURES: readonly (readonly [string, Wanted])[] = [
  [
    '2026-07-28',
    {
      scenarios: [
        'tools-list',
        'resources-list',
        'prompts-list',
        'caching',
        'dns-rebinding-protection',
        'sep-2164-resource-not-found',
        'server-sse-multiple-streams',
        'http-header-validation',
        'input-required-result-unsupported-methods',
        'input-required-result-ignore-extra-params',
        'input-required-result-validate-input',
      ],
      stateless: 24,
    },
  ],
  [
    '2025-11-25',
    {
      scenarios: [
        'server-initialize',
        'ping',
        'tools-list',
        'resources-list',
        'prompts-list',
        'dns-rebinding-protection',
      ],
      stateless: undefined,
    },
  ],
]

test.each(WITHOUT_FIXTURES)(
  'the referee of MCP %s finds nothing wrong where it brings no fixtures',
  async (revision, { scenarios, stateless }) => {
    const main = join(
      dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
      'dist/index.js',
    )
    const args = [main, 'server', '--url', `${septet.url}/mcp`, '--requirements', revision, '-o', folder]
    // It ends with 1, as most of its scenarios bring fixtures.
    const { stdout } = await run(process.execPath, args, { maxBuffer: 2 ** 26 }).catch((error: unknown) => {
      if (error instanceof Error && 'stdout' in error) return { stdout: String(error.stdout) }
      throw error
    })
    const results = new Map(
      [...stdout.matchAll(/^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed/gmu)].map(([, name, passed, failed]) => [
        name,
        { passed: Number(passed), failed: Number(failed) },
      ]),
    )
    expect(results.size).toBeGreaterThan(20)
    expect(scenarios.filter((name) => results.get(name)?.failed !== 0)).toEqual([])
    expect(results.get('server-stateless')?.passed).toBe(stateless)
  },
)
