import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { draw, withRequests } from '@septet/domain/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { runPlan } from './run-plan.ts'

const SNAPSHOT = withRequests(draw`
  node-a  H100-80GB-HBM3  [lab/one]
  node-a  H100-80GB-HBM3  [lab/two]
  node-b  H100-80GB-HBM3  [lab/both]
  node-b  H100-80GB-HBM3  [lab/both]
  node-c  A100-SXM4-80GB  [-]
`)

const run = (...args: string[]): Promise<string> =>
  runPlan(['appointment', '--cluster', 'drawn', '--kubeconfig', 'k', '--for', '8h', ...args], {
    environment: {},
    progress: { step: () => undefined, end: () => undefined },
    enough: () => new AbortController().signal,
    snapshotOf: async () => SNAPSHOT,
  })
const WANTED = ['--gpus', '2', '--per-node', '2', '--model', 'h100', '--at', '2026-01-01T12:00Z']

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'septet-appointment-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('septet plan appointment', () => {
  test('prints when to close which node and whom to evict, and that no plan evicts fewer', async () => {
    const text = await run(...WANTED)
    expect(text).toContain('Keep 2 GPUs free from 2026-01-01 12:00 UTC to 2026-01-01 20:00 UTC')
    expect(text).toContain('Evicts 1 pod; no plan evicts fewer than 1 (proven).')
    expect(text).toMatch(/1 {2}2026-01-01T00:00:00Z {2}Cordon node-b/u)
    expect(text).toMatch(/2 {2}2026-01-01T11:49:30Z {2}Evict lab\/both/u)
    expect(text).toMatch(/4 {2}2026-01-01T20:00:00Z {2}Uncordon node-b/u)
    expect(text).toContain('there is no room for lab/both: once evicted, it waits.')
    expect(text).not.toContain('any free partition')
  })

  test('says how many can be had where not all can', async () => {
    const text = await run(...WANTED, '--gpus', '4', '--max-displaced', '1')
    expect(text).toContain('2 GPUs of 4 are available at 2026-01-01 12:00 UTC.')
    expect(text).toContain('With more than 1 pod evicted it would be 4.')
  })

  test('of MIG instances that are not there says which GPUs to cut first', async () => {
    const text = await run('--gpus', '2', '--profile', '1g.10gb', '--at', '2026-01-01T12:00Z')
    expect(text).toMatch(
      /0 × 1g\.10gb of 2 are available .* No GPU that is free now and in MIG mode could be partitioned/u,
    )
  })

  test('writes the plan as files, with what lets the work in', async () => {
    await run(...WANTED, '--out', folder)
    expect(readdirSync(folder).toSorted()).toEqual([
      'PLAN.md',
      'commands.sh',
      'evictions',
      'let-in.yaml',
      'plan.json',
      'undo',
    ])
    expect(readFileSync(join(folder, 'commands.sh'), 'utf8')).toContain(
      'not_before 1767268170 2026-01-01T11:49:30.000Z',
    )
  })

  test('is one JSON document for programs', async () => {
    expect(JSON.parse(await run(...WANTED, '--json'))).toMatchObject({
      kind: 'plan',
      proof: 'best',
      appointment: { evictions: 1, atLeast: 1 },
    })
  })

  test.each([
    [['--gpus', '0', '--at', '2026-01-01T12:00Z'], /whole number from 1/u],
    [['--gpus', '2', '--profile', 'small', '--at', '2026-01-01T12:00Z'], /--profile is "small" .* such as 1g\.20gb/u],
    [['--gpus', '2'], /Specify what you need: --at/u],
    [['--gpus', '2', '--at', '2026-01-01T12:00'], /a time with its zone/u],
    [['--gpus', '2', '--at', 'monday'], /a time with its zone/u],
    [['--gpus', '2', '--at', '2026-01-01T12:00Z', '--longest', 'long'], /a length of time from 5m/u],
  ])('is refused when it makes no sense: %j', async (args, words) => {
    await expect(run(...args)).rejects.toThrow(words)
  })
})
