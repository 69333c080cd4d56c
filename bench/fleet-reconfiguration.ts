import { errorText } from '@septet/domain/words'
import { join } from 'node:path'

import { reconfigure, type ReconfigureGoal, type Reconfiguration } from '@septet/domain'

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
    answerAll(shared.slice(0, 1))
    const answers = answerAll(shared)
    const fresh = answerAll(freshInstances(FRESH, FIRST_SEED))
    const all = [...answers, ...fresh].flat()
    return [
      ...sharedFigures(
        answers,
        shared.map(({ optima }) => optima),
      ),
      ...freshFigures(fresh),
      ...stepFigures(all),
      ...timeFigures(all),
    ]
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

const answerAll = (instances: readonly Instance[]): Answer[][] =>
  instances.map((instance) => GOALS.map((goal) => answerOne(instance, goal)))

function answerOne({ id, problem }: Instance, goal: ReconfigureGoal): Answer {
  const started = performance.now()
  const plan = reconfigure(problem, { goal })
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
  answers: readonly Answer[][],
  optima: ReadonlyArray<readonly [number, number, number]>,
): Figure[] {
  const reachedSum = (question: number): number =>
    answers.reduce((total, three) => total + (three[question] === undefined ? Number.NaN : reached(three[question])), 0)
  const equal = answers.filter((three, index) =>
    three.every((answer, question) => reached(answer) === optima[index]?.[question]),
  ).length
  const scratch = answers.reduce(
    (total, three) => total + (three[1]?.plan.kind === 'found' ? three[1].plan.displaced : Number.NaN),
    0,
  )
  const names = ['displaced, fleet kept', 'GPUs, repacked', 'displaced at fewest GPUs']
  return [
    {
      name: 'shared: all three optima equalled, exact',
      figure: equal,
      unit: `of ${optima.length}`,
      aim: `${optima.length}`,
    },
    ...names.map((name, question): Figure => ({
      name: `shared: ${name}, exact`,
      figure: reachedSum(question),
      unit: '',
      baseline: {
        name: 'proven optimum',
        figure: optima.reduce((total, three) => total + (three[question] ?? 0), 0),
      },
    })),
    {
      name: 'shared: displaced at fewest GPUs, exact, beside a repack',
      figure: reachedSum(2),
      unit: '',
      baseline: { name: 'repacked without regard to what runs', figure: scratch },
    },
  ]
}

function freshFigures(answers: readonly Answer[][]): Figure[] {
  const seeds = { seeds: FRESH }
  const possible = answers.filter((three) => three.every(({ plan }) => plan.kind !== 'impossible'))
  const proven = possible.filter((three) =>
    three.every(({ plan }) => plan.kind === 'found' && plan.unproven === undefined),
  ).length
  return [
    {
      name: 'fresh: proven, exact',
      figure: proven,
      unit: `of ${possible.length}`,
      note: `${answers.length - possible.length} more are proven impossible`,
      ...seeds,
    },
    ...GOALS.map((goal, question): Figure => ({
      name: `fresh: ${goal}`,
      figure: possible.reduce((sum, three) => sum + (three[question] ? reached(three[question]) : Number.NaN), 0),
      unit: '',
      ...seeds,
    })),
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

const timeFigures = (answers: readonly Answer[]): Figure[] =>
  [0.5, 0.95, 1].map((share) => ({
    name: `time per question, ${share === 1 ? 'longest' : `p${share * 100}`}`,
    figure: quantile(
      answers.map(({ milliseconds }) => milliseconds),
      share,
    ),
    unit: 'ms',
  }))
