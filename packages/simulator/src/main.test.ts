import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { childEnvironment } from '../../../test/child-environment.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'septet-demo-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

type Child = {
  readonly line: Promise<string>
  readonly errors: Promise<string>
  readonly exit: Promise<number | null>
  end(): void
  /** What a parent leaves behind that dies at once: nobody writes and nobody reads. */
  abandon(): void
  kill(): void
}

function launch(environment: Record<string, string>): Child {
  const main = path.join(import.meta.dirname, 'main.ts')
  const child = spawn(process.execPath, [main], {
    env: { ...childEnvironment(), SEPTET_DATA_DIR: folder, ...environment },
    stdio: 'pipe',
  })
  const line = Promise.withResolvers<string>()
  const errors = Promise.withResolvers<string>()
  const exit = Promise.withResolvers<number | null>()
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => line.resolve(text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  child.once('close', (code) => {
    exit.resolve(code)
    errors.resolve(said)
  })
  return {
    line: line.promise,
    errors: errors.promise,
    exit: exit.promise,
    end: () => child.stdin.end(),
    abandon: () => {
      child.stdin.destroy()
      child.stdout.destroy()
    },
    kill: () => child.kill('SIGTERM'),
  }
}

describe('the demo cluster as a process', () => {
  test('says where it is in one line, answers, and ends with its input', async () => {
    const child = launch({})
    const ready = JSON.parse(await child.line) as Record<string, string | boolean>
    expect(ready).toMatchObject({ ready: true, kubeconfigPath: path.join(folder, 'demo.kubeconfig') })
    expect(existsSync(String(ready['kubeconfigPath']))).toBe(true)
    expect(readFileSync(String(ready['actorKubeconfigPath']), 'utf8')).toContain(String(ready['apiUrl']).slice(7))
    expect((await fetch(`${String(ready['apiUrl'])}/readyz`)).status).toBe(200)
    expect((await fetch(String(ready['exporterTargetsUrl']))).status).toBe(200)
    expect((await fetch(`${String(ready['prometheusUrl'])}/api/v1/status/buildinfo`)).status).toBe(200)
    child.end()
    expect(await child.exit).toBe(0)
  })

  test('ends without a word when its parent goes while it starts', async () => {
    const child = launch({})
    child.abandon()
    expect([await child.exit, await child.errors]).toEqual([0, ''])
  })

  test('ends on SIGTERM', async () => {
    const child = launch({})
    await child.line
    child.kill()
    expect(await child.exit).toBe(0)
  })

  test('names what is wrong with its settings', async () => {
    const child = launch({ SEPTET_DEMO_SCALE: 'vast', SEPTET_DEMO_SPEED: '-1' })
    expect(await child.exit).toBe(1)
    const said = await child.errors
    expect(said).toContain('SEPTET_DEMO_SCALE')
    expect(said).toContain('SEPTET_DEMO_SPEED')
  })
})
