import type { OPERATIONS, OutputOf } from '@septet/contract'
import { describe, expect, test } from 'vitest'

import { eventually, refusedSeptet } from '../server-process.ts'
import { get, json, openBeforeTests, septet } from './demo-answers.ts'

openBeforeTests()

describe('the whole pipeline on the demo cluster', () => {
  test('history was read: the week has a point for nearly every hour', async () => {
    const trend = await eventually(
      () => json<OutputOf<typeof OPERATIONS.utilizationTrend>>('/api/v1/utilization?cluster=demo&range=7d'),
      (answer) => answer.points.length >= 160,
    )
    const known = trend.points.filter((point) => point.busy !== null)
    expect(known.length).toBeGreaterThanOrEqual(160)
    expect(new Set(known.map((point) => point.busy?.toFixed(3))).size).toBeGreaterThan(50)
  })

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
