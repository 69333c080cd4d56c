import { ratio, seconds } from '../../units.ts'
import type { LinearAnswer, LinearSolver, SolveLimits } from '../linear/linear-program.ts'
import { answerFor, qualityOf, type Answering } from './answer-for.ts'
import { countingProgram, type CountingProgram, type Goal } from './counting-program.ts'
import {
  changeFlow,
  changeGpus,
  draftCost,
  emptyDraft,
  freeOn,
  openOf,
  openShare,
  spareGpus,
  sum,
  type DraftLayout,
} from './draft-layout.ts'
import type { LayoutAnswer } from './layout-answer.ts'
import type { LayoutModel } from './layout-model.ts'
import type { LayoutProblem } from './layout-problem.ts'
import { layoutProblemFlaws } from './layout-problem-flaws.ts'
import { draftAnswer } from './plan-layout.ts'
import { isBetter } from './round-layout.ts'
import { seatWorkloads } from './seat-workloads.ts'

/**
 * The layout plan again, now by a solver for whole numbers: most placed, then least cost, then fewest GPUs, then fewest
 * stranded compute slices; each goal is solved, fixed, and the next one solved. It starts from `planLayout`'s answer and
 * never falls behind it: where the solver runs out of time, or says something that does not hold, the better of both
 * stays, with the bounds known so far. The limits' seconds are for all goals together; a gap above 0 is enough for the
 * cost, and the later goals are then left out unless that is proven exactly.
 */
export async function proveLayout(
  problem: LayoutProblem,
  solver: LinearSolver,
  limits: SolveLimits,
): Promise<LayoutAnswer> {
  const because = layoutProblemFlaws(problem)
  if (because.length > 0) return { kind: 'invalid', because }
  let proof: Proof = { answering: draftAnswer(problem), limits: shared(limits), solver }
  for (const stage of STAGES) proof = await stage(proof)
  return answerFor(proof.answering)
}

type Proof = { readonly answering: Answering; readonly limits: SolveLimits; readonly solver: LinearSolver }
type Stage = (proof: Proof) => Promise<Proof>

const STAGES: readonly Stage[] = [placeMost, reachGoal, useFewest, strandLeast]

const shared = (limits: SolveLimits): SolveLimits => ({ ...limits, seconds: seconds(limits.seconds / STAGES.length) })

/** Rounding of dollars and shares, so that a fixed goal stays within reach of a solver with tolerances. */
const ROOM = 1e-6

async function placeMost(proof: Proof): Promise<Proof> {
  const { model, draft } = proof.answering
  const { unplacedBound } = qualityOf(proof.answering)
  if (openShare(model, draft) <= unplacedBound + ROOM) return proof
  const exact: Proof = { ...proof, limits: { ...proof.limits, gap: ratio(0) } }
  const answer = await attempt(exact, { weights: [], unplaced: 'least', whole: true }, 'placing the most')
  return { ...answer.proof, limits: proof.limits, answering: withBound(answer, 'unplaced') }
}

async function reachGoal(proof: Proof): Promise<Proof> {
  const { model, draft } = proof.answering
  const { gap } = qualityOf(proof.answering)
  if (gap !== undefined && gap <= proof.limits.gap) return proof
  const weights = model.classes.map(({ weight }) => weight)
  const answer = await attempt(proof, { weights, unplaced: allowed(model, draft), whole: true }, 'the least cost')
  return { ...answer.proof, answering: withBound(answer, 'goal') }
}

async function useFewest(proof: Proof): Promise<Proof> {
  const { model, draft } = proof.answering
  if (model.goal === 'gpus' || qualityOf(proof.answering).proof !== 'optimal') return proof
  const goal: Goal = {
    weights: model.classes.map(() => 1),
    unplaced: allowed(model, draft),
    keep: [{ cost: (classIndex) => model.classes[classIndex]?.weight ?? 1, atMost: draftCost(model, draft) + ROOM }],
    whole: true,
  }
  return (await attempt(proof, goal, 'the fewest GPUs')).proof
}

