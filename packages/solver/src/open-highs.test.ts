import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import { ratio, seconds, type LinearAnswer, type LinearProgram, type SolveLimits } from '@septet/domain'
import { afterAll, describe, expect, test } from 'vitest'

import { openHighs } from './open-highs.ts'

const solver = openHighs()
afterAll(() => solver.close())
const LIMITS: SolveLimits = { seconds: seconds(20), gap: ratio(0) }

const program = (part: Partial<LinearProgram> & Pick<LinearProgram, 'cost'>): LinearProgram => ({
  upper: part.cost.map(() => Infinity),
  whole: false,
  rows: [],
  ...part,
})

// A market split problem (Cornuéjols and Dawande 1998): infeasible or not, branch and bound takes exponential time.
function marketSplit(rows: number, variables: number): LinearProgram {
  let state = 7
  const next = (): number => {
    state = (state * 48_271) % 2_147_483_647
    return state % 100
  }
  const weights = Array.from({ length: rows }, () => Array.from({ length: variables }, next))
  return {
    // Slack variables up and down of every row cost 1 each.
    cost: [...Array.from({ length: variables }, () => 0), ...Array.from({ length: 2 * rows }, () => 1)],
    upper: [...Array.from({ length: variables }, () => 1), ...Array.from({ length: 2 * rows }, () => Infinity)],
    whole: true,
    rows: weights.map((row, index) => ({
      kind: 'equal' as const,
      bound: Math.floor(row.reduce((sum, each) => sum + each, 0) / 2),
      terms: [
        ...row.map((weight, variable) => [variable, weight] as const),
        [variables + 2 * index, 1] as const,
        [variables + 2 * index + 1, -1] as const,
      ],
    })),
  }
}

const HARD = marketSplit(6, 50)

const withFixedCost = (inner: LinearProgram, cost: number): LinearProgram => ({
  ...inner,
  cost: [...inner.cost, cost],
  upper: [...inner.upper, 1],
  rows: [...inner.rows, { kind: 'at-least', bound: 1, terms: [[inner.cost.length, 1]] }],
})

const reasonOf = (answer: LinearAnswer): string => ('because' in answer ? answer.because : answer.kind)

const entry = (source: string): URL => new URL(`data:text/javascript,${encodeURIComponent(source)}`)

