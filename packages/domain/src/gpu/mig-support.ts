import type { Board, MenuOnlyBoard } from './board.ts'
import { findModel } from './catalog.ts'
import type { GpuModel } from './gpu-model.ts'
import { boardFor, menuOnlyBoardFor } from './known-boards.ts'

/**
 * What we may say about MIG on a GPU. `ask-node`: it can, or likely can, but its placements were never published, so
 * only the node itself knows what fits; `menu` is there when at least the profiles were.
 */
export type MigSupport =
  | { readonly kind: 'known'; readonly board: Board }
  | { readonly kind: 'ask-node'; readonly menu: MenuOnlyBoard | undefined; readonly because: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown-model' }

/** Whether and how a GPU can be divided by MIG, by catalog entry or by any name that `findModel` takes. */
export function migSupport(label: string | GpuModel): MigSupport {
  const model = typeof label === 'string' ? findModel(label) : label
  if (model === undefined) return { kind: 'unknown-model' }
  const board = boardFor(model)
  if (board !== undefined) return { kind: 'known', board }
  if (model.mig === 'no') return { kind: 'none' }
  return { kind: 'ask-node', menu: menuOnlyBoardFor(model), because: BECAUSE[model.mig](model.name) }
}

const BECAUSE = {
  yes: (name) => `${name} supports MIG, but its placements are not published: ask the node which profiles fit`,
  likely: (name) => `${name} likely supports MIG, by its silicon, but no table of it is published: ask the node`,
  unknown: (name) => `it is not published whether ${name} supports MIG: ask the node`,
} satisfies Record<Exclude<GpuModel['mig'], 'no'>, (name: string) => string>
