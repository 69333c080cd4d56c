import { mib } from '../../units.ts'
import type { Board, MigProfile } from '../board.ts'
import type { ProfileName } from '../geometry.ts'

type MenuRow = readonly [
  name: ProfileName,
  row: {
    /** GI profile id, as nvidia-smi prints it. */
    readonly id: number
    readonly compute: 1 | 2 | 4
    readonly max: number
    /** MiB. */
    readonly memory: number
    readonly multiprocessors: number
  },
]

export type FourSliceMenu = Pick<Board, 'key' | 'names' | 'pciIds' | 'memorySlices'> & {
  readonly evidence: string
  readonly menu: readonly MenuRow[]
}

/**
 * A board with 4 compute slices, whose memory slices are cut evenly among them: an instance covers its share of the row
 * and begins at a multiple of its own size. Published `nvidia-smi mig -lgipp` output of A30 and RTX PRO 6000.
 */
export const fourSlice = ({ evidence, menu, ...board }: FourSliceMenu): Board => ({
  ...board,
  computeSlices: 4,
  aliases: {},
  profiles: menu.map((row) => toProfile(row, board.memorySlices, evidence)),
})

function toProfile([name, row]: MenuRow, memorySlices: number, evidence: string): MigProfile {
  const size = (memorySlices / 4) * row.compute
  return {
    name,
    giProfileId: row.id,
    computeSlices: row.compute,
    size,
    starts: Array.from({ length: memorySlices / size }, (_, index) => index * size),
    max: row.max,
    memory: mib(row.memory),
    multiprocessors: row.multiprocessors,
    evidence,
  }
}
