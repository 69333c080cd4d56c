import { errorText } from '@septet/domain/words'

import { reconfigure, type ReconfigureGoal, type Reconfiguration } from '@septet/domain'

import type { Benchmark, Figure } from './benchmark.ts'
import { readInstances, type ReferenceInstance } from './reconfiguration-instances.ts'
import { carryOut, type CarriedOut } from './carry-out-moves.ts'

const GOALS = ['fewest-displaced', 'fewest-gpus', 'fewest-displaced-at-fewest-gpus'] as const

export const benchmark: Benchmark = {
  name: 'fleet-reconfiguration',
  description:
    'The shared reconfigurations against their proven optima; a checker carries out every plan step by step and refuses overlaps and lost pods.',
  run: async ({ input }) => {
    const shared = readInstances(input)
    const answers = shared.map((instance) => GOALS.map((goal) => answerOne(instance, goal)))
    const optima = shared.map((instance) => instance.optima)
    return [...sharedFigures(answers, optima), ...stepFigures(answers.flat())]
  },
}

type Answer = {
  readonly id: string
  readonly goal: ReconfigureGoal
  readonly plan: Reconfiguration
  readonly carriedOut: CarriedOut
  /** Undefined: every step was legal. */
  readonly broken: string | undefined
}

function answerOne({ id, problem }: ReferenceInstance, goal: ReconfigureGoal): Answer {
  const plan = reconfigure(problem, { goal })
  if (plan.kind !== 'found') return { id, goal, plan, carriedOut: NOTHING, broken: undefined }
  try {
    return { id, goal, plan, carriedOut: carryOut(problem.gpus, plan), broken: undefined }
  } catch (error) {
    return { id, goal, plan, carriedOut: NOTHING, broken: errorText(error) }
  }
}

const NOTHING: CarriedOut = { steps: 0, waiting: 0 }

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
    { name: 'steps checked', figure: found.reduce((sum, { carriedOut }) => sum + carriedOut.steps, 0), unit: 'steps' },
    {
      name: 'pods that must wait in the queue for a while',
      figure: found.reduce((sum, { carriedOut }) => sum + carriedOut.waiting, 0),
      unit: 'pods',
      note: `of ${found.reduce((sum, { plan }) => sum + (plan.kind === 'found' ? plan.displaced : 0), 0)} displaced`,
    },
  ]
}
