import { mib } from '../../units.ts'
import type { Board, MigProfile } from '../board.ts'
import type { ProfileName } from '../geometry.ts'

/** Profile name, framebuffer in MiB, multiprocessors. Undefined: not known. */
type MenuRow = readonly [name: ProfileName, memory: number | undefined, multiprocessors: number | undefined]

export type SevenSliceMenu = Pick<Board, 'key' | 'names' | 'pciIds'> & {
  readonly aliases?: Board['aliases']
  readonly evidence: string
  /** One row for each of `SHAPES`, in their order. */
  readonly menu: readonly [MenuRow, MenuRow, MenuRow, MenuRow, MenuRow, MenuRow, MenuRow]
}

/** A board with 8 memory and 7 compute slices: all share one set of shapes, and differ in names and memory. */
export const sevenSlice = ({ evidence, menu, ...board }: SevenSliceMenu): Board => ({
  aliases: {},
  ...board,
  memorySlices: 8,
  computeSlices: 7,
  profiles: SHAPES.map((shape, index) => toProfile(shape, menu[index], evidence)),
})

type Shape = Pick<MigProfile, 'giProfileId' | 'computeSlices' | 'size' | 'starts' | 'max'>

// The eighth memory slice never hosts a 1g: seven compute slices for eight memory slices. Published output of
// `nvidia-smi mig -lgipp` on H100 NVL; go-nvml's test double differs for Hopper and later and is wrong there.
const ANY = [0, 1, 2, 3, 4, 5, 6]
const SHAPES: readonly Shape[] = [
  { giProfileId: 19, computeSlices: 1, size: 1, starts: ANY, max: 7 },
  { giProfileId: 20, computeSlices: 1, size: 1, starts: ANY, max: 1 },
  { giProfileId: 15, computeSlices: 1, size: 2, starts: [0, 2, 4, 6], max: 4 },
  { giProfileId: 14, computeSlices: 2, size: 2, starts: [0, 2, 4], max: 3 },
  { giProfileId: 9, computeSlices: 3, size: 4, starts: [0, 4], max: 2 },
  { giProfileId: 5, computeSlices: 4, size: 4, starts: [0], max: 1 },
  { giProfileId: 0, computeSlices: 7, size: 8, starts: [0], max: 1 },
]

function toProfile(shape: Shape, row: MenuRow | undefined, evidence: string): MigProfile {
  if (row === undefined) throw new Error('a seven-slice menu has a row for every shape')
  const [name, memory, multiprocessors] = row
  return { name, ...shape, memory: memory === undefined ? undefined : mib(memory), multiprocessors, evidence }
}
