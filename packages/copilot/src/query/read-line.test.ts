import { instant } from '@septet/domain'
import type { Ask } from '@septet/tools'
import { describe, expect, test } from 'vitest'

import { type Named, type Names, namesOf } from './names.ts'
import { understand } from './query.ts'
import { readLine } from './read-line.ts'

const NOW = instant(Date.parse('2026-11-18T14:30:00Z'))
const KNOWN: readonly Named[] = [
  { field: 'namespace', name: 'team-search' },
  { field: 'namespace', name: 'research' },
  { field: 'tenant', name: 'research' },
  { field: 'model', name: 'A100-SXM4-40GB' },
  { field: 'model', name: 'A100-SXM4-80GB' },
  { field: 'model', name: 'L40S' },
  { field: 'node', name: 'gpu-h100-05' },
  { field: 'workload', name: 'team-search/Deployment/ranker' },
]
const names: Names = {
  of: async (word) =>
    KNOWN.filter(
      ({ field, name }) =>
        name.toLowerCase() === word.toLowerCase() ||
        (field === 'workload' && name.endsWith(`/${word.toLowerCase()}`)) ||
        (field === 'model' && name.toLowerCase().split('-').includes(word.toLowerCase())),
    ),
  like: async (word, most) => KNOWN.filter(({ name }) => name.includes(word)).slice(0, most),
}
const read = async (line: string) => understand(await readLine(line, names, { now: NOW, zone: 'UTC' }))
const says = async (line: string) => (await read(line)).pieces.map((piece) => piece.says)
const problems = async (line: string) =>
  (await read(line)).pieces.flatMap(({ problem, says: text }) => (problem === undefined ? [] : [`${text}: ${problem}`]))
const rows = async (line: string) => {
  const { query, pieces } = await read(line)
  if (query?.kind !== 'rows') throw new Error(JSON.stringify(pieces))
  return query
}

