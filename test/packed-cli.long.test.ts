import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { parquetWriteFile } from 'hyparquet-writer'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

import { root } from './imports.ts'
import { demoSeptet, type SharedSeptet } from './shared/shared.ts'
import { oldNode } from './system-tools.ts'

const node = oldNode()
const PATH = [...(node === undefined ? [] : [path.dirname(node)]), process.env['PATH'] ?? ''].join(path.delimiter)
const CLI = path.join('node_modules', '.bin')

let septet: SharedSeptet
let folder: string
let archive: string
const at = (...parts: readonly string[]): string => path.join(folder, ...parts)

type Outcome = { readonly code: number; readonly out: string; readonly err: string }

function run(program: string, args: readonly string[]): Promise<Outcome> {
  const options = {
    cwd: folder,
    env: { PATH, HOME: folder, SEPTET_SERVER: septet.url, npm_config_update_notifier: 'false' },
    maxBuffer: 1e8,
  }
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  execFile(program, [...args], options, (error, out, err) =>
    resolve({ code: error === null ? 0 : Number(error.code), out, err }),
  )
  return promise
}
const cli = (...args: readonly string[]): Promise<Outcome> => run(at(CLI, 'septet'), args)

function pack(name: string): string {
  const words = ['scripts/pack.mjs', '--out', at(name), '--address', 'https://example.com/septet']
  execFileSync(process.execPath, words, { cwd: root })
  const [packed = ''] = readdirSync(at(name)).filter((file) => file.endsWith('.tgz'))
  return at(name, packed)
}

beforeAll(async () => {
  septet = await demoSeptet()
  folder = mkdtempSync(path.join(tmpdir(), 'septet-packed-'))
  archive = pack('release')
  const installed = await run('npm', ['install', '--offline', '--no-audit', '--no-update-notifier', archive])
  if (installed.code !== 0) throw new Error(installed.err)
})
afterAll(() => rmSync(folder, { recursive: true }))

describe(`the package, installed without a network on Node ${node === undefined ? process.versions.node : 'before 24'}`, () => {
  test('is alone, runs nothing when it is installed, and names what it holds of others', () => {
    expect(readdirSync(at('node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['septet'])
    const manifest = JSON.parse(readFileSync(at('node_modules/septet/package.json'), 'utf8'))
    expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining([expect.stringMatching(/scripts|ependencies/u)]))
    const notices = readFileSync(at('node_modules/septet/THIRD-PARTY-NOTICES.txt'), 'utf8')
    expect(notices).toMatch(/^@kubernetes\/client-node \d\S+: Apache-2\.0$/mu)
  })

  test('npx runs it, and it says its version and its name in kubectl', async () => {
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
    expect(await run('npx', ['--offline', 'septet', '--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' })
    expect((await cli('--help')).out).toContain('septet VERB NOUN --help')
    expect((await run(at(CLI, 'kubectl-septet'), ['--help'])).out).toContain('kubectl septet VERB NOUN --help')
  })

  test('asks a server: an answer, help of every command, and the exit codes', async () => {
    const answer = await (await fetch(`${septet.url}/api/v1/workloads?limit=3`)).json()
    const { code, out, err } = await cli('list', 'workloads', '--limit', '3', '-o', 'json')
    expect([code, err]).toEqual([0, ''])
    expect(Object.keys(JSON.parse(out))).toEqual(Object.keys(z.looseObject({}).parse(answer)))
    expect((await cli('completion', 'bash')).out).toContain('_septet')
    expect((await cli('list', 'workloads', '--limit', '9999')).code).toBe(2)
    expect((await cli('list', 'workloads', '--range', 'someday')).err).toMatch(/^septet: --range: /u)
    expect((await cli('list', 'workloads', '--server', 'http://127.0.0.1:9')).code).toBe(5)
    expect((await cli('doctor')).out).toContain('runs Septet')
  })

  test('reads a cluster without a server', async () => {
    const kubeconfig = path.join(septet.dataDir, 'demo.kubeconfig')
    const server = /server: https(\S+)/u.exec(readFileSync(kubeconfig, 'utf8'))?.[1] ?? ''
    const of = ['--kubeconfig', kubeconfig, '--prometheus', `http${server}/prometheus`]
    const { code, out, err } = await cli('report', ...of, '--since', '6h', '--format', 'json')
    expect([code, err]).toEqual([0, ''])
    expect(JSON.parse(out).capacity.gpus).toBe(204)
    expect((await cli('doctor', ...of)).out).toMatch(/actor|policy/u)
  })

  test('reads Parquet in its thread', async () => {
    const columnData = [{ name: 'BilledCost', data: [1] }]
    parquetWriteFile({ filename: at('bill.parquet'), columnData })
    const { err } = await cli('prices', '--bill', at('bill.parquet'))
    expect(err).toContain('EffectiveCost')
  })

  test('says of what only a server can do where to do it', async () => {
    const { code, out, err } = await cli('backup', at('a.backup'))
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(/^septet: .* run it where Septet is installed.*\n$/u)
    expect((await cli('backup', '--help')).code).toBe(0)
  })
})

test('krew takes the same package by its hash, and what it links is kubectl-septet; the same source is the same bytes', async () => {
  const { metadata, spec } = parse(readFileSync(at('release/septet.yaml'), 'utf8'))
  const [{ uri, sha256, files, bin }] = spec.platforms
  const bytes = readFileSync(archive)
  expect(metadata.name).toBe('septet')
  expect(uri).toBe(`https://example.com/septet/${path.basename(archive)}`)
  expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
  expect(spec.caveats).toContain('Node.js 20')
  expect(files).toEqual([{ from: 'package/*', to: '.' }])
  mkdirSync(at('store'))
  execFileSync('tar', ['-xzf', archive, '-C', at('store')])
  symlinkSync(at('store/package', bin), at('kubectl-septet'))
  expect((await run(at('kubectl-septet'), ['--help'])).out).toContain('kubectl septet VERB NOUN --help')
  expect(readFileSync(pack('again')).equals(bytes)).toBe(true)
})
