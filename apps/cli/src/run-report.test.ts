import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { errorText } from '@septet/domain/words'
import { startDemoCluster, type DemoCluster } from '@septet/simulator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { exitCodeOf } from './exit-codes.ts'
import { openProgress } from './progress.ts'
import { runReport } from './run-report.ts'

let folder = ''
let demo: DemoCluster
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'septet-report-'))
  demo = await startDemoCluster({ seed: 7, scale: 'small', dataDir: folder })
})
afterAll(async () => {
  await demo?.close()
  rmSync(folder, { recursive: true })
})

/** What `septet report` prints, and what it shows of its progress in a pipe. */
async function report(...args: readonly string[]): Promise<{ readonly out: string; readonly shown: string }> {
  let shown = ''
  const progress = openProgress({ write: (text) => (shown += text) })
  const out = await runReport(args, { environment: {}, progress })
  return { out: String(out), shown }
}
const measured = (...args: readonly string[]) =>
  report('--kubeconfig', demo.kubeconfigPath, '--prometheus', demo.prometheusUrl, '--since', '6h', ...args)

describe('septet report, from nothing but a cluster and its metrics engine', () => {
  test('as CSV has parts that add up, in every row, and cuts that add up to the fleet', async () => {
    const { out } = await measured('--format', 'csv')
    const [head = [], ...rows] = out
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','))
    const records = rows.map((row) => Object.fromEntries(head.map((name, index) => [name, row[index] ?? ''])))
    expect(records.length).toBeGreaterThan(40)
    const parts = head.filter((name) => name.endsWith('_usd') && name !== 'capacity_usd')
    for (const record of records.filter((one) => one['capacity_usd'] !== '')) {
      const sum = parts.reduce((total, part) => total + Number(record[part]), 0)
      expect(sum).toBeCloseTo(Number(record['capacity_usd']), 4)
    }
    const fleet = records.find((record) => record['cut'] === 'fleet')
    for (const cut of ['namespace', 'model', 'pool', 'node']) {
      const amounts = records.filter((record) => record['cut'] === cut).map((record) => Number(record['capacity_usd']))
      const sum = amounts.reduce((total, amount) => total + amount, 0)
      expect(sum).toBeCloseTo(Number(fleet?.['capacity_usd']), 4)
    }
  })

  test('as text is for people: no color, no bar and no progress in a pipe', async () => {
    const { out, shown } = await measured()
    expect(shown).toBe('')
    expect(out).not.toContain('\u001B')
    expect(out).not.toContain('█')
    expect(out).toMatch(/GPUs +\d+ ready of \d+, on 40 nodes/u)
    expect(out).toMatch(/Idle-held +[\d,.]+ GPU-h/u)
    expect(out).toMatch(/Where capacity went +GPU-h +Cost +Of cost/u)
  })

  test('without a metrics engine tells what there is and claims nothing about use', async () => {
    const { out } = await report('--kubeconfig', demo.kubeconfigPath)
    expect(out).toMatch(/GPUs +\d+ ready of \d+, on 40 nodes/u)
    expect(out).toContain('not measured')
    expect(out).not.toMatch(/Busy +\d/u)
  })
})

/** Why it makes none, in one sentence. */
async function refusal(args: readonly string[], code: number): Promise<string> {
  const error: unknown = await report(...args).then(
    ({ out }) => expect.unreachable(out),
    (reason: unknown) => reason,
  )
  expect(exitCodeOf(error)).toBe(code)
  expect(errorText(error)).not.toContain('\n')
  return errorText(error)
}

const withKubeconfig = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

describe('septet report that cannot be made says why in one sentence', () => {
  test('a kubeconfig that is not there', async () => {
    expect(await refusal(['--kubeconfig', '/nowhere/config'], 1)).toMatch(/\/nowhere\/config: there is no such file/u)
  })

  test('a kubeconfig that is none', async () => {
    const path = withKubeconfig('broken', 'clusters: [')
    expect(await refusal(['--kubeconfig', path], 1)).toMatch(/is not valid YAML/u)
  })

  test('a context that the kubeconfig does not have', async () => {
    expect(await refusal(['--kubeconfig', demo.kubeconfigPath, '--context', 'production'], 1)).toMatch(/production/u)
  })

  test('an API server that is not there', async () => {
    const port = await closedPort()
    const text = readFileSync(demo.kubeconfigPath, 'utf8').replace(/server: \S+/u, `server: https://127.0.0.1:${port}`)
    const said = await refusal(['--kubeconfig', withKubeconfig('gone', text)], 1)
    expect(said).toMatch(new RegExp(`127\\.0\\.0\\.1:${port}: the connection is refused; check the address`, 'u'))
  })

  test('a token that is refused, and that is not repeated', async () => {
    const text = readFileSync(demo.kubeconfigPath, 'utf8').replace(/token: \S+/u, 'token: demo.expired')
    const said = await refusal(['--kubeconfig', withKubeconfig('expired', text)], 1)
    expect(said).toMatch(/401.*token has expired or was refused; renew it in the kubeconfig/u)
    expect(said).not.toContain('demo.expired')
  })

  test('a metrics engine that is not there', async () => {
    const url = `http://127.0.0.1:${await closedPort()}`
    const said = await refusal(['--kubeconfig', demo.kubeconfigPath, '--prometheus', url, '--since', '6h'], 1)
    expect(said).toContain(url)
  })

  test('an address that is not a metrics engine', async () => {
    const url = await pageServer()
    const said = await refusal(['--kubeconfig', demo.kubeconfigPath, '--prometheus', url, '--since', '6h'], 1)
    expect(said).toContain(url)
  })

  test.each([
    [['--since', 'yesterday'], /--since is "yesterday"/u],
    [['--colour', 'red'], /--colour/u],
  ])('options that make no sense: %j', async (args, words) => {
    expect(await refusal(['--kubeconfig', demo.kubeconfigPath, ...args], 2)).toMatch(words)
  })

  test('no cluster named at all', async () => {
    expect(await refusal([], 2)).toMatch(/--kubeconfig FILE/u)
  })
})

/** A port at which nobody listens. */
async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}

/** A server of pages, which is no metrics engine. */
async function pageServer(): Promise<string> {
  const server = createServer((_, response) => response.end('<h1>hello</h1>')).unref()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
