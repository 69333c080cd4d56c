import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'

import type { OPERATIONS, OutputOf } from '@septet/contract'
import type { ClusterAnalysis } from '@septet/domain'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { childEnvironment } from '../child-environment.ts'
import { eventually, newDataDir, removeDataDir } from '../server-process.ts'
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
let folder: string
let prometheus: string
const ask = async <Value>(path: string): Promise<Value> => (await (await fetch(`${septet.url}${path}`)).json()) as Value
const report = (...args: string[]): Promise<Outcome> =>
  cli(['report', '--kubeconfig', kubeconfig, '--prometheus', prometheus, ...args])

beforeAll(async () => {
  septet = await demoSeptet()
  folder = await newDataDir()
  kubeconfig = join(septet.dataDir, 'demo.kubeconfig')
  const server = /server: https(\S+)/u.exec(readFileSync(kubeconfig, 'utf8'))?.[1] ?? ''
  prometheus = `http${server}/prometheus`
})
afterAll(() => removeDataDir(folder))

const cents = (amount: number | string | undefined): number => Math.round(Number(amount) * 100)

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

  test('as CSV has parts that add up to the cent, in every row, and cuts that add up to the fleet', async () => {
    const { code, out, err } = await report('--since', '6h', '--format', 'csv')
    expect([code, err]).toEqual([0, ''])
    const [head = [], ...rows] = out
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','))
    const records = rows.map((row) => Object.fromEntries(head.map((name, index) => [name, row[index] ?? ''])))
    expect(records.length).toBeGreaterThan(40)
    const parts = ['used', 'idle_held', 'oversized', 'unallocated', 'stranded', 'broken']
    for (const record of records.filter((one) => one['capacity_usd'] !== '')) {
      const sum = parts.reduce((total, part) => total + cents(record[`${part}_usd`]), 0)
      expect([record['key'], sum]).toEqual([record['key'], cents(record['capacity_usd'])])
    }
    const fleet = records.find((record) => record['cut'] === 'fleet')
    for (const cut of ['namespace', 'model', 'pool', 'node']) {
      const amounts = records.filter((record) => record['cut'] === cut).map((record) => cents(record['capacity_usd']))
      expect([cut, amounts.reduce((total, amount) => total + amount, 0)]).toEqual([cut, cents(fleet?.['capacity_usd'])])
    }
  })

  test('as text is for people: no color, no bar and nothing on standard error in a pipe', async () => {
    const { code, out, err } = await report('--since', '6h')
    expect([code, err]).toEqual([0, ''])
    expect(out).not.toContain('\u001B')
    expect(out).not.toContain('█')
    expect(out).toMatch(/GPUs +\d+ ready of \d+, on 40 nodes/u)
    expect(out).toMatch(/Idle-held +[\d,.]+ GPU-h/u)
    expect(out).toMatch(/Where capacity went +GPU-h +Cost +Of cost/u)
  })

  test('without a metrics engine tells what there is and claims nothing about use', async () => {
    const { code, out, err } = await cli(['report', '--kubeconfig', kubeconfig])
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/GPUs +\d+ ready of \d+, on 40 nodes/u)
    expect(out).toContain('not measured')
    expect(out).not.toMatch(/Busy +\d/u)
  })
})

const refusal = async (args: readonly string[], code: number): Promise<string> => {
  const outcome = await cli(['report', ...args])
  expect(outcome.out).toBe('')
  expect(outcome.code).toBe(code)
  expect(outcome.err).toMatch(/^septet: [^\n]+\n$/u)
  return outcome.err
}

const withKubeconfig = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

describe('septet report that cannot be made says why in one sentence, and prints nothing', () => {
  test('a kubeconfig that is not there', async () => {
    expect(await refusal(['--kubeconfig', '/nowhere/config'], 1)).toMatch(/\/nowhere\/config: there is no such file/u)
  })

  test('a kubeconfig that is none', async () => {
    const path = withKubeconfig('broken', 'clusters: [')
    expect(await refusal(['--kubeconfig', path], 1)).toMatch(/is not valid YAML/u)
  })

  test('a context that the kubeconfig does not have', async () => {
    expect(await refusal(['--kubeconfig', kubeconfig, '--context', 'production'], 1)).toMatch(/production/u)
  })

  test('an API server that is not there', async () => {
    const port = await closedPort()
    const text = readFileSync(kubeconfig, 'utf8').replace(/server: \S+/u, `server: https://127.0.0.1:${port}`)
    const said = await refusal(['--kubeconfig', withKubeconfig('gone', text)], 1)
    expect(said).toMatch(new RegExp(`127\\.0\\.0\\.1:${port}: the connection is refused; check the address`, 'u'))
  })

  test('a token that is refused, and that is not repeated', async () => {
    const text = readFileSync(kubeconfig, 'utf8').replace(/token: \S+/u, 'token: demo.expired')
    const said = await refusal(['--kubeconfig', withKubeconfig('expired', text)], 1)
    expect(said).toMatch(/401.*token has expired or was refused; renew it in the kubeconfig/u)
    expect(said).not.toContain('demo.expired')
  })

  test('a metrics engine that is not there', async () => {
    const url = `http://127.0.0.1:${await closedPort()}`
    const said = await refusal(['--kubeconfig', kubeconfig, '--prometheus', url, '--since', '6h'], 1)
    expect(said).toContain(url)
  })

  test('an address that is not a metrics engine', async () => {
    const said = await refusal(['--kubeconfig', kubeconfig, '--prometheus', septet.url, '--since', '6h'], 1)
    expect(said).toContain(septet.url)
  })

  test.each([
    [['--since', 'yesterday'], /--since is "yesterday"/u],
    [['--colour', 'red'], /--colour/u],
  ])('options that make no sense: %j', async (args, words) => {
    expect(await refusal(['--kubeconfig', kubeconfig, ...args], 2)).toMatch(words)
  })

  test('no cluster named at all', async () => {
    expect(await refusal([], 2)).toMatch(/--kubeconfig FILE/u)
  })
})

test('a command that does not exist is refused with the list of those that do', async () => {
  const { code, out, err } = await cli(['rapport'])
  expect([code, out]).toEqual([2, ''])
  expect(err).toMatch(/Unknown command "rapport"[\s\S]*report/u)
})

/** A port at which nobody listens. */
async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}
