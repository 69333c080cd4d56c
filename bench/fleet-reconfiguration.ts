import { errorText } from '@septet/domain/words'
import { join } from 'node:path'

import {
  ratio,
  reconfigure,
  seconds,
  type LinearSolver,
  type ReconfigureGoal,
  type Reconfiguration,
} from '@septet/domain'
import { divingSolver } from '@septet/domain/testing'
import { openHighs } from '@septet/solver'

import type { Benchmark, Figure } from './benchmark.ts'
import { freshInstances, readInstances, type Instance } from './reconfiguration-instances.ts'
import { orderMoves } from './order-moves.ts'
import { replayMoves } from './replay-moves.contract.ts'
import { quantile } from './quantile.ts'

const FRESH = 60
const FIRST_SEED = 90_001
const GOALS = ['fewest-displaced', 'fewest-gpus', 'fewest-displaced-at-fewest-gpus'] as const

export const benchmark: Benchmark = {
  name: 'fleet-reconfiguration',
  description: `The shared reconfigurations against their proven optima, and ${FRESH} fresh ones from the same family (seeds from ${FIRST_SEED}); a checker carries out every plan step by step and refuses overlaps and lost pods.`,
  run: async ({ input }) => {
    const shared = readInstances(input ?? join(import.meta.dirname, '../../shared/traces/mig-packing-instances'))
    const highs = openHighs()
    try {
      await answerAll(highs, shared.slice(0, 1))
      const exact = await answerAll(highs, shared)
      const quick = await answerAll(divingSolver, shared)
      const optima = shared.map((instance) => instance.optima)
      const fresh = freshInstances(FRESH, FIRST_SEED)
      const freshExact = await answerAll(highs, fresh)
      const freshQuick = await answerAll(divingSolver, fresh)
      return [
        ...sharedFigures(exact, quick, optima),
        ...freshFigures(freshExact, freshQuick),
        ...stepFigures([...exact, ...quick, ...freshExact, ...freshQuick].flat()),
        ...timeFigures('exact', [...exact, ...freshExact].flat()),
        ...timeFigures('without a solver', [...quick, ...freshQuick].flat()),
      ]
    } finally {
      await highs.close()
    }
  },
}

type Answer = {
  readonly id: string
  readonly goal: ReconfigureGoal
  readonly plan: Reconfiguration
  readonly milliseconds: number
  readonly moves: number
  readonly waiting: number
  /** Undefined: every step was legal. */
  readonly broken: string | undefined
}

async function answerAll(solver: LinearSolver, instances: readonly Instance[]): Promise<Answer[][]> {
  const answers: Answer[][] = []
  for (const instance of instances) {
    const three: Answer[] = []
    for (const goal of GOALS) three.push(await answerOne(solver, instance, goal))
    answers.push(three)
  }
  return answers
}

async function answerOne(solver: LinearSolver, { id, problem }: Instance, goal: ReconfigureGoal): Promise<Answer> {
  const started = performance.now()
  const plan = await reconfigure(problem, { goal, solver, limits: { seconds: seconds(30), gap: ratio(0) } })
  const milliseconds = performance.now() - started
  if (plan.kind !== 'found') return { id, goal, plan, milliseconds, moves: 0, waiting: 0, broken: undefined }
  const order = orderMoves({ gpus: problem.gpus, targets: plan.targets, moves: plan.moves })
  let broken: string | undefined
  try {
    replayMoves(problem.gpus, plan, order.moves)
  } catch (error) {
    broken = errorText(error)
  }
  return { id, goal, plan, milliseconds, moves: order.moves.length, waiting: order.waiting.length, broken }
}

/** The figure that a goal is about; NaN where there is no answer. */
const reached = ({ plan, goal }: Answer): number =>
  plan.kind === 'found' ? (goal === 'fewest-gpus' ? plan.gpus : plan.displaced) : Number.NaN

