import { ServerEventSchema } from '@septet/contract'
import { describe, expect, test } from 'vitest'

import { changeOf } from './LiveUpdates.tsx'

const asOf = '2026-11-20T10:00:00Z'

describe('an event makes old only what it is about', () => {
  test('a new analysis, the figures of its cluster', () => {
    const change = changeOf(JSON.stringify({ kind: 'analysis', cluster: 'demo', asOf }))
    expect(change).toMatchObject({ cluster: 'demo' })
    expect(change?.questions).toContain('costBreakdown')
    expect(change?.questions).not.toContain('recommendationsList')
  })

  test('a new inventory, what is placed where, and not the trend', () => {
    expect(changeOf(JSON.stringify({ kind: 'inventory', cluster: 'demo', asOf }))?.questions).toEqual(
      expect.arrayContaining(['partitionsList', 'workloadsList', 'clustersList']),
    )
    expect(changeOf(JSON.stringify({ kind: 'inventory', cluster: 'demo', asOf }))?.questions).not.toContain(
      'utilizationTrend',
    )
  })

  test('a reset, everything of every cluster', () => {
    const change = changeOf(JSON.stringify({ kind: 'reset', asOf }))
    expect(change?.cluster).toBeUndefined()
    expect(change?.questions).toContain('utilizationTrend')
  })

  test.each(ServerEventSchema.options.map(({ shape }) => shape.kind.value))(
    'every kind of the contract is known: %s',
    (kind) => {
      expect(changeOf(JSON.stringify({ kind, asOf }))).toBeDefined()
    },
  )

  test.each(['', 'not json', '{}', '{"kind":7}', '{"kind":"constructor"}', '{"kind":"of a later version"}'])(
    'what it does not understand changes nothing: %s',
    (data) => expect(changeOf(data)).toBeUndefined(),
  )
})
