import { instant, type Instant } from '@septet/domain'
import { expect, test, vi } from 'vitest'

import { AgentRefused, type AgentClient } from './agent-client.ts'
import { AgentSender } from './agent-sender.ts'
import type { PackedReading, ReadingBuffer } from './reading-buffer.ts'

const reading = (at: number): PackedReading => ({ at: instant(at), hasInventory: false, packed: new Uint8Array(100) })

function bufferOf(readings: readonly number[]): ReadingBuffer {
  const kept = readings.map(reading)
  return {
    instance: 'one',
    add: async (one) => void kept.push(one),
    first: async () => kept[0],
    newest: () => kept.at(-1)?.at ?? instant(0),
    drop: async (to) => void kept.splice(0, kept.filter(({ at }) => at <= to).length),
    waiting: () => ({ readings: kept.length, bytes: kept.length * 100, oldest: kept[0]?.at, lost: undefined }),
    close: async () => undefined,
  }
}

/** A Septet that stores what follows what it has, and fails as a test says. */
function scripted(received = 0, fails: (what: number) => Error | undefined = () => undefined) {
  const stored: number[] = []
  let newest = instant(received)
  let left = false
  const answer = () => ({ received: newest, pollSeconds: 15, wish: null })
  const throwIf = (what: number): void => {
    const error = fails(what)
    if (error !== undefined) throw error
  }
  const client: AgentClient = {
    hello: async () => {
      throwIf(0)
      return answer()
    },
    send: async ({ at, after }) => {
      throwIf(at)
      if (at > newest && after !== newest) throw new AgentRefused('invalid-input', 'One before it is missing.')
      if (at > newest) {
        stored.push(at)
        newest = at
      }
      return answer()
    },
    sendPast: async () => answer(),
    leave: async () => {
      left = true
      return answer()
    },
  }
  return { client, stored, hasLeft: () => left, restoreTo: (at: Instant) => (newest = at) }
}

function sending(readings: readonly number[], client: AgentClient) {
  const buffer = bufferOf(readings)
  const said: string[] = []
  const stopping = new AbortController()
  const wanted = vi.fn<(answer: object) => void>()
  const say = (sentence: string): void => void said.push(sentence)
  const sender = new AgentSender({ client, buffer, clock: Date.now, random: () => 0, say, wanted })
  const done = sender.run(stopping.signal)
  const stop = async (): Promise<void> => {
    stopping.abort()
    await done
  }
  return { buffer, said, sender, wanted, stop }
}
const emptied = (buffer: ReadingBuffer): Promise<void> =>
  vi.waitFor(() => expect(buffer.waiting().readings).toBe(0), { timeout: 20_000 })

test('sends what waits in order, drops what is stored, and gives its place back when it is stopped', async () => {
  const { client, stored, hasLeft } = scripted(2)
  const { buffer, said, wanted, stop } = sending([1, 2, 3, 4], client)
  await emptied(buffer)
  expect(stored).toEqual([3, 4])
  expect(wanted).toHaveBeenCalledWith({ pollSeconds: 15, wish: null })
  expect(said).toEqual(['Septet takes readings; 2 readings wait to be sent.'])
  await stop()
  expect(hasLeft()).toBe(true)
})

test('an answer that was lost on the way costs nothing: what was stored is not stored again', async () => {
  const { client, stored } = scripted()
  let lost = 0
  const unreliable: AgentClient = {
    ...client,
    send: async (one) => {
      const answer = await client.send(one)
      if (one.at === 2 && lost++ === 0) throw new AgentRefused('lost', 'https://septet did not answer (reset).')
      return answer
    },
  }
  const { buffer, said, stop } = sending([1, 2, 3], unreliable)
  await emptied(buffer)
  expect(stored).toEqual([1, 2, 3])
  expect(said[1]).toBe('https://septet did not answer (reset). What is read is kept: 2 readings wait (0 MiB).')
  expect(said[2]).toMatch(/^Septet takes readings after \d+ s; 1 reading waits to be sent\.$/u)
  await stop()
})

test('a refusal is said once, and what waits is sent when it is over', async () => {
  let refusals = 3
  const { client, stored, hasLeft } = scripted(0, () =>
    refusals-- > 0 ? new AgentRefused('not-signed-in', 'The token does not open it. Make a new one.') : undefined,
  )
  const { buffer, said, stop } = sending([1], client)
  await emptied(buffer)
  expect(stored).toEqual([1])
  expect(
    said.filter((one) => one.startsWith('The token does not open it. Make a new one. What is read is kept')),
  ).toHaveLength(1)
  await stop()
  expect(hasLeft()).toBe(true)
})

test('a reading that Septet never takes does not hold up the ones behind it', async () => {
  const { client, stored } = scripted(0, (what) =>
    what === 2 ? new AgentRefused('too-large', 'A reading takes at most 16 MiB.') : undefined,
  )
  const { buffer, said, stop } = sending([1, 2, 3], client)
  await emptied(buffer)
  expect(stored).toEqual([1, 3])
  expect(said).toContain(
    'The reading of 1970-01-01T00:00:00.002Z is given up, as Septet does not take it: A reading takes at most 16 MiB.',
  )
  await stop()
})

test('where Septet has an older newest reading than it said, the next one goes on from that', async () => {
  const { client, stored, restoreTo } = scripted()
  const { buffer, sender, stop } = sending([1, 2], client)
  await emptied(buffer)
  // Its database was put back from a backup.
  restoreTo(instant(1))
  await buffer.add(reading(3))
  sender.nudge()
  await emptied(buffer)
  expect(stored).toEqual([1, 2, 3])
  await stop()
})
