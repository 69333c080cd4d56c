import { readFileSync } from 'node:fs'

import { describe, expect, test } from 'vitest'

import { publishedTraces } from '../../test/system-tools.ts'
import { boardFor, seconds, seededChance } from '@septet/domain'
import { withArrivals } from './job-arrivals.ts'
import { readJobList } from './job-list.ts'
import { jobMenu } from './job-menu.ts'
import { profilesIn, readJobSpeeds } from './job-speeds.ts'
import { splitThroughput } from './split-throughput.ts'

const board = boardFor('A100-SXM4-40GB')
if (board === undefined) throw new Error('the catalog has no A100-SXM4-40GB')
const menu = jobMenu(board, ['1g.5gb', '2g.10gb', '3g.20gb', '4g.20gb', '7g.40gb'])

const HEAD = 'model,batch,mig_profile,speed_vs_7g,mps_mem_mib'
const TABLE = [
  HEAD,
  'resnet,64,3g.20gb,0.9,9934',
  'resnet,64,7g.40gb,1,9934',
  'gnn,64,1g.5gb,0.4,2224',
  'gnn,64,7g.40gb,1,2224',
]
const speeds = readJobSpeeds(TABLE.join('\n'), menu)
const LIST_HEAD = 'job,model,batch,duration_full_gpu_s'

describe('a speed table', () => {
  test('has speed 0 where there is no row', () => {
    expect(speeds.byKind.get('resnet 64')).toEqual([0, 0, 0.9, 0, 1])
    expect(speeds.problems).toEqual([])
  })

  test.each([
    ['a negative speed', 'gnn,64,2g.10gb,-0.5,2224', 'line 6: speed_vs_7g is "-0.5"; it must be above 0 and at most 2'],
    ['an absurd speed', 'gnn,64,2g.10gb,1e9,2224', 'speed_vs_7g is "1e9"'],
    ['an empty speed', 'gnn,64,2g.10gb,,2224', 'speed_vs_7g is ""'],
    ['a profile of another board', 'gnn,64,2g.20gb,0.5,2224', 'the board has no profile "2g.20gb"'],
    ['a second row', 'gnn,64,1g.5gb,0.5,2224', 'a second row for 1g.5gb of the same model and batch'],
    ['a short row', 'gnn,64', 'line 6: 2 cells'],
  ])('leaves out %s and says so', (_, row, problem) => {
    const read = readJobSpeeds([...TABLE, row].join('\n'), menu)
    expect(read.problems).toEqual([expect.stringContaining(problem)])
    expect(read.byKind).toEqual(speeds.byKind)
  })

  test.each([
    ['', 'is empty'],
    ['model,batch\na,1', 'no column "mig_profile", "speed_vs_7g"'],
    [HEAD, 'no rows'],
  ])('of %j is unusable, with the reason', (text, problem) => {
    const read = readJobSpeeds(text, menu)
    expect([read.byKind.size, read.problems.join(' ')]).toEqual([0, expect.stringContaining(problem)])
  })
})

describe('a job list', () => {
  test.each([
    ['a negative duration', '1,gnn,64,-3', 'job "1" has duration_full_gpu_s "-3"'],
    ['no duration', '1,gnn,64,', 'job "1" has duration_full_gpu_s ""'],
    ['a duration of centuries', '1,gnn,64,1e12', 'at most a year'],
    ['a model that was not measured', '1,llama,64,100', 'trains llama 64, of which no speed was measured'],
    ['an id a second time', '0,gnn,64,100', 'job "0" is in the list twice'],
  ])('leaves out %s and says so', (_, row, problem) => {
    const read = readJobList([LIST_HEAD, '0,gnn,64,100', row].join('\n'), speeds)
    expect(read.jobs).toEqual([{ id: '0', work: 100, speeds: [0.4, 0, 0, 0, 1] }])
    expect(read.problems).toEqual([expect.stringContaining(problem)])
  })

  test('without a column names it', () => {
    expect(readJobList('job,model,batch\n0,gnn,64', speeds).problems[0]).toContain('no column "duration_full_gpu_s"')
  })
})

describe('arrivals', () => {
  const { jobs } = readJobList(
    [LIST_HEAD, ...Array.from({ length: 300 }, (_, at) => `${at},gnn,64,${100 + at}`)].join('\n'),
    speeds,
  )
  const draw = (seed: number) => withArrivals(jobs, seconds(60), seededChance(seed))

  test('have every job once, in time order, the same for the same seed', () => {
    const drawn = draw(1)
    expect(drawn.map(({ id }) => Number(id)).toSorted((a, b) => a - b)).toEqual(jobs.map((_, at) => at))
    expect(drawn.every(({ arrival }, at) => arrival >= (drawn[at - 1]?.arrival ?? 0))).toBe(true)
    expect(draw(1)).toEqual(drawn)
    expect(draw(2)).not.toEqual(drawn)
  })

  test('keep their mean', () => {
    const lasts = Array.from({ length: 20 }, (_, seed) => Number(draw(seed).at(-1)?.arrival))
    expect(lasts.reduce((sum, last) => sum + last, 0) / 20 / 300).toBeCloseTo(60, -1)
  })
})

const traces = publishedTraces()
const read = (name: string): string => (traces === undefined ? '' : readFileSync(new URL(name, traces), 'utf8'))

describe.skipIf(traces === undefined)('the published files', () => {
  test('MISO: every row and job is usable; an even split gives 2.63, 1.59 and 1.40 times the throughput', () => {
    const text = read('miso-a100-2022/mig_iteration_time.csv')
    const known = readJobSpeeds(text, jobMenu(board, profilesIn(text)))
    const list = readJobList(read('miso-a100-2022/job_trace_100.csv'), known)
    expect([known.problems, list.problems, list.jobs.length, known.byKind.size]).toEqual([[], [], 100, 32])
    const split = splitThroughput(menu, known.byKind).map(({ profile, instances, kinds, ...figures }) => [
      `${instances} × ${profile}`,
      kinds,
      ...[figures.mean, figures.least, figures.most].map((figure) => figure.toFixed(2)),
    ])
    expect(split.slice(0, 3)).toEqual([
      ['7 × 1g.5gb', 21, '2.63', '0.83', '5.67'],
      ['3 × 2g.10gb', 28, '1.59', '0.78', '2.71'],
      ['2 × 3g.20gb', 32, '1.40', '0.98', '2.01'],
    ])
  })
})