describe('HiGHS in a worker', () => {
  test('solves a linear program and gives the rows their prices', async () => {
    const answer = await solver.solve(
      program({
        cost: [-30, -50],
        rows: [
          {
            kind: 'at-most',
            bound: 40,
            terms: [
              [0, 1],
              [1, 2],
            ],
          },
          {
            kind: 'at-most',
            bound: 50,
            terms: [
              [0, 2],
              [1, 1],
            ],
          },
        ],
      }),
      LIMITS,
    )
    expect(answer).toMatchObject({ kind: 'optimal', cost: -1100, bound: -1100, values: [20, 10] })
    const prices = answer.kind === 'optimal' ? (answer.prices ?? []) : []
    expect(prices.map((price) => Math.round(price * 1000) / 1000)).toEqual([-23.333, -3.333])
  })

  test('solves a whole-number program whose rounded relaxation is wrong', async () => {
    const answer = await solver.solve(
      program({
        cost: [-5, -4, -3],
        whole: true,
        rows: [
          {
            kind: 'at-most',
            bound: 5,
            terms: [
              [0, 2],
              [1, 3],
              [2, 1],
            ],
          },
          {
            kind: 'at-most',
            bound: 11,
            terms: [
              [0, 4],
              [1, 1],
              [2, 2],
            ],
          },
          {
            kind: 'at-most',
            bound: 8,
            terms: [
              [0, 3],
              [1, 4],
              [2, 2],
            ],
          },
        ],
      }),
      LIMITS,
    )
    expect(answer).toMatchObject({ kind: 'optimal', cost: -13, bound: -13, values: [2, 0, 1], prices: undefined })
  })

  test('solves equal and at-least rows, a degenerate corner, a variable named twice, and limits', async () => {
    const answer = await solver.solve(
      program({
        cost: [1, 2, 0],
        upper: [3, Infinity, 0],
        rows: [
          {
            kind: 'equal',
            bound: 5,
            terms: [
              [0, 0.5],
              [0, 0.5],
              [1, 1],
            ],
          },
          {
            kind: 'at-least',
            bound: 5,
            terms: [
              [0, 1],
              [1, 1],
            ],
          },
          {
            kind: 'at-least',
            bound: 10,
            terms: [
              [0, 2],
              [1, 2],
              [2, 7],
            ],
          },
          { kind: 'at-most', bound: Infinity, terms: [[1, 1]] },
        ],
      }),
      LIMITS,
    )
    expect(answer).toMatchObject({ kind: 'optimal', cost: 7, values: [3, 2, 0] })
  })

  test('tells infeasible from unbounded, whole or not', async () => {
    for (const whole of [false, true]) {
      const rows = [
        { kind: 'at-least', bound: 3, terms: [[0, 1]] },
        { kind: 'at-most', bound: 2, terms: [[0, 1]] },
      ] as const
      // oxlint-disable-next-line no-await-in-loop -- one at a time anyway
      expect(await solver.solve(program({ cost: [1], whole, rows }), LIMITS)).toEqual({ kind: 'infeasible' })
      const free = program({
        cost: [-1, 0],
        whole,
        rows: [
          {
            kind: 'at-most',
            bound: 4,
            terms: [
              [1, 1],
              [0, -1],
            ],
          },
        ],
      })
      // oxlint-disable-next-line no-await-in-loop -- one at a time anyway
      expect(await solver.solve(free, LIMITS)).toEqual({ kind: 'unbounded' })
    }
  })

  test('infeasible only in whole numbers is infeasible', async () => {
    const answer = await solver.solve(
      program({
        cost: [1, 1],
        upper: [9, 9],
        whole: true,
        rows: [
          {
            kind: 'equal',
            bound: 7,
            terms: [
              [0, 2],
              [1, 4],
            ],
          },
        ],
      }),
      LIMITS,
    )
    expect(answer).toEqual({ kind: 'infeasible' })
  })

  test('answers programs without variables or without rows', async () => {
    expect(await solver.solve(program({ cost: [] }), LIMITS)).toMatchObject({ kind: 'optimal', cost: 0 })
    const broken = program({ cost: [], rows: [{ kind: 'at-least', bound: 1, terms: [] }] })
    expect(await solver.solve(broken, LIMITS)).toEqual({ kind: 'infeasible' })
    const rowless = program({ cost: [1, -2], upper: [5, 4] })
    expect(await solver.solve(rowless, LIMITS)).toMatchObject({ kind: 'optimal', cost: -8, values: [0, 4] })
    expect(await solver.solve({ ...rowless, upper: [5, -1] }, LIMITS)).toEqual({ kind: 'infeasible' })
  })

  test('stops at the time limit, with a bound that is never above the answer', async () => {
    const answer = await solver.solve(HARD, { seconds: seconds(0.5), gap: ratio(0) })
    expect(reasonOf(answer)).toBe('the time limit was reached')
    expect(answer.kind === 'feasible' && answer.bound < answer.cost).toBe(answer.kind === 'feasible')
  })

  test('a gap that is good enough is not called a proof', async () => {
    const answer = await solver.solve(withFixedCost(HARD, 1000), { seconds: seconds(20), gap: ratio(0.5) })
    expect(answer.kind).toBe('feasible')
    expect(reasonOf(answer)).toContain('within the gap')
  })

  test('a signal ends a running search and one that waits, and the next search works', async () => {
    const stop = new AbortController()
    const running = solver.solve(HARD, { ...LIMITS, seconds: seconds(3600), signal: stop.signal })
    const waiting = solver.solve(program({ cost: [1] }), { ...LIMITS, signal: stop.signal })
    const next = solver.solve(program({ cost: [-1], upper: [2] }), LIMITS)
    setTimeout(() => stop.abort(), 300)
    expect(reasonOf(await running)).toBe('the search was stopped')
    expect(await waiting).toMatchObject({ kind: 'unknown', because: 'the search was stopped' })
    expect(await next).toMatchObject({ kind: 'optimal', cost: -2 })
    expect(await solver.solve(program({ cost: [1] }), { ...LIMITS, signal: stop.signal })).toMatchObject({
      kind: 'unknown',
    })
  })

  test('a program behind a long one says that its time has passed', async () => {
    const long = solver.solve(HARD, { seconds: seconds(0.4), gap: ratio(0) })
    const short = solver.solve(program({ cost: [1] }), { seconds: seconds(0.05), gap: ratio(0) })
    expect(await short).toMatchObject({ kind: 'unknown', because: expect.stringContaining('while other models') })
    await long
  })

  test('refuses garbage and says where it is', async () => {
    const rows = (bound: number, variable: number, coefficient: number) =>
      program({ cost: [1, 1], rows: [{ kind: 'at-least', bound, terms: [[variable, coefficient]] }] })
    const because = async (broken: LinearProgram): Promise<string> => reasonOf(await solver.solve(broken, LIMITS))
    expect(await because(program({ cost: [Number.NaN] }))).toContain('variable 0 costs NaN')
    expect(await because({ ...program({ cost: [1] }), upper: [] })).toContain('1 costs and 0 upper limits')
    expect(await because(rows(1, 2, 1))).toContain('row 0 names variable 2')
    expect(await because(rows(1, 0.5, 1))).toContain('row 0 names variable 0.5')
    expect(await because(rows(Number.NaN, 0, 1))).toContain('row 0 has the bound NaN')
    expect(await because(rows(Infinity, 0, 1))).toContain('row 0 has the bound Infinity')
    expect(await because(rows(1, 0, 1e30))).toContain('row 0 has the coefficient 1e+30')
    const noTime = await solver.solve(program({ cost: [1] }), { seconds: seconds(0), gap: ratio(0) })
    expect(noTime).toMatchObject({ kind: 'unknown', because: expect.stringContaining('no time') })
  })

  test('gives the same answer to the same question', async () => {
    const question = marketSplit(2, 12)
    expect(await solver.solve(question, LIMITS)).toEqual(await solver.solve(question, LIMITS))
  })
})

