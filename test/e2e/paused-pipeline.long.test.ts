import { OPERATIONS } from '@septet/contract'
import { HOUR_MS } from '@septet/domain'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { descendantsOf } from '../child-processes.ts'
import { eventually, removeDataDir, startSeptet, type SeptetProcess } from '../server-process.ts'

let septet: SeptetProcess
let pipeline: number

beforeAll(async () => {
  septet = await startSeptet({ environment: { SEPTET_PIPELINES: 'process' } })
  await eventually(
    () => ask('24h'),
    ({ ok }) => ok,
  )
  // What it says of a past that is being read is another matter.
  await eventually(
    () => summary('24h'),
    ({ age }) => age === undefined,
  )
  pipeline = descendantsOf(septet.pid).find(({ command }) => command.includes('pipeline-main'))?.pid ?? 0
})
afterAll(async () => {
  if (pipeline > 0) process.kill(pipeline, 'SIGCONT')
  await septet.stop()
  await removeDataDir(septet.dataDir)
})

const ask = (range: string) => fetch(`${septet.url}/api/v1/summary?cluster=demo&range=${range}`)
const summary = async (range: string) => OPERATIONS.summaryGet.output.parse(await (await ask(range)).json())

/** By how much the window of an answer ends before the newest reading, milliseconds. */
const behind = ({ asOf, window }: Awaited<ReturnType<typeof summary>>): number =>
  Date.parse(asOf ?? '') - Date.parse(window?.to ?? '')

test('while its pipeline is paused, figures say that they are old and none are waited for in vain; after it they are of now', async () => {
  expect(pipeline).toBeGreaterThan(0)
  // A short range that is not over: what it lacks is soon more than 5 % of it.
  const now = Date.now()
  const open = `${new Date(now - 20_000).toISOString()}/${new Date(now + 80_000).toISOString()}`
  // On a busy machine the first to ask for a range is told that it is not ready.
  await eventually(
    () => ask(open),
    ({ ok }) => ok,
  )
  expect((await summary(open)).age).toBeUndefined()
  // The cluster is read on while nobody asks for that range.
  const read = await eventually(
    () => summary('24h'),
    ({ asOf }) => Date.parse(asOf ?? '') > now + 15_000,
  )
  expect(read.age).toBeUndefined()
  process.kill(pipeline, 'SIGSTOP')

  const old = await summary(open)
  expect(behind(old)).toBeGreaterThan(5000)
  expect(old.age).toMatch(/^These figures end at .*; the cluster was last read at .*not in them yet\.$/u)
  const never = await ask('6h')
  expect([never.status, await never.json()]).toMatchObject([503, { code: 'not-ready', todo: expect.any(String) }])

  process.kill(pipeline, 'SIGCONT')
  for (const range of [open, '6h']) {
    await eventually(
      () => summary(range),
      ({ age }) => age === undefined,
    )
  }
  expect(Math.abs(behind(await summary('6h')))).toBeLessThan(0.05 * 6 * HOUR_MS)
})
