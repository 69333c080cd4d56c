import { describe, expect, it } from 'vitest'

import { readDeviceLabels } from '../dcgm/read-device-labels.ts'
import type { HistoryStatistic, SeriesHistory } from './history-piece.ts'
import { historyRows } from './history-rows.ts'

type Cell = { [K in HistoryStatistic]?: number }
const HOURS = 4

const series = (labels: Record<string, string>, ...cells: (Cell | undefined)[]): SeriesHistory => {
  const device = readDeviceLabels({ UUID: 'GPU-a', gpu: '0', Hostname: 'n', ...labels })
  if (device === undefined) throw new Error('no device')
  const columns: SeriesHistory['columns'] = {}
  for (const [hour, cell] of cells.entries()) {
    if (cell === undefined) continue
    // A sample every 30 s, unless it says in how many five minutes there were any.
    for (const [name, value] of Object.entries({ slots: Math.ceil((cell.count ?? 0) / 10), ...cell }))
      (columns[name as HistoryStatistic] ??= new Float64Array(HOURS).fill(NaN))[hour] = value
  }
  return { labels: device, columns }
}
const rows = (...all: SeriesHistory[]) => historyRows(all, { span: '1h', from: 0, last: (HOURS - 1) * 3_600_000 })
const brief = (all: ReturnType<typeof rows>) =>
  all.map(({ at, pod, instance, busy, observedSeconds }) => [
    at / 3_600_000,
    instance?.id ?? '',
    pod,
    busy,
    observedSeconds,
  ])

const replica = (vgpu: string) => series({ vgpu, pod: `p${vgpu}`, namespace: 's' }, { count: 120, busy: 0.7 })

describe('rows', () => {
  it('of two holders in one hour share it by their samples', () => {
    const one = series({ pod: 'p', namespace: 's' }, { count: 90, busy: 0.9 })
    const two = series({ pod: 'q', namespace: 's' }, { count: 30, busy: 0.1 })
    expect(brief(rows(one, two))).toEqual([
      [0, '', 'p', 0.9, 2700],
      [0, '', 'q', 0.1, 900],
    ])
  })

  it('of one holder in several series are one, weighted by samples', () => {
    const one = series({ instance: 'a:9400' }, { count: 30, busy: 0.8, busyPeak: 0.9, power: 100 })
    const two = series({ instance: 'b:9400' }, { count: 90, busy: 0.4, busyPeak: 1, power: 200 })
    expect(rows(one, two)).toMatchObject([{ busy: 0.5, busyPeak: 1, power: 175, observedSeconds: 3600 }])
  })

  it('show a gap as time that was not observed', () => {
    const full = { count: 120, busy: 0.5 }
    expect(brief(rows(series({}, full, { count: 30, busy: 0.5 }, full, full))).map((row) => row[4])).toEqual([
      3600, 3600, 900, 3600,
    ])
  })

  it('are as long whatever the pace is at which devices are scraped, and when it changes', () => {
    const changed = series({}, { count: 120, slots: 12 }, { count: 60, slots: 12 }, { count: 30, slots: 6 })
    const slow = series({ UUID: 'GPU-b', gpu: '1' }, { count: 12, slots: 12 })
    const seconds = rows(changed, slow).map(({ gpu, observedSeconds }) => [gpu, observedSeconds])
    expect(seconds).toEqual([
      ['GPU-a', 1800],
      ['GPU-a', 3600],
      ['GPU-a', 3600],
      ['GPU-b', 3600],
    ])
  })

  it('tell how much of it was idle, and never more than was seen', () => {
    const one = series({ pod: 'p', namespace: 's' }, { count: 60, slots: 7, idleSlots: 7, busy: 0 })
    const two = series({ pod: 'q', namespace: 's' }, { count: 60, slots: 6, busy: 0.9 })
    expect(rows(one, two).map(({ pod, observedSeconds, idleSeconds }) => [pod, observedSeconds, idleSeconds])).toEqual([
      ['p', 1800, 1800],
      ['q', 1800, 0],
    ])
  })

  it('tell idle time once that two scrapes of one device tell, and slots at its edges only as far as it held them', () => {
    const scraped = (job: string) => series({ job }, { count: 120, slots: 12, idleSlots: 6, stuckSlots: 2, busy: 0.1 })
    expect(rows(scraped('a'), scraped('b'))).toMatchObject([
      { observedSeconds: 3600, idleSeconds: 1800, stuckSeconds: 600 },
    ])
    const one = series({ pod: 'p', namespace: 's' }, { count: 55, slots: 6, idleSlots: 6, busy: 0 })
    const two = series({ pod: 'q', namespace: 's' }, { count: 65, slots: 7, busy: 0.9 })
    const [first, second] = rows(one, two)
    expect(first?.idleSeconds).toBe(first?.observedSeconds)
    expect((first?.observedSeconds ?? 0) + (second?.observedSeconds ?? 0)).toBeCloseTo(3600, 6)
  })

  it('of two holders do not take from one what was scraped half as often', () => {
    const slow = series({ pod: 'p', namespace: 's' }, { count: 40, slots: 8, busy: 0 })
    const fast = series({ pod: 'q', namespace: 's' }, { count: 40, slots: 4, busy: 0 })
    const [first, second] = rows(slow, fast).map(({ observedSeconds }) => observedSeconds)
    expect(first).toBeGreaterThan(1.5 * (second ?? 0))
  })

  it('of a cut GPU are its instances, unless it was cut within the hour', () => {
    const whole = (count: number) => series({}, { count, busy: 0.9 })
    const part = (count: number) => series({ GPU_I_ID: '1', GPU_I_PROFILE: '3g.20gb' }, { count, busy: 0.2 })
    const other = series({ UUID: 'GPU-b', gpu: '1' }, { count: 120, busy: 0 })
    expect(brief(rows(whole(120), part(120), other)).map((row) => row[1])).toEqual(['1', ''])
    expect(
      brief(
        rows(
          whole(60),
          part(60),
          other,
          ...['c', 'd'].map((id) => series({ UUID: `GPU-${id}`, gpu: '2' }, { count: 120, busy: 0 })),
        ),
      ).map((row) => row[1]),
    ).toEqual(['', '1', '', '', ''])
  })

  it('of replicas that repeat the device are the device, held by nobody', () => {
    expect(brief(rows(replica('0'), replica('1')))).toEqual([[0, '', '', 0.7, 3600]])
    expect(brief(rows(replica('0')))).toEqual([[0, '', 'p0', 0.7, 3600]])
  })

  it('without a busy value say how long the device was seen otherwise', () => {
    expect(rows(series({}, { count: 120, kernelTime: 0.4 }))).toMatchObject([
      { busy: undefined, kernelTime: 0.4, observedSeconds: 3600 },
    ])
  })
})
