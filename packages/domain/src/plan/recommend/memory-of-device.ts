import type { GpuPart } from '../../analyze/gpu-parts.ts'
import { profileOf } from '../../gpu/board.ts'
import { findModel } from '../../gpu/catalog.ts'
import { boardFor } from '../../gpu/known-boards.ts'
import { mib, type Mib } from '../../units.ts'

/**
 * Framebuffer of a MIG device in MiB; of a whole GPU as a driver reported it, else a little under what is on the box.
 * Undefined where it is not known.
 */
export function memoryOfDevice({ model, profile }: Pick<GpuPart, 'model' | 'profile'>): Mib | undefined {
  if (profile !== '') {
    const board = boardFor(model)
    return board === undefined ? undefined : profileOf(board, profile)?.memory
  }
  const found = findModel(model)
  return found?.reportedMemory ?? (found?.memory === undefined ? undefined : mib(found.memory.min * 950))
}