async function strandLeast(proof: Proof): Promise<Proof> {
  const { model, draft } = proof.answering
  if (qualityOf(proof.answering).proof !== 'optimal') return proof
  const goal: Goal = {
    weights: model.classes.map(() => 0),
    patternCost: (classIndex, pattern) => model.classes[classIndex]?.patterns[pattern]?.stranded ?? 0,
    unplaced: allowed(model, draft),
    keep: [
      { cost: (classIndex) => model.classes[classIndex]?.weight ?? 1, atMost: draftCost(model, draft) + ROOM },
      { cost: () => 1, atMost: gpusOf(draft) },
    ],
    whole: true,
  }
  return (await attempt(proof, goal, 'the fewest stranded slices')).proof
}

const allowed = (model: LayoutModel, draft: DraftLayout): Goal['unplaced'] => {
  const open = openShare(model, draft)
  return open === 0 ? 'none' : open + ROOM
}

type Attempt = { readonly proof: Proof; readonly bound: number | undefined }

/** Asks the solver; takes its plan if that holds and is better, and notes why if there is none. */
async function attempt(proof: Proof, goal: Goal, what: string): Promise<Attempt> {
  const { answering, limits, solver } = proof
  const counting = countingProgram(answering.model, goal)
  const answer = await solver.solve(counting.program, limits)
  const bound = 'bound' in answer ? answer.bound : undefined
  const found = 'values' in answer ? draftFrom(answering.model, counting, answer.values) : undefined
  const draft = found !== undefined && isNoWorse(answering.model, found, answering.draft) ? found : answering.draft
  const trouble = troubleOf(answer, what)
  const notes = trouble === undefined ? answering.notes : [...answering.notes, trouble]
  return { proof: { ...proof, answering: { ...answering, draft, notes } }, bound }
}

function troubleOf(answer: LinearAnswer, what: string): string | undefined {
  if (answer.kind === 'optimal') return undefined
  const because = 'because' in answer ? answer.because : `the solver calls it ${answer.kind}, which it is not`
  return `Not proven: ${what} (${because}).`
}

/** A whole-number answer as a layout. Undefined when it breaks supply: then the solver is not to be trusted. */
function draftFrom(model: LayoutModel, counting: CountingProgram, values: readonly number[]): DraftLayout | undefined {
  const draft = emptyDraft(model)
  for (const [variable, { classIndex, pattern }] of counting.patterns.entries()) {
    const by = Math.round(values[variable] ?? 0)
    if (!(by >= 0)) return undefined
    changeGpus(model, draft, { classIndex, pattern, by })
  }
  for (const [index, { group, cell }] of counting.choices.entries()) {
    const rank = model.groups[group]?.cells.indexOf(cell) ?? 0
    const wanted = Math.round(values[counting.patterns.length + index] ?? 0)
    const by = Math.min(wanted, freeOn(draft, cell), openOf(draft, group))
    if (by > 0) changeFlow(model, draft, { group, rank, by })
  }
  if ([...model.classes.keys()].some((classIndex) => spareGpus(model, draft, classIndex) < 0)) return undefined
  seatWorkloads(model, draft)
  return draft
}

function isNoWorse(model: LayoutModel, found: DraftLayout, than: DraftLayout): boolean {
  if (isBetter(model, found, than)) return true
  if (isBetter(model, than, found)) return false
  const fewer = gpusOf(than) - gpusOf(found)
  return fewer > 0 || (fewer === 0 && strandedBy(model, found) <= strandedBy(model, than))
}

const gpusOf = ({ gpus }: DraftLayout): number => sum(gpus.map(sum))

const strandedBy = (model: LayoutModel, { gpus }: DraftLayout): number =>
  sum(model.classes.flatMap(({ patterns }, c) => patterns.map(({ stranded }, p) => stranded * (gpus[c]?.[p] ?? 0))))

function withBound({ proof: { answering }, bound }: Attempt, of: 'goal' | 'unplaced'): Answering {
  return bound === undefined ? answering : { ...answering, searched: { ...answering.searched, [of]: bound } }
}
