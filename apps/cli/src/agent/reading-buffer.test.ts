import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'

import { instant } from '@septet/domain'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { openReadingBuffer, type PackedReading, type ReadingBuffer } from './reading-buffer.ts'

let folder: string
const opened: ReadingBuffer[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'septet-buffer-'))
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((buffer) => buffer.close()))
  await rm(folder, { recursive: true })
})

const MANY = 1024 ** 3
async function open(mostBytes = MANY): Promise<ReadingBuffer> {
  const buffer = await openReadingBuffer(folder, mostBytes)
  opened.push(buffer)
  return buffer
}

const noise = (length: number) => Array.from({ length }, () => Math.random().toString(36).slice(2, 10)).join('')
/** Samples take some hundred bytes that do not compress, and an inventory ten times as many. */
function reading(at: number, hasInventory = false): PackedReading {
  const whole = { at, telemetry: noise(50), ...(hasInventory ? { inventory: noise(500) } : {}) }
  return { at: instant(at), hasInventory, packed: gzipSync(JSON.stringify(whole)) }
}
const SAMPLES = reading(0).packed.length

async function all(buffer: ReadingBuffer): Promise<readonly string[]> {
  const names: string[] = []
  for (let one = await buffer.first(); one !== undefined; one = await buffer.first()) {
    const held = gunzipSync(one.packed).toString()
    names.push(
      `${one.at}${held.includes('telemetry') ? ' samples' : ''}${held.includes('inventory') ? ' inventory' : ''}`,
    )
    expect(held.includes('inventory')).toBe(one.hasInventory)
    await buffer.drop(one.at)
  }
  return names
}

test('what one agent has kept the next one in the folder finds, oldest first, under the same name', async () => {
  const first = await open()
  for (const at of [100, 9, 1000]) await first.add(reading(at))
  await first.close()
  const second = await open()
  expect(second.instance).toBe(first.instance)
  expect(second.newest()).toBe(1000)
  expect(second.waiting()).toMatchObject({ readings: 3, oldest: 9, lost: undefined })
  expect(await all(second)).toEqual(['9 samples', '100 samples', '1000 samples'])
  expect((await readdir(folder)).filter((name) => name.endsWith('.gz'))).toEqual([])
})

test('what was dropped does not come back, and what was cut off while it was written never was', async () => {
  const first = await open()
  for (const at of [1, 2, 3]) await first.add(reading(at))
  await first.drop(instant(2))
  await first.close()
  await writeFile(join(folder, '4.gz.unfinished'), 'half')
  // Cut off between the two files of a reading whose inventory was taken out.
  const twin = reading(5, true)
  await writeFile(join(folder, '5-inventory.gz'), twin.packed)
  await writeFile(join(folder, '5.gz'), reading(5).packed)
  const second = await open()
  expect(await all(second)).toEqual(['3 samples', '5 samples inventory'])
  expect(await readdir(folder)).toEqual(['agent.pid', 'instance'])
})

test('a full folder loses inventories that a later one replaces, and no samples', async () => {
  const buffer = await open(20 * SAMPLES)
  for (let at = 1; at <= 10; at += 1) await buffer.add(reading(at, at % 3 === 1))
  expect(buffer.waiting()).toMatchObject({ readings: 10, lost: undefined })
  const kept = await all(buffer)
  expect(kept.map((one) => one.split(' ').slice(0, 2).join(' '))).toEqual(
    Array.from({ length: 10 }, (_, index) => `${index + 1} samples`),
  )
  expect(kept.filter((one) => one.endsWith('inventory'))).toEqual(['10 samples inventory'])
})

test('only where samples alone are too many the oldest go, and which ones is known', async () => {
  const buffer = await open(5.5 * SAMPLES)
  for (let at = 1; at <= 12; at += 1) await buffer.add(reading(at))
  const { lost, readings, bytes } = buffer.waiting()
  expect(bytes).toBeLessThanOrEqual(5.5 * SAMPLES)
  expect(lost).toEqual({ readings: 12 - readings, from: 1, to: 12 - readings })
  expect((await all(buffer)).at(-1)).toBe('12 samples')
})

test('a second agent in the folder is refused while the first one runs', async () => {
  await open()
  await writeFile(join(folder, 'agent.pid'), String(process.ppid))
  await expect(openReadingBuffer(folder, MANY)).rejects.toThrow(/^Another septet agent \(process \d+\) uses /u)
  await writeFile(join(folder, 'agent.pid'), '999999999')
  await expect(openReadingBuffer(folder, MANY)).resolves.toBeDefined()
})
