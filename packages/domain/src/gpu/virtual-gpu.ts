import { ratio } from '../units.ts'
import type { GpuModel } from './gpu-model.ts'
import { modelKey } from './product-name.ts'

/**
 * The vGPU that a guest sees as its GPU: `GRID A100D-20C` is a part of an A100-PCIE-80GB, `NVIDIA A40-24Q` of an A40,
 * `NVIDIA A100D-1-10C` an instance of it. Its share is its part of the board's memory. Undefined for any other name and
 * for a board that `boardNamed` does not know. Names: NVIDIA vGPU User Guide, virtual GPU types reference.
 */
export function virtualGpu(label: string, boardNamed: (name: string) => GpuModel | undefined): GpuModel | undefined {
  const parts = VGPU.exec(modelKey(label).replace(/^grid-/u, ''))
  const board = parts === null ? undefined : boardNamed(BOARDS.get(parts[1] ?? '') ?? parts[1] ?? '')
  return parts === null || board?.memory === undefined || board.partOf !== undefined
    ? undefined
    : partOfBoard(board, { type: parts[2] ?? '', gigabytes: Number(parts[3]), of: board.memory.max })
}

type Part = { readonly type: string; readonly gigabytes: number; readonly of: number }

const partOfBoard = (board: GpuModel, { type, gigabytes, of }: Part): GpuModel => ({
  ...board,
  name: `${board.name}-vGPU-${type.toUpperCase()}`,
  memory: { min: gigabytes, max: gigabytes },
  reportedMemory: undefined,
  // The guest sees neither the board's power nor its other parts.
  tdp: undefined,
  mig: 'no',
  nvmlName: undefined,
  gfdProduct: undefined,
  labels: [],
  pciIds: [],
  partOf: { board: board.name, share: ratio(Math.min(1, gigabytes / of)) },
  unverified: ['tdp'],
})

/** Series: C for compute, Q and B for desktops, A for applications. A figure before the size is of compute slices. */
const VGPU = /^(.+?)(?:-vgpu)?-((?:\d-)?(\d+)[abcq])(?:me)?$/u

/** Boards by the names in vGPU types, where these differ: D has twice the memory, X is of an HGX board, L is of NVL. */
const BOARDS: ReadonlyMap<string, string> = new Map([
  ['v100', 'V100-PCIE-16GB'],
  ['v100d', 'V100-PCIE-32GB'],
  ['v100x', 'V100-SXM2-16GB'],
  ['v100dx', 'V100-SXM2-32GB'],
  ['v100s', 'V100S-PCIE-32GB'],
  ['a100', 'A100-PCIE-40GB'],
  ['a100x', 'A100-SXM4-40GB'],
  ['a100d', 'A100-80GB-PCIe'],
  ['a100dx', 'A100-SXM4-80GB'],
  ['a800d', 'A800-80GB-PCIe'],
  ['a800dx', 'A800-SXM4-80GB'],
  ['h100', 'H100-PCIe'],
  ['h100l', 'H100-NVL'],
  ['h100xm', 'H100-80GB-HBM3'],
  ['h800', 'H800-PCIe'],
  ['h800l', 'H800-NVL'],
  ['h800xm', 'H800'],
  ['h200', 'H200-NVL'],
  ['h200x', 'H200'],
  ['rtxa6000', 'RTX-A6000'],
  ['rtxa5500', 'RTX-A5500'],
  ['rtxa5000', 'RTX-A5000'],
  ['rtx6000', 'Quadro-RTX-6000'],
  ['rtx8000', 'Quadro-RTX-8000'],
  ['rtx6000-ada', 'RTX-6000-Ada-Generation'],
  ['rtx5880-ada', 'RTX-5880-Ada-Generation'],
  ['rtx5000-ada', 'RTX-5000-Ada-Generation'],
  ['rtx-pro-6000-blackwell-dc', 'RTX-PRO-6000-Blackwell-Server-Edition'],
])
