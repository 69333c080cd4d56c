import { describe, expect, it } from 'vitest'

import { readTraceNodes, readTracePods } from './read-trace.ts'

const NODES = 'sn,cpu_milli,memory_mib,gpu,model'
const PODS = 'name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos'

const problemsOf = (text: string, read: typeof readTraceNodes | typeof readTracePods = readTracePods) => {
  const answer = read(text, 'list.csv')
  return answer.kind === 'refused' ? answer.problems : []
}

describe('readTraceNodes', () => {
  it('reads nodes, of models that nobody knows too, in the order of the file', () => {
    expect(readTraceNodes(`${NODES}\r\nn1,64000,262144,2,P100\r\nn0,8000,1024,1,Zeta9\r\n`, 'nodes.csv')).toEqual({
      kind: 'read',
      rows: [
        { id: 'n1', cpuMilli: 64000, memory: 262144, gpus: 2, model: 'P100', pool: 'P100' },
        { id: 'n0', cpuMilli: 8000, memory: 1024, gpus: 1, model: 'Zeta9', pool: 'Zeta9' },
      ],
    })
  })

  it.each([
    ['an empty file', '', 'list.csv is empty.'],
    ['a header alone', NODES, 'list.csv has a header and no rows.'],
    [
      'a column that is absent',
      'sn,gpu,model\nn,1,T4',
      'list.csv, line 1: no column "cpu_milli", "memory_mib". It has: sn, gpu, model.',
    ],
    [
      'a negative figure',
      `${NODES}\nn,-1,1,1,T4`,
      'list.csv, line 2: cpu_milli is "-1"; it must be a whole number from 0 to 10000000.',
    ],
    [
      'an absurd figure',
      `${NODES}\nn,1,1,9000,T4`,
      'list.csv, line 2: gpu is "9000"; it must be a whole number from 0 to 64.',
    ],
    [
      'words for a number',
      `${NODES}\nn,1,lots,1,T4`,
      'list.csv, line 2: memory_mib is "lots"; it must be a whole number from 0 to 1000000000.',
    ],
    ['a cell too few', `${NODES}\nn,1,1,1`, 'list.csv, line 2: 4 cells, where the header has 5.'],
    ['an id twice', `${NODES}\nn,1,1,1,T4\nn,1,1,1,T4`, 'list.csv, line 3: sn "n" is already on line 2.'],
    ['GPUs without a model', `${NODES}\nn,1,1,1,`, 'list.csv, line 2: model is empty on a node with 1 GPUs.'],
  ])('refuses %s, and says where', (_, text, problem) => {
    expect(problemsOf(text, readTraceNodes)).toEqual([problem])
  })
})

describe('readTracePods', () => {
  it('tells no GPU, whole GPUs and a share apart, and sorts the models that are allowed', () => {
    const text = `${PODS}\na,1000,64,0,0,,LS\nb,1000,64,1,470,T4|A10|T4,BE\nc,1000,64,1,1000,,LS\nd,1000,64,8,1000,G2,LS`
    const answer = readTracePods(text, 'pods.csv')
    expect(answer).toMatchObject({
      kind: 'read',
      rows: [
        { id: 'a', gpu: { kind: 'none' }, models: [] },
        { id: 'b', gpu: { kind: 'share', milli: 470 }, models: ['A10', 'T4'] },
        { id: 'c', gpu: { kind: 'whole', count: 1 } },
        { id: 'd', gpu: { kind: 'whole', count: 8 }, models: ['G2'] },
      ],
    })
  })

  it('takes a list without gpu_spec for one without constraints, and misses any other column', () => {
    const header = 'name,cpu_milli,memory_mib,num_gpu,gpu_milli'
    expect(readTracePods(`${header}\na,1000,64,1,470`, 'pods.csv')).toMatchObject({
      kind: 'read',
      rows: [{ id: 'a', gpu: { kind: 'share', milli: 470 }, models: [] }],
    })
    expect(problemsOf('name,cpu_milli,memory_mib,num_gpu\na,1000,64,1')).toEqual([
      'list.csv, line 1: no column "gpu_milli". It has: name, cpu_milli, memory_mib, num_gpu.',
    ])
  })

  it.each([
    ['a share of nothing', `${PODS}\np,1,1,1,0,,LS`, 'list.csv, line 2: gpu_milli is 0, where num_gpu is 1.'],
    [
      'shares of several GPUs',
      `${PODS}\np,1,1,2,500,,LS`,
      'list.csv, line 2: gpu_milli is 500, where 2 GPUs must be whole (1000).',
    ],
    [
      'more than one GPU as a share',
      `${PODS}\np,1,1,1,1500,,LS`,
      'list.csv, line 2: gpu_milli is "1500"; it must be a whole number from 0 to 1000.',
    ],
  ])('refuses %s', (_, text, problem) => {
    expect(problemsOf(text)).toContain(problem)
  })

  it('shows the first ten problems and counts the rest', () => {
    const rows = Array.from({ length: 25 }, (_, index) => `p${index},x,1,0,0,,LS`)
    const problems = problemsOf([PODS, ...rows].join('\n'))
    expect(problems).toHaveLength(11)
    expect(problems.at(-1)).toBe('list.csv: 15 more problems of this kind.')
  })
})
