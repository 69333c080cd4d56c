import type { Worker } from 'node:worker_threads'

import { readManifest } from '@septet/connectors'
import { Refusal, REFUSALS } from '@septet/contract'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { openDoor, type DoorOptions } from './door.ts'

const opened: ReturnType<typeof openDoor>[] = []
const threads: Worker[] = []
const warnings: string[] = []
const log = {
  info: () => undefined,
  warn: (_message: string, context?: object) => void warnings.push(JSON.stringify(context)),
  error: () => undefined,
}

function open(options: Omit<DoorOptions, 'log'> = {}): ReturnType<typeof openDoor> {
  const door = openDoor({ log, ...options })
  opened.push(door)
  return door
}
/** One whose readers never end, or take all memory, where they are told to. */
const openStuck = (milliseconds: number) =>
  open({ code: new URL('stuck-door.fixture.ts', import.meta.url), milliseconds })

const counted = (worker: Worker): void => {
  if (worker.threadName === 'door') threads.push(worker)
}
beforeAll(() => void process.on('worker', counted))
afterAll(() => void process.off('worker', counted))
afterEach(() => {
  for (const door of opened.splice(0)) door.stop()
  threads.splice(0)
  warnings.splice(0)
})

/** What someone is told of a refusal, with its status. */
const refusalOf = async (asked: Promise<unknown>): Promise<string> => {
  const error = await asked.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Refusal)) return `not refused: ${String(error)}`
  return `${REFUSALS[error.code].status} ${error.message} ${error.todo}`
}

const MANIFEST = '{kind: Pod, metadata: {name: a}, spec: {containers: [{resources: {limits: {nvidia.com/gpu: 1}}}]}}'

test('what is handed in is read as it would be here, one after the other in the same thread', async () => {
  const door = open()
  expect(threads).toEqual([])
  for (const text of [MANIFEST, 'kind: [', '{kind: ConfigMap}'])
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect(await door.manifest(text, 'lab')).toEqual(readManifest(text, 'lab'))
  expect(await door.contexts('{contexts: [], clusters: []}', [])).toEqual([])
  expect(threads).toHaveLength(1)
})

test('what is wrong with it is said as it would be here', async () => {
  await expect(open().kubeconfig('contexts: [')).rejects.toMatchObject({
    name: 'ConnectError',
    message: expect.stringContaining('The kubeconfig is not valid YAML'),
  })
})

test('a reader that is stuck is ended after its time, and those who wait are read by others', async () => {
  const door = openStuck(500)
  const asked = ['forever', 'one', 'forever', 'two'].map((text) => door.manifest(text, ''))
  const told =
    '413 Reading the manifest took more than 0.5 s or 128 MiB of memory, so it was stopped. Nothing was changed. Send less of it at once.'
  expect(await Promise.all([asked[0], asked[2]].map((each) => refusalOf(Promise.resolve(each))))).toEqual([told, told])
  expect(await Promise.all([asked[1], asked[3]])).toEqual(['read one', 'read two'])
  expect(warnings.join()).toContain('it took longer than 500 ms')
  expect(await door.contexts('three')).toBe('read three')
})

test('a reader that takes more memory than it may ends alone', async () => {
  const door = openStuck(60_000)
  expect(await refusalOf(door.contexts('memory'))).toMatch(
    /^413 Reading the kubeconfig took more than 60 s or 128 MiB/u,
  )
  expect(await door.contexts('one')).toBe('read one')
})

test('of more than can wait the last are told to come again', async () => {
  const door = openStuck(60_000)
  const asked = Array.from({ length: 40 }, (_, at) => door.manifest(`${at}`, ''))
  const told = await Promise.all(asked.map((each) => refusalOf(each)))
  expect(told.filter((words) => words.startsWith('not refused'))).toHaveLength(32)
  expect(new Set(told.slice(32))).toEqual(
    new Set(['503 Too many others are being read, so the manifest was not. Try again in a few seconds.']),
  )
})

test('threads that cannot start hold nobody up', async () => {
  const door = open({ code: new URL('nowhere.ts', import.meta.url) })
  expect(await refusalOf(door.manifest('one', ''))).toMatch(/^503 /u)
})

test('stopping ends what is read, and refuses what comes later', async () => {
  const door = openStuck(60_000)
  const asked = door.manifest('forever', '')
  await door.contexts('one')
  door.stop()
  const told = '503 Septet is shutting down, so the manifest was not read. Try again when it is back.'
  expect(await refusalOf(asked)).toBe(told)
  expect(await refusalOf(door.manifest('one', ''))).toBe(told)
  expect(warnings).toEqual([])
})
