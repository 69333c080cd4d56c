import { theLast } from '@septet/domain'
import { draw } from '@septet/domain/testing'
import { expect, test } from 'vitest'

import { factsOf } from '../answering/facts.fixture.ts'
import { distribution } from './distribution.ts'

test('the parts add up to the total, which broken GPUs are not in, and say where stranded time is', async () => {
  const snapshot = draw`
    a  A100-SXM4-80GB  [3g.40gb lab/x] [3g.40gb -]
    b  T4              [lab/y]
    c  T4  down        [-]`
  const analyzed = await factsOf(snapshot, []).analysis(theLast('1h'))
  if (analyzed === undefined) throw new Error('nothing was analyzed')
  const { analysis } = analyzed
  const { total, parts } = distribution(analysis)
  const { broken, capacity, unallocated, stranded } = analysis.cost.fleet.hours
  expect([broken, stranded]).toEqual([2, expect.closeTo(2 / 7, 9)])
  expect(total.value).toBeCloseTo(capacity - broken, 9)
  expect(parts.reduce((sum, { hours }) => sum + (hours.value ?? 0), 0)).toBeCloseTo(total.value ?? 0, 9)
  expect(parts.reduce((sum, { share }) => sum + (share.value ?? 0), 0)).toBeCloseTo(1, 9)
  expect(parts.find(({ kind }) => kind === 'unallocated')).toMatchObject({
    name: 'Unallocated + stranded',
    hours: { value: expect.closeTo(unallocated + stranded, 9) },
  })
})
