import { instant, type ConnectionState, type Problem, type TargetState, type TelemetryReader } from '@septet/domain'
import { expect, test } from 'vitest'

import { RunRecord } from '../repeat.ts'
import { SourceWatch } from './source-watch.ts'

const telemetry: TelemetryReader = { read: () => Promise.reject(new Error('not asked')), close: async () => undefined }
const target = (name: string, kind: TargetState['kind'], lastSeen: number): TargetState => ({
  target: name,
  node: name,
  kind,
  lastSeen: instant(lastSeen),
  detail: kind === 'up' ? '' : `${name} refused the connection.`,
})

function watched() {
  const seen: { connection: ConnectionState; targets: TargetState[]; problems: Problem[] } = {
    connection: { kind: 'connecting', lastContact: undefined, problems: [] },
    targets: [],
    problems: [],
  }
  const engine = new RunRecord()
  const watch = new SourceWatch({
    reader: { state: () => seen.connection },
    telemetry,
    feed: undefined,
    engine,
    collector: { targets: () => seen.targets, problems: () => seen.problems, asOf: () => undefined },
  })
  const look = (now: number) =>
    Object.fromEntries(watch.look(instant(now)).map(({ name, ...source }) => [name, source]))
  return { seen, engine, look }
}

test('before anything answers, every source is unknown', () => {
  const states = Object.values(watched().look(5)).map(({ state }) => state)
  expect(states).toEqual(['unknown', 'unknown', 'unknown'])
})

test('the API server: since when it is as it is, when it was heard last, and what failed', () => {
  const { seen, look } = watched()
  seen.connection = { kind: 'connected', lastContact: instant(9), problems: [] }
  expect(look(10)['kubernetes']).toEqual({ state: 'ok', since: 10, heardAt: 9, because: undefined })
  seen.connection = { ...seen.connection, lastContact: instant(19) }
  expect(look(20)['kubernetes']).toMatchObject({ state: 'ok', since: 10, heardAt: 19 })
  const problem: Problem = { code: 'unreachable', message: 'It is away.', object: 'api-server' }
  seen.connection = { kind: 'disconnected', lastContact: instant(19), problems: [problem] }
  expect(look(30)['kubernetes']).toEqual({ state: 'failing', since: 30, heardAt: 19, because: 'It is away.' })
  seen.connection = { kind: 'connected', lastContact: instant(39), problems: [{ ...problem, code: 'forbidden' }] }
  expect(look(40)['kubernetes']).toMatchObject({ state: 'degraded', since: 40 })
})

test('exporters: some that are away are a part, all of them the whole', () => {
  const { seen, look } = watched()
  seen.targets = [target('a', 'up', 5), target('b', 'up', 7)]
  expect(look(10)['telemetry']).toEqual({ state: 'ok', since: 10, heardAt: 7, because: undefined })
  seen.targets = [target('a', 'up', 15), target('b', 'down', 7)]
  expect(look(20)['telemetry']).toMatchObject({
    state: 'degraded',
    heardAt: 15,
    because: '1 of 2 targets does not respond, among them: b refused the connection.',
  })
  seen.targets = [target('a', 'stale', 15), target('b', 'down', 7)]
  expect(look(30)['telemetry']).toMatchObject({ state: 'failing' })
})

test('a metrics engine is judged by the last query to it', async () => {
  const { engine, look } = watched()
  await engine.run(async () => undefined)
  expect(look(10)['metrics-engine']).toMatchObject({ state: 'ok' })
  await engine.run(() => Promise.reject(new Error('401'))).catch(() => undefined)
  expect(look(20)['metrics-engine']).toMatchObject({ state: 'failing', since: 20, because: '401' })
})
