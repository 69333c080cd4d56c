import { problemDocument, notFound } from '@septet/contract'
import { describe, expect, test } from 'vitest'

import { ProblemError } from '../../api.ts'
import { at, NOW } from '../figures.fixture.ts'
import { clusters } from '../healthy.fixture.ts'
import { failureWords } from './failure-words.ts'
import { isStale } from './freshness.ts'
import { chosenCluster, historyWords, type Cluster } from './sources.ts'
import { clusterOf } from './use-answer.ts'

const [demo, sample] = clusters
if (demo === undefined || sample === undefined) throw new Error('the fixture has none')

describe('the cluster that is looked at', () => {
  test('is the one that the address names, else the first', () => {
    expect(chosenCluster(clusters, 'sample')).toBe(sample)
    expect(chosenCluster(clusters, undefined)).toBe(demo)
  })

  test('is none where the address names one that is gone, or nobody knows yet', () => {
    expect(chosenCluster(clusters, 'gone')).toBeUndefined()
    expect(chosenCluster([], undefined)).toBeUndefined()
    expect(chosenCluster(undefined, 'demo')).toBeUndefined()
  })

  test('is named by a question about one cluster, and by no other', () => {
    expect(clusterOf({ cluster: 'demo', range: '24h' })).toBe('demo')
    for (const input of [undefined, null, 'demo', {}, { cluster: undefined }, { cluster: 4 }])
      expect(clusterOf(input)).toBeUndefined()
  })
})

const reading = (history: Cluster['history']): string | undefined => historyWords({ ...demo, history })

describe('past usage that is read', () => {
  test('says how far it is, and nothing once it is read', () => {
    const history = { detail: 'Reading 30 days of metrics', done: 12, of: 30 } as Cluster['history'] & object
    expect(reading(history)).toBe('Reading 30 days of metrics: 12 of 30.')
    expect(reading({ ...history, done: 30 })).toBeUndefined()
    expect([reading(null), historyWords(undefined)]).toEqual([undefined, undefined])
  })
})

describe('figures are stale', () => {
  const source = { id: 'demo', name: 'Demo cluster', kind: 'demo' as const }

  test.each([
    [4, false],
    [300, false],
    [301, true],
  ])('%d seconds after the last reading: %j', (seconds, stale) =>
    expect(isStale({ asOf: at(seconds), source }, NOW)).toBe(stale),
  )

  test('never where they are sample data, were never read, or are not there', () => {
    expect(isStale({ asOf: at(9999), source: { ...source, kind: 'sample' } }, NOW)).toBe(false)
    expect(isStale({ asOf: null, source }, NOW)).toBe(false)
    expect(isStale(undefined, NOW)).toBe(false)
  })
})

test('a failure is said in the server’s words, and without any says that it cannot be reached', () => {
  const problem = problemDocument(notFound('No cluster of that name.', 'List the clusters.'))
  expect(failureWords(new ProblemError(problem))).toBe('No cluster of that name. List the clusters.')
  expect(failureWords(new TypeError('Failed to fetch'))).toMatch(/^Cannot reach the Septet server\./u)
})
