import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { DAY_MS, instant, type AuditFact } from '@septet/domain'
import { afterEach, describe, expect, test } from 'vitest'

import { openTestStore } from './test-store.fixture.ts'
import { NOW, usageRow } from './usage-row.fixture.ts'

const FACT: AuditFact = {
  at: NOW,
  actor: 'system',
  action: 'test.run',
  object: '',
  outcome: 'done',
  ip: '',
  details: {},
}
const everything = { cluster: 'c', span: '5m', window: { from: instant(0), to: instant(NOW + DAY_MS) } } as const

describe('a store for a test', () => {
  test('is empty, whatever another has kept, and begins to count again', async () => {
    for (let turn = 0; turn < 2; turn += 1) {
      const store = await openTestStore()
      expect(await store.usage.stored()).toEqual({ '5m': [], '1h': [], '1d': [] })
      expect(await store.usage.coverage('c', '5m')).toBeUndefined()
      expect(await store.clusters.list()).toEqual([])
      expect(await store.settings.get('a')).toBeUndefined()
      expect(await store.access.mails.list(9)).toEqual([])
      await store.usage.write('c', [usageRow()])
      await store.usage.rollUp('c', instant(NOW + DAY_MS))
      await store.clusters.upsert({ id: 'c', name: 'c', kind: 'cluster', createdAt: NOW })
      await store.settings.put('a', turn)
      expect(await store.access.audit.append(FACT, { entry: () => 'hash', head: () => 'signature' })).toMatchObject({
        seq: 1,
      })
      await store.close()
    }
  })

  test('shares nothing with another that is open', async () => {
    const [one, other] = [await openTestStore(), await openTestStore()]
    await one.settings.put('a', 1)
    await one.usage.write('c', [usageRow()])
    expect(await other.settings.get('a')).toBeUndefined()
    expect(await other.usage.rows(everything)).toEqual([])
  })

  test('finishes what it was asked before it is closed, and refuses what it is asked after', async () => {
    const store = await openTestStore()
    const asked = store.settings.put('a', 1)
    await Promise.all([store.close(), store.close()])
    await expect(asked).resolves.toBeUndefined()
    const refusal = { name: 'StoreError', code: 'closed' }
    await expect(store.settings.get('a')).rejects.toMatchObject(refusal)
    await expect(store.usage.write('c', [usageRow()])).rejects.toMatchObject(refusal)
    expect(await (await openTestStore()).settings.get('a')).toBeUndefined()
  })
})

describe('the server of a process that was killed', () => {
  let child: ReturnType<typeof spawn> | undefined
  afterEach(() => void child?.kill('SIGKILL'))

  test('goes with its folder', async () => {
    const program = join(import.meta.dirname, 'test-postgres.fixture.ts')
    const script = `const { startTestPostgres } = await import(${JSON.stringify(program)})
      console.log((await startTestPostgres()).host)`
    child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = await once(child.stdout ?? child, 'data')
    const folder = dirname(dirname(String(line).trim()))
    expect(existsSync(join(folder, 'postgres/data/postmaster.pid'))).toBe(true)
    child.kill('SIGKILL')
    await expect.poll(() => existsSync(folder)).toBe(false)
  })
})
