import type { Board } from '../../gpu/board.ts'
import { inferPlacements } from '../../gpu/infer-placements.ts'
import { boardFor } from '../../gpu/known-boards.ts'
import { acceptMost, fewestGpus, migBestFit } from '../place/mig-policies.ts'
import type { MigPolicy } from '../place/mig-policy.ts'
import { bestFit } from '../policy/best-fit.ts'
import type { Policy } from '../policy/policy.ts'
import { septet } from '../policy/septet.ts'

/** A way to share GPUs, with the rule by which work is placed. */
export type Alternative = {
  /** Stable: it stands in links. */
  readonly id: string
  readonly mode:
    | { readonly kind: 'today' }
    | { readonly kind: 'whole' }
    | { readonly kind: 'static'; readonly layout: string }
    | { readonly kind: 'mig' }
    | { readonly kind: 'slices'; readonly replicas: number }
  /** Name of the placement policy; empty where the way to share leaves no choice. */
  readonly policy: string
}

/** Every way that can be compared, the simplest first. */
export function alternatives(): readonly Alternative[] {
  return [
    { id: 'today', mode: { kind: 'today' }, policy: '' },
    ...SHARE_NAMES.map((policy) => ({ id: `whole.${policy}`, mode: { kind: 'whole' as const }, policy })),
    ...STATIC_LAYOUTS.map((layout) => ({
      id: `static.${layout}`,
      mode: { kind: 'static' as const, layout },
      policy: '',
    })),
    ...MIG_NAMES.map((policy) => ({ id: `mig.${policy}`, mode: { kind: 'mig' as const }, policy })),
    ...REPLICAS.flatMap((replicas) =>
      SHARE_NAMES.map((policy) => ({
        id: `slices${replicas}.${policy}`,
        mode: { kind: 'slices' as const, replicas },
        policy,
      })),
    ),
  ]
}

export const alternativeOf = (id: string): Alternative | undefined => alternatives().find((one) => one.id === id)

const REPLICAS = [2, 4, 8] as const
const STATIC_LAYOUTS = ['balanced', '1g', '2g', '3g'] as const
const SHARE_NAMES = ['best-fit', 'septet'] as const
const MIG_NAMES = ['best-fit', 'septet-elastic', 'septet'] as const

export const migPolicy = (name: string): MigPolicy =>
  [migBestFit, fewestGpus, acceptMost].find((policy) => policy.name === name) ?? acceptMost

/** The policy of that name for whole GPUs and shares; best fit where the way to share leaves no choice. */
export const sharePolicy = (name: string): Policy => (name === '' || name === 'best-fit' ? bestFit : septet)

/** The profiles that a GPU Operator layout cuts a board into; undefined where the board has no such layout. */
export function staticCut(model: string, layout: string): readonly string[] | undefined {
  const board = boardFor(model)
  const cut = board === undefined ? [] : profilesOf(board, layout)
  return board === undefined || cut.length === 0 || inferPlacements(board, cut) === undefined ? undefined : cut
}

// What GPU Operator's all-balanced and all-Ng configurations hold (mig-parted's built-in configurations).
function profilesOf(board: Board, layout: string): readonly string[] {
  const plain = board.profiles.filter(({ name }) => !name.includes('+'))
  const smallest = (slices: number) =>
    plain.filter(({ computeSlices }) => computeSlices === slices).toSorted((a, b) => a.size - b.size)[0]
  const uniform = smallest(Number.parseInt(layout, 10))
  if (layout !== 'balanced') return uniform === undefined ? [] : Array<string>(uniform.max).fill(uniform.name)
  return [smallest(1), smallest(1), smallest(2), smallest(3)].flatMap((profile) => profile?.name ?? [])
}
