import { profileOf, type Board } from '../../gpu/board.ts'
import type { ProfileName } from '../../gpu/geometry.ts'
import { ratio, type Ratio } from '../../units.ts'
import { seededChance } from '../simulate/seeded-chance.ts'

/** A made-up workload: when it runs, and what it needs. */
export type HeroJob = {
  readonly id: number
  readonly name: string
  /** Minutes since the start. */
  readonly from: number
  readonly until: number
  readonly profile: ProfileName
  /** Compute slices that it needs, and the share of them that it keeps busy. */
  readonly slices: number
  readonly busy: Ratio
}

export type HeroJobOptions = {
  readonly seed: number
  readonly board: Board
  /** Teams that each run one workload after the other: as many workloads at once, at most. */
  readonly voices: number
  /** 0: nearly all workloads are small. 1: most want a whole GPU. The times are the same in every mix. */
  readonly mix: Ratio
}

/**
 * The workloads of all teams in the order in which they begin, without end; the same for the same options. A team runs one
 * size after the other again, so that what it leaves is what it needs next.
 */
export function* heroJobs({ seed, board, voices, mix }: HeroJobOptions): Generator<HeroJob, never> {
  const menu = menuOf(board, mix)
  const teams = Array.from({ length: voices }, (_, voice) => {
    const random = seededChance(seed * 1009 + voice)
    return { random, begins: random() * LONGEST_STAY, size: random() }
  })
  for (let id = 0; ; id += 1) {
    const team = teams.reduce((first, other) => (other.begins < first.begins ? other : first))
    const { random, begins, size } = team
    const stays = SHORTEST_STAY + (LONGEST_STAY - SHORTEST_STAY) * random() ** 2
    // Drawn in every mix, so that the times of all that follows do not hang on it.
    const [name, busy] = [random(), random()]
    team.begins = begins + stays + LONGEST_GAP * random()
    yield { id, from: begins, until: begins + stays, ...take(menu, { size, name }), busy: ratio(0.7 + 0.3 * busy) }
  }
}

// What teams run and how often, at the two ends of the mix and halfway. A choice, not a trace.
const MENU = [
  { profile: '1g.10gb', names: ['rerank', 'embed', 'notebook', 'ocr'], small: 0.75, medium: 0.45, large: 0.05 },
  { profile: '2g.20gb', names: ['tts', 'lora', 'eval', 'asr'], small: 0.2, medium: 0.29, large: 0.1 },
  { profile: '3g.40gb', names: ['chat-8b', 'vision', 'batch'], small: 0.05, medium: 0.16, large: 0.2 },
  { profile: '4g.40gb', names: ['chat-14b', 'tune'], small: 0, medium: 0.1, large: 0.15 },
  { profile: '7g.80gb', names: ['train', 'pretrain'], small: 0, medium: 0, large: 0.5 },
] as const
const SHORTEST_STAY = 25
const LONGEST_STAY = 110
const LONGEST_GAP = 4

/** The part of the workloads that each profile has in a mix, smallest first; together 1. */
export const heroShares = (mix: Ratio): ReadonlyArray<{ readonly profile: ProfileName; readonly share: Ratio }> =>
  MENU.map(({ profile, small, medium, large }) => {
    const share = mix < 0.5 ? small + (medium - small) * 2 * mix : medium + (large - medium) * (2 * mix - 1)
    return { profile, share: ratio(share) }
  })

type MenuRow = Pick<HeroJob, 'profile' | 'slices'> & { readonly names: readonly string[]; readonly share: number }

function menuOf(board: Board, mix: Ratio): readonly MenuRow[] {
  return heroShares(mix).map(({ profile, share }, row) => {
    const found = profileOf(board, profile)
    if (found === undefined)
      throw new Error(`the board ${board.key} has no ${profile}: the stream is made for an 80 GB A100`)
    return { profile, slices: found.computeSlices, names: MENU[row]?.names ?? [], share }
  })
}

function take(
  menu: readonly MenuRow[],
  draw: { readonly size: number; readonly name: number },
): Pick<HeroJob, 'profile' | 'slices' | 'name'> {
  let left = draw.size
  const row = menu.find(({ share }) => (left -= share) < 0) ?? menu[0]
  if (row === undefined) throw new Error('the menu is empty')
  const { profile, slices, names } = row
  return { profile, slices, name: names[Math.floor(draw.name * names.length)] ?? profile }
}
