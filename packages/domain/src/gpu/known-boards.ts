import { onceFor } from '../once-for.ts'
import { profileOf, type Board, type MenuOnlyBoard } from './board.ts'
import { AMPERE_BOARDS } from './boards/ampere.ts'
import { BLACKWELL_BOARDS } from './boards/blackwell.ts'
import { HOPPER_BOARDS } from './boards/hopper.ts'
import { MENU_ONLY_BOARDS } from './boards/menu-only.ts'
import type { ProfileName } from './geometry.ts'
import { modelKey } from './product-name.ts'

/** Every board whose placements are known. */
export const BOARDS: readonly Board[] = [...AMPERE_BOARDS, ...HOPPER_BOARDS, ...BLACKWELL_BOARDS]

/**
 * The MIG geometry of a GPU model, by catalog entry, catalog name, exporter `modelName` or product label; exact, never in
 * part. Undefined when it has none or when we do not know it: `migSupport` tells these apart.
 */
export function boardFor(model: string | { readonly name: string }): Board | undefined {
  const name = typeof model === 'string' ? model : model.name
  const board = asked.get(name) ?? byName.get(modelKey(name))
  if (board !== undefined) asked.set(name, board)
  return board
}

/** By the name that was asked for: a fleet asks the same few for each of its GPUs. */
const asked = new Map<string, Board>()

/** The board by the names alone that its driver takes: `1g.23gb` of a GB200, or `1g.24gb` where the driver is an older one. */
export const boardAsSpelled = (board: Board, olderNames: boolean): Board =>
  Object.keys(board.aliases).length === 0 ? board : olderNames ? byOlderNames(board) : byOwnNames(board)

/** What a board's driver calls the profile of a name, in whichever spelling that is; undefined where the board has none. */
export const spelledOn = (board: Board, olderNames: boolean, name: ProfileName): ProfileName | undefined =>
  boardAsSpelled(board, olderNames).profiles[board.profiles.findIndex((row) => row === profileOf(board, name))]?.name

const byOwnNames = onceFor((board: Board): Board => ({ ...board, aliases: {} }))
const byOlderNames = onceFor((board: Board): Board => {
  const older = new Map(Object.entries(board.aliases).map(([alias, own]) => [own, alias]))
  const profiles = board.profiles.map((profile) => ({ ...profile, name: older.get(profile.name) ?? profile.name }))
  return { ...board, key: `${board.key} by older names`, profiles, aliases: {} }
})

/** The published menu of a board whose placements nobody published. Do not plan with it: ask the node. */
export const menuOnlyBoardFor = (model: string | { readonly name: string }): MenuOnlyBoard | undefined =>
  menuOnlyByName.get(keyOf(model))

const keyOf = (model: string | { readonly name: string }): string =>
  modelKey(typeof model === 'string' ? model : model.name)

const byName = new Map(BOARDS.flatMap((board) => board.names.map((name) => [modelKey(name), board] as const)))
const menuOnlyByName = new Map(
  MENU_ONLY_BOARDS.flatMap((board) => board.names.map((name) => [modelKey(name), board] as const)),
)
