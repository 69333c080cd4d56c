import { describe, expect, test } from 'vitest'

import { measured, unknown } from '../figures.fixture.ts'
import { liveWorkloads } from '../summary/workloads.fixture.ts'
import { tableCsv } from '../table/DataTable.tsx'
import { type WorkloadChoice, workloadQuestion } from './use-workload-choice.ts'
import { defaultSort, type Workload } from './use-workloads.ts'
import { RUNNING_COLUMNS, TENANT_COLUMNS, WAITING_COLUMNS } from './workload-columns.tsx'
import { classWords, gpuCount, holdingWords, requestWords } from './workload-words.ts'

const choice = (change: Partial<WorkloadChoice>): WorkloadChoice => ({
  view: 'all',
  search: '',
  namespace: undefined,
  tenant: undefined,
  kind: undefined,
  waitsFor: undefined,
  isFiltered: false,
  choose: () => undefined,
  ...change,
})

describe('what is asked of the server', () => {
  test.each([
    ['all', 'all', undefined],
    ['running', 'running', undefined],
    ['waiting', 'queued', undefined],
    // Only what runs can hold something idle.
    ['idle', 'running', 'true'],
    ['ended', 'ended', undefined],
  ] as const)('for the view %s is status %s, idle %s', (view, status, idle) =>
    expect(workloadQuestion(choice({ view }))).toMatchObject({ status, idle }),
  )

  test('has no search where only spaces were typed, and one that the server takes where a page of text was', () => {
    expect(workloadQuestion(choice({ search: '   ' }))['search']).toBeUndefined()
    expect(workloadQuestion(choice({ search: ` ${'x'.repeat(400)}` }))['search']).toBe('x'.repeat(253))
  })

  test('keeps those without a tenant apart from all tenants', () => {
    expect(workloadQuestion(choice({ tenant: '' }))['tenant']).toBe('')
    expect(workloadQuestion(choice({}))['tenant']).toBeUndefined()
  })

  test('has the longest wait first where workloads wait, else the most money wasted', () => {
    expect([defaultSort('waiting'), defaultSort('all'), defaultSort('idle')]).toEqual([
      'duration',
      'idleCost',
      'idleCost',
    ])
  })
})

const [waits] = liveWorkloads('queued').workloads
const [runs] = liveWorkloads('running').workloads
if (waits === undefined || runs === undefined) throw new Error('the fixture has none')
const workload = (change: Partial<Workload>): Workload => ({ ...runs, ...change })

describe('a workload in words', () => {
  test('asks for its resources, without the vendor', () => {
    const requests = [
      { resource: 'nvidia.com/mig-3g.40gb', count: 2 },
      { resource: 'gpu.example.com/big', count: 1 },
    ]
    expect(requestWords(workload({ requests }))).toBe('2 × mig-3g.40gb + 1 × gpu.example.com/big')
    expect(requestWords(workload({ requests: [], gpu: '1 × GPU' }))).toBe('1 × GPU')
  })

  test('holds what it holds, or nothing', () => {
    const parts = [
      { shape: '1g.10gb', model: 'A100-80GB', count: 4 },
      { shape: 'whole GPU', model: 'H100-80GB', count: 1 },
    ]
    expect(holdingWords(workload({ holds: { gpus: 1.5, idle: 0, parts } }))).toBe(
      '4 × 1g.10gb · A100-80GB, 1 × whole GPU · H100-80GB',
    )
    expect(holdingWords(workload({ holds: null }))).toBe('')
  })

  test.each([
    [0.142857, '0.14'],
    [1, '1'],
    [1.5, '1.5'],
    [16, '16'],
    [99.96, '100'],
    [1024.4, '1,024'],
  ])('%d GPUs are written %s', (gpus, words) => expect(gpuCount(gpus)).toBe(words))

  test('is of a class, and of one of a later version as the server names it', () => {
    expect([classWords('training'), classWords('unknown'), classWords('toString')]).toEqual([
      'ML training',
      'Unknown',
      'toString',
    ])
  })
})

const lineOf = (columns: typeof RUNNING_COLUMNS, row: Workload): Record<string, string> => {
  const [head = '', line = ''] = tableCsv(columns, [row]).split('\r\n')
  const cells = line.split(',')
  return Object.fromEntries(head.split(',').map((name, at) => [name, cells[at] ?? '']))
}
const tenants = (columns: typeof RUNNING_COLUMNS): boolean => columns.some(({ id }) => id === 'tenant')
const why = (waiting: Workload['waiting']): string =>
  lineOf(WAITING_COLUMNS, { ...waits, waiting })['Why it waits'] ?? ''

describe('the table of workloads as CSV', () => {
  test('has an empty cell where nothing is known, never 0', () => {
    const line = lineOf(
      RUNNING_COLUMNS,
      workload({
        busy: unknown('ratio', 'No exporter.'),
        holds: null,
        idleGpuHours: null,
        cost: unknown('USD', 'No price.'),
        idleCost: unknown('USD', 'No price.'),
      }),
    )
    expect(line).toMatchObject({ Busy: '', GPUs: '', 'Idle GPU-h': '', Cost: '', 'Idle cost': '' })
  })

  test('has what was measured, a measured 0 among it, without the noise of fractions', () => {
    const line = lineOf(
      RUNNING_COLUMNS,
      workload({ busy: measured(0, 'ratio', 'f'), idleGpuHours: 1 / 3, cost: measured(12.1, 'USD', 'f') }),
    )
    expect(line).toMatchObject({ Busy: '0', 'Idle GPU-h': '0.3333', Cost: '12.1' })
  })

  test('names the tenant only where there are any', () => {
    expect([tenants(TENANT_COLUMNS), tenants(RUNNING_COLUMNS)]).toEqual([true, false])
    expect(lineOf(TENANT_COLUMNS, workload({ tenant: null }))['Tenant']).toBe('')
    expect(TENANT_COLUMNS.length).toBe(RUNNING_COLUMNS.length + 1)
  })

  test('of those that wait says why, and nothing where no reason was reported', () => {
    expect(why({ reason: 'Waiting', message: 'No node of pool eval is ready.' })).toContain(
      'Waiting: No node of pool eval is ready.',
    )
    expect(why(null)).toBe('')
  })

  test('is sorted with what is not known last: it has no value to sort by', () => {
    const rows = workload({ busy: unknown('ratio', 'x'), cost: unknown('USD', 'x'), holds: null, duration: null })
    const values = RUNNING_COLUMNS.filter(({ id }) => ['busy', 'cost', 'holds', 'duration'].includes(id))
    expect(values.map(({ sortBy }) => sortBy?.(rows))).toEqual([undefined, undefined, undefined, undefined])
  })
})
