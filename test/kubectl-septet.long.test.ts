import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { startDemoCluster, type DemoCluster } from '@septet/simulator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'

import { unpackKubectl } from './unpack-kubectl.ts'

const CLI = path.resolve(import.meta.dirname, '../apps/cli')
const Package = z.object({ bin: z.record(z.string(), z.string()) })

let folder = ''
let kubectl = ''
let demo: DemoCluster

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'septet-plugin-'))
  kubectl = await unpackKubectl(folder)
  const { bin } = Package.parse(JSON.parse(readFileSync(path.join(CLI, 'package.json'), 'utf8')))
  // As npm puts it on the path: a link to the entry that the package names.
  symlinkSync(path.join(CLI, bin['kubectl-septet'] ?? ''), path.join(folder, 'kubectl-septet'))
  demo = await startDemoCluster({ seed: 7, scale: 'small', dataDir: folder, turnMs: 100 })
})
afterAll(async () => {
  await demo.close()
  rmSync(folder, { recursive: true })
})

type Outcome = { readonly code: number; readonly out: string; readonly err: string }

function run(...args: readonly string[]): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const PATH = `${folder}:${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}`
  const env = { PATH, HOME: folder, KUBECONFIG: demo.kubeconfigPath }
  execFile(kubectl, [...args], { env }, (error, out, err) =>
    resolve({ code: error === null ? 0 : Number(error.code), out, err }),
  )
  return promise
}

test('kubectl finds the plugin, and it calls itself what it was called', async () => {
  expect((await run('plugin', 'list')).out).toContain('kubectl-septet')
  const { code, out } = await run('septet', '--help')
  expect([code, out]).toEqual([0, expect.stringContaining('kubectl septet VERB NOUN --help')])
  expect((await run('septet', 'get', 'summary', '--help')).out).toContain('kubectl septet get summary [flags]')
})

test('kubectl septet doctor looks at the cluster that kubectl is at, and exit codes come through', async () => {
  const { code, out } = await run('septet', 'doctor')
  expect(code).toBe(1)
  expect(out).toMatch(/^ok +GPUs: 40 of 40 nodes have GPUs/mu)
  expect((await run('septet', 'list', 'clusters', '--server', 'http://127.0.0.1:1')).code).toBe(5)
  expect((await run('septet', 'list', 'nothing')).code).toBe(2)
})
