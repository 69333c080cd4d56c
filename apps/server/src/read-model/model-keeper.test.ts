import { theLast, type ModelSection, type ReadModelStore, type TimeRange } from '@septet/domain'
import { openTestStore } from '@septet/storage/testing'
import { expect, test } from 'vitest'

import { ModelKeeper } from './model-writer.ts'
import { analysisSection } from './section.ts'

const section = (key: string, version: number, text = `${key} ${version}`): ModelSection => ({
  key,
  version,
  bytes: Buffer.from(text),
})

const WEEK = theLast('7d')
const OCTOBER = { kind: 'calendar', name: 'last-month', zone: 'UTC' } as const
const of = (range: TimeRange, namespaces?: readonly string[]) => analysisSection({ range, namespaces })

async function opened() {
  const { readModels } = await openTestStore()
  let isDown = false
  const breakable: ReadModelStore = {
    ...readModels,
    write: (...written) => (isDown ? Promise.reject(new Error('down')) : readModels.write(...written)),
  }
  const breakDown = () => {
    isDown = true
    return () => (isDown = false)
  }
  const lost: number[] = []
  const keeper = new ModelKeeper({ cluster: 'c', store: breakable, onLost: () => lost.push(lost.length) })
  const kept = async () => (await readModels.read('c', 0)).map(({ key, version }) => `${key} ${version}`)
  return { readModels, keeper, kept, lost, breakDown }
}

test('of each section the last version is kept, and what an earlier pipeline wrote goes', async () => {
  const { readModels, keeper, kept } = await opened()
  await readModels.write('c', [section('nodes/7', 1)])
  keeper.add([section('state', 10), section('nodes/1', 11)])
  keeper.add([section('state', 12), { key: 'nodes/1', version: 13, bytes: undefined }])
  await keeper.flush()
  expect(await kept()).toEqual(['state 12'])
})

test('analyses of chosen windows and of namespaces have no end and are not kept', async () => {
  const { keeper, kept } = await opened()
  keeper.add([section(of(WEEK), 1), section(of(OCTOBER), 2), section(of(WEEK, ['lab']), 3)])
  await keeper.flush()
  expect(await kept()).toEqual([`${of(WEEK)} 1`])
})

test('what the store could not take is written the next time, unless it is outdated by then', async () => {
  const { keeper, kept, breakDown } = await opened()
  const mend = breakDown()
  keeper.add([section('state', 1), section('idle', 2)])
  await expect(keeper.flush()).rejects.toThrow('down')
  mend()
  keeper.add([section('state', 3)])
  await keeper.flush()
  expect(await kept()).toEqual(['idle 2', 'state 3'])
})

test('a store that lost everything asks for all of it', async () => {
  const { readModels, keeper, lost } = await opened()
  keeper.add([section('state', 1)])
  await keeper.flush()
  await readModels.forget('c')
  keeper.add([section('state', 2)])
  await keeper.flush()
  expect(lost).toEqual([0])
})
