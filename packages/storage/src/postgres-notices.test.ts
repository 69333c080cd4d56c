import { expect, test } from 'vitest'

import { openDatabase } from './connection.ts'
import { postgresNotices } from './postgres-notices.ts'
import { openPostgresStore } from './postgres-store.ts'
import { openTestStore } from './test-store.fixture.ts'

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

async function openTwo() {
  const one = await openTestStore()
  const { connection } = one
  const other = await openPostgresStore({ connection, log })
  return { one, other }
}

/** Listens, and writes down all that comes. */
async function ears(store: { readonly notices: Awaited<ReturnType<typeof openTestStore>>['notices'] }) {
  const said: string[] = []
  const listening = await store.notices.listen({
    heard: (text) => said.push(text),
    cut: () => said.push('(cut)'),
    missed: () => said.push('(missed)'),
    refused: ({ message }) => said.push(message),
  })
  return { said, stop: () => listening.stop() }
}

test('what one server tells is heard by all, itself too, in order and once', async () => {
  const { one, other } = await openTwo()
  const [own, theirs] = [await ears(one), await ears(other)]
  const texts = Array.from({ length: 50 }, (_, number) => `${number} ${'ä'.repeat(3900)}`)
  await one.notices.post(texts)
  await other.notices.post(['last'])
  await expect.poll(() => theirs.said.length).toBe(51)
  expect(theirs.said).toEqual([...texts, 'last'])
  await expect.poll(() => own.said).toEqual([...texts, 'last'])
  await Promise.all([own.stop(), theirs.stop()])
  await other.close()
})

test('a connection that is cut is opened again, and says that something was missed', async () => {
  const { one, other } = await openTwo()
  const { said, stop } = await ears(other)
  await one.cutListeners()
  await expect.poll(() => said).toEqual(['(cut)', '(missed)'])
  await one.notices.post(['after'])
  await expect.poll(() => said).toEqual(['(cut)', '(missed)', 'after'])
  await stop()
  await other.close()
})

test('nothing is told of a text that is too long, and nothing of what was told with it', async () => {
  const { one, other } = await openTwo()
  const { said, stop } = await ears(one)
  await expect(one.notices.post(['short', 'x'.repeat(8000)])).rejects.toThrow(/too long/u)
  await one.notices.post(['next'])
  await expect.poll(() => said).toEqual(['next'])
  await stop()
  await other.close()
})

test('a server that cannot listen yet goes on, and hears as soon as it can', async () => {
  const { connection, notices } = await openTestStore()
  const database = openDatabase({ connection, log })
  const nowhere = openDatabase({ connection: { ...connection, host: '127.0.0.1', port: 1 }, log })
  let tries = 0
  const beside = (ms: number) => (tries++ === 0 ? nowhere : database).beside(ms)
  const { said, stop } = await ears({ notices: postgresNotices({ ...database, beside }) })
  await expect.poll(() => said).toEqual(['(cut)', '(missed)'])
  await notices.post(['heard'])
  await expect.poll(() => said).toEqual(['(cut)', '(missed)', 'heard'])
  await stop()
  await Promise.all([database.close(), nowhere.close()])
})
