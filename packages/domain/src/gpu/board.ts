import { onceFor } from '../once-for.ts'
import { ratio, type Mib, type Ratio } from '../units.ts'
import type { ProfileName } from './geometry.ts'
import { parseProfileName } from './profile-name.ts'

/**
 * What a GPU model lets MIG cut, as the driver lists it. The same profile name is another shape on another board:
 * `1g.10gb` takes one memory slice of an A100-80GB, two of an A100-40GB. So ask for (board, profile), never for a profile.
 */
export type Board = {
  /** Our name for the geometry; several GPU models share one. */
  readonly key: string
  /** Exact NVML names without `NVIDIA `. */
  readonly names: readonly string[]
  /** PCI device ids, by which NVIDIA's own tools choose the geometry. */
  readonly pciIds: readonly string[]
  /** Length of the row of placement units, which NVML calls memory slices. */
  readonly memorySlices: number
  readonly computeSlices: number
  readonly profiles: readonly MigProfile[]
  /** Other names that drivers gave the same shape → the name in `profiles`. */
  readonly aliases: Readonly<Record<ProfileName, ProfileName>>
}

/** One row of a board's menu. */
export type MigProfile = {
  readonly name: ProfileName
  /** The id that nvidia-smi prints, which is not NVML's enumerator. Ids repeat across boards with other meanings. */
  readonly giProfileId: number | undefined
  readonly computeSlices: number
  /** Memory slices that an instance covers. */
  readonly size: number
  /** Memory slices where an instance may begin. */
  readonly starts: readonly number[]
  /** Instances of this profile that one GPU can hold. */
  readonly max: number
  /** Framebuffer of an instance. Drivers differ by some percent: on a live node its own label wins. Undefined: not known. */
  readonly memory: Mib | undefined
  /** Streaming multiprocessors. They do not grow with the compute slices on Hopper and later. Undefined: not known. */
  readonly multiprocessors: number | undefined
  /** Where the row comes from: real hardware, NVIDIA's shipped configuration, documentation, a test double. */
  readonly evidence: string
}

/** A MIG board whose menu is published and whose placements are not: what fits has to be asked of the node. */
export type MenuOnlyBoard = Pick<Board, 'key' | 'names' | 'pciIds' | 'computeSlices'> & {
  readonly profiles: ReadonlyArray<Pick<MigProfile, 'name' | 'computeSlices' | 'max' | 'evidence'>>
}

/** The row for a profile's name on this board; names of older drivers count. Undefined when the board has no such profile. */
export const profileOf = (board: Board, name: ProfileName): MigProfile | undefined =>
  indexOf(board).get(board.aliases[name] ?? name)

/** What other drivers call the shape that this name stands for on the board; empty where all call it alike. */
export function otherSpellings(board: Board, name: ProfileName): readonly ProfileName[] {
  const own = profileOf(board, name)?.name
  const aliases = Object.entries(board.aliases).flatMap(([alias, of]) => (of === own ? alias : []))
  return own === undefined ? [] : [own, ...aliases].filter((one) => one !== name)
}

/** The profile's part of a whole GPU: its compute slices over the board's. */
export const sliceShare = (board: Board, profile: MigProfile): Ratio =>
  ratio(profile.computeSlices / board.computeSlices)

/** The profiles without media or graphics variants; the double-memory one is among them. */
export const plainProfiles: (board: Board) => readonly MigProfile[] = onceFor(({ profiles }: Board) =>
  profiles.filter((profile) => parseProfileName(profile.name)?.variant === ''),
)

const indexOf = onceFor(
  ({ profiles }: Board): ReadonlyMap<ProfileName, MigProfile> =>
    new Map(profiles.map((profile) => [profile.name, profile])),
)
