import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { eventually, newDataDir, removeDataDir, signIn, startSeptet } from '../server-process.ts'

const isRoot = process.getuid?.() === 0
const why = isRoot ? '' : ' (not run: only root drops to a user that the folder is closed to)'

test.skipIf(!isRoot)(`a data directory below a folder that only root may enter works${why}`, async () => {
  const closed = await newDataDir()
  await chmod(closed, 0o700)
  const dataDir = join(closed, 'septet', 'data')
  await mkdir(join(closed, 'septet'))
  const septet = await startSeptet({ dataDir, environment: { SEPTET_DEMO: 'off' } })
  try {
    const ready = await eventually(
      () => fetch(`${septet.url}/readyz`),
      ({ status }) => status === 200,
    )
    expect(await ready.json()).toEqual({ status: 'ready', checks: { database: 'ok' } })
    const price = await fetch(`${septet.url}/api/v1/prices/everything`, {
      method: 'PUT',
      headers: { ...(await signIn(septet)), 'content-type': 'application/json' },
      body: JSON.stringify({ usdPerGpuHour: 2, source: 'contract of a test' }),
    })
    expect(price.status).toBe(200)
  } finally {
    expect(await septet.stop()).toBe(0)
    await removeDataDir(closed)
  }
})
