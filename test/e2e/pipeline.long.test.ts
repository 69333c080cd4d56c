import { describe, expect, test } from 'vitest'

import { refusedSeptet } from '../server-process.ts'
import { get, openBeforeTests, septet } from './demo-answers.ts'

openBeforeTests()

describe('the whole pipeline on the demo cluster', () => {
  test('a second process on the same data directory refuses in one sentence, and the first goes on', async () => {
    const second = await refusedSeptet({ dataDir: septet.dataDir, environment: { SEPTET_DEMO: 'off' } })
    expect(second.code).toBe(1)
    expect(second.errors).toContain(String(septet.pid))
    expect((await get('/readyz')).status).toBe(200)
  })

  test('a port in use is refused with what to do', async () => {
    const { port } = new URL(septet.url)
    const second = await refusedSeptet({ environment: { SEPTET_DEMO: 'off', SEPTET_PORT: port } })
    expect(second.code).toBe(1)
    expect(second.errors).toContain('SEPTET_PORT')
  })
})
