import { execFile } from 'node:child_process'
import { copyFile, mkdir, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { childEnvironment } from '../child-environment.ts'
import { newDataDir, removeDataDir, signIn, startSeptet, type SeptetProcess } from '../server-process.ts'

const MAIN = resolve(import.meta.dirname, '../../apps/cli/src/main.ts')

let septet: SeptetProcess
let folder: string
/** An API token that the first Septet gave. */
let token: string
beforeAll(async () => {
  folder = await newDataDir()
  septet = await startSeptet({ environment: { SEPTET_DEMO: 'off' } })
  const answer = await fetch(`${septet.url}/api/v1/tokens`, {
    method: 'POST',
    headers: { ...(await signIn(septet)), 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'kept', role: 'viewer' }),
  })
  token = ((await answer.json()) as { secret: string }).secret
})
afterAll(async () => {
  await septet?.stop()
  await removeDataDir(septet.dataDir)
  await removeDataDir(folder)
})

/** What the command printed; rejects with what it said when it failed. */
const septetSays = async (...words: readonly string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, [MAIN, ...words], { env: childEnvironment() })).stdout

test('a backup of a Septet that runs is a Septet elsewhere, with its accounts', async () => {
  const file = join(folder, 'septet.backup')
  expect(await septetSays('backup', file, '--data-dir', septet.dataDir)).toMatch(
    /^Backed up \d+ tables of .* MiB\)\.\n$/u,
  )
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  await expect(septetSays('backup', file, '--data-dir', septet.dataDir)).rejects.toThrow('exists already')
  await expect(septetSays('restore', file, '--data-dir', septet.dataDir)).rejects.toThrow('Another Septet')

  const dataDir = join(folder, 'new')
  await mkdir(dataDir)
  await copyFile(join(septet.dataDir, 'secret'), join(dataDir, 'secret'))
  await writeFile(join(folder, 'broken'), 'not a backup')
  await expect(septetSays('restore', join(folder, 'broken'), '--data-dir', dataDir)).rejects.toThrow(
    'not a backup of Septet',
  )
  expect(await septetSays('restore', file, '--data-dir', dataDir)).toContain('Start Septet with the secret')
  const second = await startSeptet({ dataDir, environment: { SEPTET_DEMO: 'off' } })
  try {
    const answer = await fetch(`${second.url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } })
    expect(await answer.json()).toMatchObject({ kind: 'token', name: 'token:kept' })
  } finally {
    await second.stop()
  }
})
