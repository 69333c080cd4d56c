import { fileURLToPath } from 'node:url'

import { boardFor } from '@septet/domain'
import { describe, expect, test } from 'vitest'

import { calibrationOf } from './calibration-table.ts'
import { readGentd26 } from './gentd26.ts'
import { aroundTheDay, forecastsOf, restOfDay, type Trace } from './overrun-forecasts.ts'
import { publishedTraces } from '../test/system-tools.ts'

const traces = publishedTraces()
const readTrace = (): Trace => {
  const board = boardFor('A100-SXM4-80GB')
  if (traces === undefined || board === undefined) throw new Error('the trace and its board are there')
  return { ...readGentd26(fileURLToPath(new URL('gentd26-2026', traces))), board }
}

describe.skipIf(traces === undefined)(
  'GenTD26: chances of overrun for pods and hours that were not learned from',
  () => {
    const trace = traces === undefined ? undefined : readTrace()

    test.each([0.5, 0.6, 0.7, 0.75, 0.8])(
      'after %d of the day they say more than the base rate of the last hours',
      (share) => {
        const { skill } = calibrationOf(trace === undefined ? [] : forecastsOf(trace, restOfDay(trace, share)))
        expect(skill).toBeGreaterThan(0)
      },
    )

    test('once around the day they come true about as often as they say', () => {
      const { skill, bins } = calibrationOf(
        trace === undefined ? [] : aroundTheDay(trace).flatMap((stretch) => forecastsOf(trace, stretch)),
      )
      expect(skill).toBeGreaterThan(0)
      // What is accepted is chosen among the lower chances. The upper ones are too high, as the evening is quieter than all before.
      expect(bins.filter(({ to }) => to <= 0.6).map(({ inside }) => inside)).toEqual([
        true,
        true,
        true,
        true,
        true,
        true,
      ])
      expect(bins.filter(({ inside, forecast, observed }) => !inside && forecast < observed)).toEqual([])
    })

    test('and among hours that are alike every tenth but one holds', () => {
      const morning = [240, 360, 480, 600].map((cut) => ({ cut, end: cut + 120 }))
      const { bins } = calibrationOf(
        trace === undefined ? [] : morning.flatMap((stretch) => forecastsOf(trace, stretch)),
      )
      expect(bins).toHaveLength(10)
      expect(bins.filter(({ inside }) => !inside).length).toBeLessThanOrEqual(1)
    })
  },
)
