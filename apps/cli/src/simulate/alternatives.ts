import { boardFor, BOARDS, migPoliciesFor, POLICIES, type Board, type MigPolicy, type Policy } from '@septet/domain'

import { UsageError } from '../options/command-options.ts'

/** Which policies are compared, and in what pods get. */
export type Alternatives =
  | { readonly as: 'shares'; readonly policies: readonly Policy[] }
  | { readonly as: 'mig'; readonly board: Board; readonly policies: readonly MigPolicy[] }

type Flags = { readonly as: string; readonly board?: string; readonly policy?: string }

const DEFAULT_BOARD = 'A100-80GB'
const DEFAULTS = { shares: 'best-fit,fgd,septet', mig: 'best-fit,fgd,septet,static-balanced,whole-gpus' }

/** What there is on the board that is taken where none is named. */
export const MIG_EXAMPLES = migPoliciesFor(boardNamed(DEFAULT_BOARD))

/** Reads --as, --board and --policy. Throws a `UsageError` that names what there is. */
export function readAlternatives({ as, board, policy }: Flags): Alternatives {
  if (as === 'mig') {
    const taken = boardNamed(board ?? DEFAULT_BOARD)
    const menu = { policies: migPoliciesFor(taken), where: ` for --as mig on ${taken.key}`, other: POLICIES }
    const hint = 'works on GPU shares: leave out --as mig'
    return { as, board: taken, policies: policiesOf(policy ?? DEFAULTS.mig, { ...menu, hint }) }
  }
  if (as !== 'shares') throw new UsageError(`--as is "${as}" but must be shares or mig.`)
  if (board !== undefined) throw new UsageError('--board says what MIG cuts: it goes with --as mig.')
  const hint = 'works on MIG instances: add --as mig'
  return {
    as,
    policies: policiesOf(policy ?? DEFAULTS.shares, { policies: POLICIES, where: '', other: MIG_EXAMPLES, hint }),
  }
}

type Named = { readonly name: string }
type Menu<One> = {
  readonly policies: readonly One[]
  readonly where: string
  readonly other: readonly Named[]
  readonly hint: string
}

function policiesOf<One extends Named>(text: string, { policies, where, other, hint }: Menu<One>): One[] {
  const names = [...new Set(text.split(',').map((name) => name.trim()))]
  return names.map((name) => {
    const policy = policies.find((known) => known.name === name)
    if (policy !== undefined) return policy
    const there = `There are: ${policies.map((known) => known.name).join(', ')}.`
    if (other.some((known) => known.name === name)) throw new UsageError(`"${name}" ${hint}. ${there}`)
    throw new UsageError(`There is no policy "${name}"${where}. ${there}`)
  })
}

function boardNamed(name: string): Board {
  const board = BOARDS.find(({ key }) => key.toLowerCase() === name.toLowerCase()) ?? boardFor(name)
  if (board !== undefined) return board
  throw new UsageError(`--board is "${name}" but must be one of: ${BOARDS.map(({ key }) => key).join(', ')}.`)
}
