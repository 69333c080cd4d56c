import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import type { OPERATIONS, OutputOf } from '@septet/contract'
import type { ClusterAnalysis } from '@septet/domain'
import { beforeAll, describe, expect, test } from 'vitest'

import { childEnvironment } from '../child-environment.ts'
import { eventually } from '../server-process.ts'
import { demoSeptet, type SharedSeptet } from '../shared/shared.ts'

type Summary = OutputOf<typeof OPERATIONS.summaryGet>
type Cost = OutputOf<typeof OPERATIONS.costBreakdown>

const main = resolve(import.meta.dirname, '../../apps/cli/src/main.ts')

type Outcome = { readonly code: number; readonly out: string; readonly err: string }

/** `septet` as a process of its own, its outputs pipes, as in a script. */
function cli(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  const options = { env: { ...childEnvironment(), ...environment }, maxBuffer: 1e8 }
  return new Promise((done) => {
    execFile(process.execPath, ['--disable-warning=ExperimentalWarning', main, ...args], options, (error, out, err) => {
      done({ code: error === null ? 0 : Number(error.code), out, err })
    })
  })
}

let septet: SharedSeptet
let kubeconfig: string
let prometheus: string
const ask = async <Value>(path: string): Promise<Value> => (await (await fetch(`${septet.url}${path}`)).json()) as Value
const report = (...args: string[]): Promise<Outcome> =>
  cli(['report', '--kubeconfig', kubeconfig, '--prometheus', prometheus, ...args])

beforeAll(async () => {
  septet = await demoSeptet()
  kubeconfig = join(septet.dataDir, 'demo.kubeconfig')
  const server = /server: https(\S+)/u.exec(readFileSync(kubeconfig, 'utf8'))?.[1] ?? ''
  prometheus = `http${server}/prometheus`
})

const names = (rows: readonly { key: string }[]): string[] => rows.map(({ key }) => key).toSorted()

describe('septet report, from nothing but a cluster and its metrics engine', () => {
  test('as JSON tells what the server tells of the same day', async () => {
    const { code, out, err } = await report('--since', '24h', '--format', 'json')
    expect([code, err]).toEqual([0, ''])
    const analysis = JSON.parse(out) as ClusterAnalysis
    const hours = analysis.cost.fleet.hours
    // The server's day begins at the same whole hour and goes on to this minute; the report ends at the whole hour.
    const cost = await eventually(
      () => ask<Cost>('/api/v1/cost?cluster=demo&range=24h'),
      (answer) => (answer.total?.gpuHours.capacity ?? 0) > hours.capacity * 0.995,
    )
    const summary = await ask<Summary>('/api/v1/summary?cluster=demo&range=24h')
    const begins = Date.parse(cost.window?.from ?? '')
    // An hour may have begun between the two.
    expect(Math.abs(begins - analysis.window.from)).toBeLessThanOrEqual(3_600_000)
    expect(summary.capacity.gpus).toBe(analysis.capacity.gpus)
    expect(summary.capacity.nodes).toBe(analysis.capacity.nodes)

    // In the time that only one of the two covers a part may move by all GPUs; beyond it by the half percent of above, and by
    // as much again: of the minutes that the server saw itself it knows who held shared and silent GPUs, of the past nobody does.
    const ends = Date.parse(cost.window?.to ?? '')
    const uncovered = Math.abs(begins - analysis.window.from) + Math.abs(ends - analysis.window.to)
    const apart = (analysis.capacity.gpus * uncovered) / 3_600_000 + 0.01 * hours.capacity
    for (const part of ['capacity', 'used', 'idleHeld', 'unallocated', 'stranded', 'oversized', 'broken'] as const) {
      expect(Math.abs((cost.total?.gpuHours[part] ?? Number.NaN) - hours[part])).toBeLessThanOrEqual(apart)
    }
    const { busy } = analysis.utilization
    expect(busy.kind).toBe('known')
    const measured = busy.kind === 'known' ? busy.value : Number.NaN
    expect(Math.abs((summary.utilization.busy.value ?? Number.NaN) - measured)).toBeLessThanOrEqual(0.02)
    expect(names(cost.groups)).toEqual(names(analysis.cost.byNamespace))
  })
})

test('a report that cannot be made says why in one sentence on standard error, and prints nothing', async () => {
  const { code, out, err } = await cli(['report', '--kubeconfig', '/nowhere/config'])
  expect([code, out]).toEqual([1, ''])
  expect(err).toMatch(/^septet: [^\n]*\/nowhere\/config: there is no such file[^\n]*\n$/u)
})

test('a command that does not exist is refused with the list of those that do', async () => {
  const { code, out, err } = await cli(['rapport'])
  expect([code, out]).toEqual([2, ''])
  expect(err).toMatch(/Unknown command "rapport"[\s\S]*report/u)
})
