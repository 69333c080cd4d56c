import type { LinearProgram, LinearRow } from '../linear/linear-program.ts'
import type { LayoutModel } from './layout-model.ts'

/** The counting model as a linear program, with the meaning of its variables and rows. */
export type CountingProgram = {
  readonly program: LinearProgram
  /** GPUs of a class with a pattern. */
  readonly patterns: ReadonlyArray<{ readonly classIndex: number; readonly pattern: number }>
  /** Workloads of a group on a cell, where a group has a choice; these variables follow the patterns. */
  readonly choices: ReadonlyArray<{ readonly group: number; readonly cell: number }>
  /** The first of the variables for what is left unplaced, one for each group; undefined: everything must be placed. */
  readonly unplaced: number | undefined
  /** Rows 0 … cells − 1 belong to the cells; the row that limits what is unplaced, where there is one. */
  readonly shortfallRow: number | undefined
}

export type Goal = {
  /** What one GPU of each class costs. */
  readonly weights: readonly number[]
  /** `none`: everything is placed. `least`: place all that can be. A number: leave at most so much unplaced, in GPUs. */
  readonly unplaced: 'none' | 'least' | number
}

/** min Σ weight × GPUs, every demand on an instance, no more instances than GPUs are cut into, no more GPUs than there are. */
export function countingProgram(model: LayoutModel, goal: Goal): CountingProgram {
  const { weights, unplaced } = goal
  const patterns = model.classes.flatMap((each, classIndex) =>
    each.patterns.map((_, pattern) => ({ classIndex, pattern })),
  )
  const choices = model.groups.flatMap(({ cells }, group) =>
    cells.length > 1 ? cells.map((cell) => ({ group, cell })) : [],
  )
  const first = patterns.length + choices.length
  const open = unplaced === 'none' ? undefined : first
  const shares = model.groups.map(({ share }) => share)
  const gpuCost = patterns.map(({ classIndex }) => (unplaced === 'least' ? 0 : (weights[classIndex] ?? 1)))
  const openCost = open === undefined ? [] : shares.map((share) => (unplaced === 'least' ? share : 0))
  const rows = [
    ...cellRows(model, { patterns, choices, open }),
    ...choiceRows(model, { patterns, choices, open }),
    ...supplyRows(model, patterns),
  ]
  const shortfallRow = typeof unplaced === 'number' ? rows.length : undefined
  if (typeof unplaced === 'number') {
    rows.push({ kind: 'at-most', bound: unplaced, terms: shares.map((share, group) => [first + group, share]) })
  }
  return {
    program: {
      cost: [...gpuCost, ...choices.map(() => 0), ...openCost],
      upper: [
        ...patterns.map(() => Infinity),
        ...choices.map(() => Infinity),
        ...(open === undefined ? [] : model.groups.map(({ count }) => count)),
      ],
      rows,
    },
    patterns,
    choices,
    unplaced: open,
    shortfallRow,
  }
}

type Variables = Pick<CountingProgram, 'patterns' | 'choices'> & { readonly open: number | undefined }
type Terms = Array<readonly [number, number]>

/** For each cell: at least as many instances as workloads on them. A group with one cell counts there at once. */
function cellRows(model: LayoutModel, { patterns, choices, open }: Variables): LinearRow[] {
  const terms = model.cells.map((): Terms => [])
  for (const [variable, { classIndex, pattern }] of patterns.entries()) {
    for (const [cell, count] of instancesOf(model, classIndex, pattern)) terms[cell]?.push([variable, count])
  }
  for (const [index, { cell }] of choices.entries()) terms[cell]?.push([patterns.length + index, -1])
  return terms.map((own, cell): LinearRow => {
    const bound = soleGroups(model, cell).reduce((sum, group) => sum + (model.groups[group]?.count ?? 0), 0)
    const unplaced = open === undefined ? [] : soleGroups(model, cell).map((group) => [open + group, 1] as const)
    return { kind: 'at-least', bound, terms: [...own, ...unplaced] }
  })
}

/** What a pattern cuts, by cell. */
function instancesOf(model: LayoutModel, classIndex: number, pattern: number): Terms {
  const { cells = [], patterns = [] } = model.classes[classIndex] ?? {}
  const counts = patterns[pattern]?.counts ?? []
  return cells.map((cell, rank) => [cell, counts[rank] ?? 0] as const).filter(([, count]) => count > 0)
}

/** The groups that can sit on this cell only. */
const soleGroups = (model: LayoutModel, cell: number): readonly number[] =>
  (model.seats[cell] ?? []).map(({ group }) => group).filter((group) => model.groups[group]?.cells.length === 1)

function choiceRows(model: LayoutModel, { patterns, choices, open }: Variables): LinearRow[] {
  return model.groups.flatMap(({ cells, count }, group): LinearRow[] => {
    if (cells.length < 2) return []
    const terms: Terms = []
    for (const [index, choice] of choices.entries())
      if (choice.group === group) terms.push([patterns.length + index, 1])
    if (open !== undefined) terms.push([open + group, 1])
    return [{ kind: 'at-least', bound: count, terms }]
  })
}

/** A class whose GPUs outnumber the workloads that could want one needs no row. */
function supplyRows(model: LayoutModel, patterns: CountingProgram['patterns']): LinearRow[] {
  return model.classes.flatMap(({ supplyClass: { supply } }, classIndex): LinearRow[] => {
    const wanted = model.groups
      .filter(({ cells }) => cells.some((cell) => model.cells[cell]?.classIndex === classIndex))
      .reduce((sum, { count }) => sum + count, 0)
    if (wanted <= supply) return []
    const terms = [...patterns.entries()]
      .filter(([, pattern]) => pattern.classIndex === classIndex)
      .map(([variable]) => [variable, 1] as const)
    return [{ kind: 'at-most', bound: supply, terms }]
  })
}