test('an idle solver that nobody closed does not keep the process', async () => {
  const script = `
    import { openHighs } from ${JSON.stringify(new URL('open-highs.ts', import.meta.url).href)}
    const answer = await openHighs().solve({ cost: [1], upper: [1], whole: true, rows: [] }, { seconds: 20, gap: 0 })
    console.log(answer.kind)`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    timeout: 60_000,
  })
  expect(stdout.trim()).toBe('optimal')
})

describe('a worker that breaks', () => {
  const question = program({ cost: [1], upper: [1] })

  test.each([
    ['throws when loaded', `throw new Error('no such module')`, 'no such module'],
    [
      'throws on a question',
      `import{parentPort as p}from'node:worker_threads';p.on('message',()=>{throw new Error('trap')})`,
      'trap',
    ],
    ['exits', `process.exit(3)`, 'code 3'],
    [
      'says that it failed',
      `import{parentPort as p}from'node:worker_threads';p.on('message',(q)=>p.postMessage({kind:'failed',id:q.id,because:'out of memory'}))`,
      'out of memory',
    ],
  ])('%s: unknown with the reason, also the second time', async (_, source, because) => {
    const broken = openHighs(entry(source))
    for (let time = 0; time < 2; time += 1) {
      // oxlint-disable-next-line no-await-in-loop -- the second must follow the first
      const answer = await broken.solve(question, LIMITS)
      expect(answer).toMatchObject({ kind: 'unknown', because: expect.stringContaining(because) })
    }
    await broken.close()
  })

  test('values that break a row are not believed', async () => {
    const lying = openHighs(
      entry(`import{parentPort as p}from'node:worker_threads';
        p.on('message',(q)=>p.postMessage({kind:'outcome',id:q.id,outcome:{status:'optimal',values:new Float64Array([2]),bound:2}}))`),
    )
    const answer = await lying.solve(question, LIMITS)
    expect(answer).toMatchObject({ kind: 'unknown', because: expect.stringContaining('breaks a rule') })
    await lying.close()
  })

  test('after close, nothing is solved and nothing keeps the process', async () => {
    const closing = openHighs()
    const running = closing.solve(HARD, { ...LIMITS, seconds: seconds(3600) })
    await new Promise((resolve) => setTimeout(resolve, 300))
    await closing.close()
    expect(reasonOf(await running)).toBe('the solver is closed')
    expect(await closing.solve(question, LIMITS)).toMatchObject({ kind: 'unknown', because: 'the solver is closed' })
  })
})