function sharedFigures(
  exact: readonly Answer[][],
  quick: readonly Answer[][],
  optima: ReadonlyArray<readonly [number, number, number]>,
): Figure[] {
  const sum = (question: number): number => optima.reduce((total, three) => total + (three[question] ?? 0), 0)
  const reachedSum = (answers: readonly Answer[][], question: number): number =>
    answers.reduce((total, three) => total + (three[question] === undefined ? Number.NaN : reached(three[question])), 0)
  const equal = (answers: readonly Answer[][]): number =>
    answers.filter((three, index) => three.every((answer, question) => reached(answer) === optima[index]?.[question]))
      .length
  const scratch = quick.reduce(
    (total, three) => total + (three[1]?.plan.kind === 'found' ? three[1].plan.displaced : Number.NaN),
    0,
  )
  const names = ['displaced, fleet kept', 'GPUs, repacked', 'displaced at fewest GPUs']
  return [
    {
      name: 'shared: all three optima equalled, exact',
      figure: equal(exact),
      unit: `of ${optima.length}`,
      aim: `${optima.length}`,
    },
    { name: 'shared: all three optima equalled, without a solver', figure: equal(quick), unit: `of ${optima.length}` },
    ...names.flatMap((name, question): Figure[] => [
      {
        name: `shared: ${name}, exact`,
        figure: reachedSum(exact, question),
        unit: '',
        baseline: { name: 'proven optimum', figure: sum(question) },
      },
      {
        name: `shared: ${name}, without a solver`,
        figure: reachedSum(quick, question),
        unit: '',
        baseline: { name: 'proven optimum', figure: sum(question) },
      },
    ]),
    {
      name: 'shared: displaced at fewest GPUs, exact, beside a repack',
      figure: reachedSum(exact, 2),
      unit: '',
      baseline: { name: 'repacked without regard to what runs', figure: scratch },
    },
  ]
}

function freshFigures(exact: readonly Answer[][], quick: readonly Answer[][]): Figure[] {
  const possible = exact.flatMap((three, index) => (three.every(({ plan }) => plan.kind === 'found') ? [index] : []))
  const impossible = exact.filter((three) => three.every(({ plan }) => plan.kind === 'impossible')).length
  const proven = possible.filter((index) =>
    exact[index]?.every(({ plan }) => plan.kind === 'found' && plan.unproven === undefined),
  ).length
  const seeds = { seeds: FRESH }
  return [
    {
      name: 'fresh: proven, exact',
      figure: proven,
      unit: `of ${possible.length}`,
      note: `${impossible} more are proven impossible`,
      ...seeds,
    },
    ...GOALS.map((goal, question): Figure => {
      const pairs = possible.map((index) => [quick[index]?.[question], exact[index]?.[question]] as const)
      const total = (side: 0 | 1): number =>
        pairs.reduce((sum, pair) => sum + (pair[side] === undefined ? Number.NaN : reached(pair[side])), 0)
      const equal = pairs.filter(([a, b]) => a !== undefined && b !== undefined && reached(a) === reached(b)).length
      return {
        name: `fresh: ${goal}, without a solver`,
        figure: total(0),
        unit: '',
        baseline: { name: 'exact', figure: total(1) },
        note: `equal on ${equal} of ${pairs.length}`,
        ...seeds,
      }
    }),
  ]
}

function stepFigures(answers: readonly Answer[]): Figure[] {
  const found = answers.filter(({ plan }) => plan.kind === 'found')
  const broken = found.filter((answer) => answer.broken !== undefined)
  const [first] = broken
  return [
    {
      name: 'plans carried out step by step',
      figure: found.length - broken.length,
      unit: `of ${found.length}`,
      aim: 'all',
      ...(first === undefined ? {} : { note: `${first.id}, ${first.goal}: ${first.broken}` }),
    },
    { name: 'steps checked', figure: found.reduce((sum, { moves }) => sum + moves, 0), unit: 'steps' },
    {
      name: 'pods that must wait in the queue for a while',
      figure: found.reduce((sum, { waiting }) => sum + waiting, 0),
      unit: 'pods',
      note: `of ${found.reduce((sum, { plan }) => sum + (plan.kind === 'found' ? plan.displaced : 0), 0)} displaced`,
    },
  ]
}

const timeFigures = (name: string, answers: readonly Answer[]): Figure[] =>
  [0.5, 0.95, 1].map((share) => ({
    name: `time per question, ${name}, ${share === 1 ? 'longest' : `p${share * 100}`}`,
    figure: quantile(
      answers.map(({ milliseconds }) => milliseconds),
      share,
    ),
    unit: 'ms',
  }))