describe('a line', () => {
  test.each([
    [
      'busy of workloads < 20% in team-search, last 24 h',
      ['Busy', 'workloads', 'busy < 20%', 'namespace team-search', 'last 24 hours'],
    ],
    ['cost by namespace, this week vs last week', ['Cost', 'namespaces', 'this week', 'vs last week']],
    ['top 10 workloads by idle cost, last 7 days', ['top 10', 'workloads', 'Idle cost', 'last 7 days']],
    ['how many workloads are waiting', ['How many', 'workloads', 'waiting']],
    ['GPUs with a fault', ['GPUs', 'faulty']],
    [
      'which 5 least busy workloads hold more than 4 GPUs?',
      ['top 5', 'least busy first', 'workloads', 'GPUs held', 'GPUs held > 4 GPUs'],
    ],
    [
      'workloads not in team-search waiting longer than 2 h',
      ['workloads', 'namespace not team-search', 'waiting', 'run or wait time > 2 h'],
    ],
    ['cost of L40S yesterday', ['Cost', 'model L40S', 'Nov 17, 2026, 00:00 to Nov 18, 2026, 00:00']],
    ['busy by node since Monday', ['Busy', 'nodes', 'Nov 16, 2026, 00:00 to Nov 18, 2026, 14:30']],
    ['cost between 9:00 and 17:00 yesterday', ['Cost', 'Nov 17, 2026, 09:00 to Nov 17, 2026, 17:00']],
    ['cost from Nov 1 to Nov 8 by pool', ['Cost', 'Nov 1, 2026, 00:00 to Nov 9, 2026, 00:00', 'pools']],
    ['why is ranker waiting?', ['why team-search/Deployment/ranker waits']],
  ])('is read piece by piece: %s', async (line, wanted) => {
    expect(await problems(line)).toEqual([])
    expect(await says(line)).toEqual(wanted)
    expect((await read(line)).query).toBeDefined()
  })

  test.each([
    ['cost by namespace unless it is Tuesday', ['unless: “unless” is not understood.', 'it: “it” is not understood.']],
    ['workloads that will fail', ['will: “will” is not understood.', 'fail: “fail” is not understood.']],
    ['cost of serach', ['serach: “serach” is not understood.']],
    ['workloads in team-search or busy', []],
  ])('is not answered while a part is not understood: %s', async (line, wanted) => {
    const found = await problems(line)
    expect(found).toEqual(expect.arrayContaining(wanted))
    expect((await read(line)).query === undefined).toBe(found.length > 0)
  })

  test('that could mean two things asks which', async () => {
    const [piece] = (await read('cost of research')).pieces.filter(({ problem }) => problem !== undefined)
    expect(piece).toMatchObject({
      problem: '“research” is a namespace and a tenant.',
      choices: ['namespace research', 'tenant research'],
    })
    expect((await rows('cost of namespace research')).where).toEqual([
      { kind: 'names', field: 'namespace', names: ['research'], not: false },
    ])
    // A short name of two boards is both, and either can be chosen.
    const { pieces } = await read('cost of A100')
    expect(pieces[1]).toMatchObject({
      says: 'model A100-SXM4-40GB or A100-SXM4-80GB',
      choices: ['model A100-SXM4-40GB', 'model A100-SXM4-80GB'],
    })
  })

  test.each([
    ['cost over $1,500 of namespaces', { figure: 'cost', above: { value: 1500, includes: false } }],
    ['workloads with cost at least $2k', { figure: 'cost', above: { value: 2000, includes: true } }],
    ['workloads busy not over 20%', { figure: 'busy', below: { value: 0.2, includes: true } }],
    [
      'workloads busy between 10% and 30%',
      { figure: 'busy', above: { value: 0.1, includes: true }, below: { value: 0.3, includes: true } },
    ],
    ['workloads older than 3 days', { figure: 'duration', above: { value: 259_200, includes: false } }],
  ])('limits a figure: %s', async (line, wanted) => {
    expect((await rows(line)).where).toContainEqual(expect.objectContaining({ kind: 'limit', figure: wanted.figure }))
    expect((await rows(line)).where[0]).toMatchObject(wanted)
  })

  test.each([
    ['workloads busy < 20', 'Give the number a unit: %, $, GPU-h, GPUs, h or d.'],
    ['namespaces busy < 5 h', 'Nothing known of namespaces is limited by this.'],
    ['GPUs last week', 'GPUs are told as they are now. Leave the time out.'],
    ['cost by namespace on L40S', 'namespaces cannot be chosen by model. Workloads and GPUs can.'],
    ['cost of workloads this week vs last week', 'workloads cannot be compared over time.'],
    ['saving by namespace', 'Saving of namespaces is unknown.'],
    ['how many workloads were waiting last week', 'This is told as it is now. Leave the time out.'],
    ['nodes waiting', '“waiting” applies to workloads, not to nodes.'],
  ])('that cannot be answered says why: %s', async (line, problem) => {
    expect((await problems(line)).join(' ')).toContain(problem)
    expect((await read(line)).query).toBeUndefined()
  })

  test('that only names something asks for nothing', async () => {
    for (const line of ['gpu-h100-05', 'What is on gpu-h100-05?', 'last week', 'the cluster'])
      expect((await read(line)).query).toBeUndefined()
  })

  test('never drops a negation', async () => {
    for (const line of ['workloads not waiting', 'workloads that are not waiting', "workloads that aren't waiting"])
      expect((await rows(line)).where).toEqual([{ kind: 'state', state: 'waiting', not: true }])
    for (const line of ['cost not last week', 'not cost by namespace', 'no workloads'])
      expect((await read(line)).query).toBeUndefined()
  })
})

test('however many words a line has, few are looked up', async () => {
  const searched: string[] = []
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what names are read from
  const ask = (async (key: string, { query }: { readonly query: string }) => {
    if (key === 'searchFind') searched.push(query)
    return { found: [], groups: [] }
  }) as unknown as Ask
  const words = Array.from({ length: 100 }, (_, order) => `w${order}`).join(' ')
  const { query, pieces } = understand(await readLine(words, namesOf(ask, undefined), { now: NOW, zone: 'UTC' }))
  expect([query, pieces.length, new Set(searched).size, searched.length]).toEqual([undefined, 100, 24, 24])
})
