import { assert, constantFrom, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import { findModel, GPU_MODELS } from './catalog.ts'
import { migSupport } from './mig-support.ts'

test.each([
  ['GRID-A100D-20C', 'A100-80GB-PCIe', 0.25],
  ['GRID A100DX-40C', 'A100-SXM4-80GB', 0.5],
  ['GRID-A100-10C', 'A100-PCIE-40GB', 0.25],
  ['NVIDIA-A100D-1-10C', 'A100-80GB-PCIe', 0.125],
  ['NVIDIA-A40-24Q', 'A40', 0.5],
  ['NVIDIA L40S-48C', 'L40S', 1],
  ['NVIDIA-RTX-A6000-48Q', 'RTX-A6000', 1],
  ['NVIDIA RTXA6000-12Q', 'RTX-A6000', 0.25],
  ['NVIDIA-H100XM-80C', 'H100-80GB-HBM3', 1],
  ['GRID T4-16Q', 'T4', 1],
  ['NVIDIA-L4-12Q-SHARED', 'L4', 0.5],
])('%s is a vGPU of %s', (label, board, share) => {
  const model = findModel(label)
  expect(model?.partOf).toEqual({ board, share })
  expect(model?.name).toMatch(new RegExp(`^${board}-vGPU-`, 'u'))
})

test.each(['NVIDIA-R100-20C', 'GRID', 'A40-24X', 'A40-vGPU', '-24Q'])('%s is no vGPU of a board we know', (label) => {
  expect(findModel(label)).toBeUndefined()
})

test('one is found by the name that it is given, and it cannot be cut', () => {
  const boards = GPU_MODELS.filter(({ vendor, memory }) => vendor === 'NVIDIA' && memory !== undefined)
  assert(
    property(
      constantFrom(...boards),
      integer({ min: 1, max: 20 }),
      constantFrom('A', 'B', 'C', 'Q'),
      (board, gb, of) => {
        const model = findModel(`${board.name}-vGPU-${gb}${of}`)
        expect(findModel(model?.name ?? '')).toEqual(model)
        expect(model?.partOf?.share).toBe(Math.min(1, gb / (board.memory?.max ?? 0)))
        expect(migSupport(model?.name ?? '')).toEqual({ kind: 'none' })
      },
    ),
  )
})
