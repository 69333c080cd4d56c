import { instant, type Problem } from '@septet/domain'
import { draw } from '@septet/domain/testing'
import { describe, expect, test } from 'vitest'

import { standingInstallation } from '../../composition/cluster-service.fixture.ts'
import type { ClusterFacts, PipelineHealth } from '../../facts.ts'
import { loop, NOW } from '../../loop.fixture.ts'
import { LOOP_NAMES, type LoopState } from '../../repeat.ts'
import { factsOf } from '../answering/facts.fixture.ts'
import { statusSays } from '../says/status-says.ts'
import { isLate, statusNow } from './status-lines.ts'

const cluster = (health: PipelineHealth | undefined): ClusterFacts => ({
  ...factsOf(draw`a  H100-80GB-HBM3  [team/x]`, []),
  health: () => health,
})

const healthOf = (...loops: LoopState[]): PipelineHealth => ({ loops, sources: [], unwrittenRows: 0 })

const installation = {
  ...standingInstallation,
  loops: () => [],
  databaseRuns: () => loop({ name: 'database', everyMs: 5000 }),
}

function linesOf(health: PipelineHealth | undefined) {
  const status = statusNow([cluster(health)], installation, NOW)
  return { lines: status.lines.slice(1), says: statusSays(status).map(({ text }) => text) }
}

describe('a loop', () => {
  test('that works says when it last did, and nothing to do', () => {
    const { lines, says } = linesOf(healthOf(loop()))
    expect(lines).toMatchObject([{ of: 'loop', name: 'collect', state: 'ok', took: 0.2, because: null, todo: null }])
    expect(says).toEqual(['Nothing is wrong with 1 loop and 1 source of 1 cluster and this server.'])
  })

  test('that fails says since when, what failed and what to do', () => {
    const failing = loop({
      failures: 3,
      failed: 3,
      because: 'No route to the database.',
      turnedAt: instant(NOW - 90_000),
    })
    const { lines, says } = linesOf(healthOf(failing))
    expect(lines).toMatchObject([
      {
        state: 'failing',
        since: new Date(NOW - 90_000).toISOString(),
        failures: 3,
        because: 'No route to the database.',
        todo: expect.stringContaining('Check'),
      },
    ])
    expect(says).toEqual(['Drawn: Readings is failing. No route to the database.'])
  })

  test('whose turn never ends is late, and one of long turns is not', () => {
    const stuck = loop({ okAt: instant(NOW - 600_000), runningSince: instant(NOW - 590_000) })
    const { lines } = linesOf(healthOf(stuck))
    expect(lines).toMatchObject([
      { state: 'late', because: 'No run has finished for 10 min; one should every 15 s.', todo: expect.any(String) },
    ])
    expect(isLate(loop({ okAt: instant(NOW - 600_000), tookMs: 300_000 }), NOW)).toBe(false)
    expect(isLate(loop({ okAt: instant(NOW - 600_000), everyMs: undefined }), NOW)).toBe(false)
    expect(isLate(loop({ okAt: instant(NOW - 50_000), everyMs: 400 }), NOW)).toBe(false)
  })

  test('that has not run yet waits', () => {
    const { lines } = linesOf(healthOf(loop({ okAt: undefined, since: NOW, tookMs: undefined })))
    expect(lines).toMatchObject([{ state: 'waiting', lastOk: null, took: null }])
  })

  test('has a title, whatever its name', () => {
    const { lines } = linesOf(healthOf(...LOOP_NAMES.map((name) => loop({ name }))))
    expect(lines.filter(({ title }) => title === '')).toEqual([])
    expect(new Set(lines.map(({ title }) => title)).size).toBe(LOOP_NAMES.length)
  })
})

test('a source that fails says what is missing, what still works and what to do', () => {
  const sources = [
    {
      name: 'telemetry' as const,
      state: 'failing' as const,
      since: instant(NOW - 60_000),
      heardAt: instant(NOW - 61_000),
      because: 'No exporter responds.',
    },
  ]
  const { lines } = linesOf({ loops: [], sources, unwrittenRows: 0 })
  expect(lines).toMatchObject([
    {
      of: 'source',
      state: 'failing',
      because: 'No exporter responds.',
      todo: expect.stringContaining('unknown, not 0'),
    },
  ])
})

test('a cluster whose pipeline says nothing is failing, with what its connection says', () => {
  const problem: Problem = { code: 'unreadable', message: 'The kubeconfig cannot be read.', object: 'api-server' }
  const facts: ClusterFacts = {
    ...cluster(undefined),
    connection: () => ({ kind: 'disconnected', lastContact: undefined, problems: [problem] }),
  }
  const { lines } = statusNow([facts], installation, NOW)
  expect(lines.slice(1)).toMatchObject([{ name: 'pipeline', state: 'failing', because: problem.message }])
})

test('a loop of the server that is about one cluster stands with that cluster', () => {
  const alerts = { ...loop({ name: 'alerts' }), cluster: 'drawn' }
  const { lines } = statusNow([cluster(healthOf(loop()))], { ...installation, loops: () => [alerts] }, NOW)
  expect(lines.map(({ cluster: of, name }) => [of, name])).toEqual([
    [null, 'database'],
    ['drawn', 'collect'],
    ['drawn', 'alerts'],
  ])
})

test('what fails of the same is said once, with all that it is wrong with', () => {
  const because = 'The database is away.'
  const failing = { failures: 1, because }
  const status = statusNow(
    [cluster(healthOf(loop(failing), loop({ ...failing, name: 'store' })))],
    { ...installation, loops: () => [loop({ ...failing, name: 'notifications' })] },
    NOW,
  )
  const [said, ...more] = statusSays(status)
  expect(more).toEqual([])
  expect(said?.text).toBe(`This server: Notifications; Drawn: Readings and Writing usage are failing. ${because}`)
  expect(said?.cites).toHaveLength(3)
})
