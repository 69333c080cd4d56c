import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { instant, type Instant } from '@septet/domain'
import { withoutInventory } from '@septet/plan-files'

import { UsageError } from '../options/command-options.ts'

/** Readings that Septet has not stored yet, on disk: they outlive an outage and a restart. */
export type ReadingBuffer = {
  /** By what this agent is known; kept with the readings. */
  readonly instance: string
  add(reading: PackedReading): Promise<void>
  /** The oldest one; undefined where none waits. */
  first(): Promise<PackedReading | undefined>
  /** When the newest one was taken. */
  newest(): Instant
  /** Those up to an instant are stored elsewhere, or given up. */
  drop(to: Instant): Promise<void>
  waiting(): WaitingReadings
  close(): Promise<void>
}
export type PackedReading = { readonly at: Instant; readonly hasInventory: boolean; readonly packed: Uint8Array }
export type WaitingReadings = {
  readonly readings: number
  readonly bytes: number
  readonly oldest: Instant | undefined
  /** Readings that were given up because the buffer was full, with when the first and the last were taken. */
  readonly lost: { readonly readings: number; readonly from: Instant; readonly to: Instant } | undefined
}

type Kept = { readonly at: Instant; readonly hasInventory: boolean; readonly bytes: number }

/**
 * Opens the folder of an agent. Where it grows beyond `mostBytes`, inventories go first, the oldest before, as a later one
 * replaces them; samples stay. Only when no inventory but the newest is left, the oldest readings go.
 */
export async function openReadingBuffer(folder: string, mostBytes: number): Promise<ReadingBuffer> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await lock(folder)
  const instance = await instanceIn(folder)
  const kept = await keptIn(folder)
  let lost: WaitingReadings['lost']
  const pathOf = (one: Kept): string => join(folder, nameOf(one))
  const bytes = (): number => kept.reduce((sum, one) => sum + one.bytes, 0)

  const thin = async (): Promise<boolean> => {
    const last = kept.findLastIndex(({ hasInventory }) => hasInventory)
    const index = kept.findIndex(({ hasInventory }) => hasInventory)
    const one = kept[index]
    if (one === undefined || index === last) return false
    const packed = await withoutInventory(await readFile(pathOf(one)))
    const thinned = { at: one.at, hasInventory: false, bytes: packed.length }
    await writeWhole(pathOf(thinned), packed)
    await rm(pathOf(one))
    kept[index] = thinned
    return true
  }
  const giveUpOldest = async (): Promise<void> => {
    const one = kept.shift()
    if (one === undefined) return
    lost = { readings: (lost?.readings ?? 0) + 1, from: lost?.from ?? one.at, to: one.at }
    await rm(pathOf(one), { force: true })
  }
  const add = async ({ at, hasInventory, packed }: PackedReading): Promise<void> => {
    const one = { at, hasInventory, bytes: packed.length }
    await writeWhole(pathOf(one), packed)
    kept.push(one)
    while (bytes() > mostBytes && kept.length > 1) if (!(await thin())) await giveUpOldest()
  }
  const first = async (): Promise<PackedReading | undefined> => {
    const [one] = kept
    return one && { at: one.at, hasInventory: one.hasInventory, packed: await readFile(pathOf(one)) }
  }
  const drop = async (to: Instant): Promise<void> => {
    for (let [one] = kept; one !== undefined && one.at <= to; [one] = kept) {
      await rm(pathOf(one), { force: true })
      kept.shift()
    }
  }
  // What is read and what is sent changes the same files.
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const next = last.then(work, work)
    last = next
    return next
  }
  return {
    instance,
    add: (reading) => inTurn(() => add(reading)),
    first: () => inTurn(first),
    newest: () => kept.at(-1)?.at ?? instant(0),
    drop: (to) => inTurn(() => drop(to)),
    waiting: () => ({ readings: kept.length, bytes: bytes(), oldest: kept[0]?.at, lost }),
    close: () => rm(join(folder, LOCK), { force: true }),
  }
}

const LOCK = 'agent.pid'
const NAME = /^(\d{1,16})(-inventory)?\.gz$/u

const nameOf = ({ at, hasInventory }: Kept): string => `${at}${hasInventory ? '-inventory' : ''}.gz`

/** What an agent that ended has left, oldest first. */
async function keptIn(folder: string): Promise<Kept[]> {
  const kept = new Map<number, Kept>()
  for (const name of await readdir(folder)) {
    if (name.endsWith('.unfinished')) await rm(join(folder, name), { force: true })
    const [, at, inventory] = NAME.exec(name) ?? []
    if (at === undefined) continue
    const { size } = await stat(join(folder, name))
    const one = { at: instant(Number(at)), hasInventory: inventory !== undefined, bytes: size }
    const twin = kept.get(one.at)
    // It was cut off while the inventory was taken out: the whole one stays.
    if (twin !== undefined) await rm(join(folder, nameOf(one.hasInventory ? twin : one)), { force: true })
    if (twin === undefined || one.hasInventory) kept.set(one.at, one)
  }
  return [...kept.values()].toSorted((a, b) => a.at - b.at)
}

/** The name appears once the bytes are on the disk. */
async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const aside = `${path}.unfinished`
  const file = await open(aside, 'w', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(aside, path)
}

async function instanceIn(folder: string): Promise<string> {
  const path = join(folder, 'instance')
  if (existsSync(path)) return (await readFile(path, 'utf8')).trim()
  const instance = randomUUID()
  await writeWhole(path, Buffer.from(instance))
  return instance
}

/** Two agents in one folder would send each other's readings. */
async function lock(folder: string): Promise<void> {
  const path = join(folder, LOCK)
  const holder = existsSync(path) ? Number(await readFile(path, 'utf8')) : undefined
  if (holder !== undefined && holder !== process.pid && isRunning(holder)) {
    throw new UsageError(`Another septet agent (process ${holder}) uses ${folder}. Stop it, or name another --dir.`)
  }
  await writeFile(path, String(process.pid), { mode: 0o600 })
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
