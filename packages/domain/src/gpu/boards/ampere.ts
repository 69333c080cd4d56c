import type { Board } from '../board.ts'
import { fourSlice } from './four-slice.ts'
import { sevenSlice } from './seven-slice.ts'

/** MIG boards of the Ampere generation. */
export const AMPERE_BOARDS: readonly Board[] = [
  fourSlice({
    key: 'A30-24GB',
    names: ['A30'],
    pciIds: ['20B7'],
    memorySlices: 4,
    evidence: 'placements from hardware; memory and multiprocessors from a test double',
    menu: [
      ['1g.6gb', { id: 14, compute: 1, max: 4, memory: 5836, multiprocessors: 14 }],
      ['1g.6gb+me', { id: 21, compute: 1, max: 1, memory: 5836, multiprocessors: 14 }],
      ['2g.12gb', { id: 5, compute: 2, max: 2, memory: 11672, multiprocessors: 28 }],
      ['2g.12gb+me', { id: 6, compute: 2, max: 1, memory: 11672, multiprocessors: 28 }],
      ['4g.24gb', { id: 0, compute: 4, max: 1, memory: 23344, multiprocessors: 56 }],
    ],
  }),
  sevenSlice({
    key: 'A100-40GB',
    // A100-PG509-200 has PCI id 20B0 too, and mig-parted chooses by PCI id.
    names: ['A100-SXM4-40GB', 'A100-PCIE-40GB', 'A100-PG509-200', 'A800-SXM4-40GB', 'A800 40GB Active'],
    pciIds: ['20B0', '20B1', '20F1', '20F6'],
    // Some drivers report 9,984 MiB for 2g.10gb.
    evidence: 'documentation, and a test double that agrees',
    menu: [
      ['1g.5gb', 4864, 14],
      ['1g.5gb+me', 4864, 14],
      ['1g.10gb', 9856, 14],
      ['2g.10gb', 9856, 28],
      ['3g.20gb', 19968, 42],
      ['4g.20gb', 19968, 56],
      ['7g.40gb', 40192, 98],
    ],
  }),
  sevenSlice({
    key: 'A100-80GB',
    names: ['A100-SXM4-80GB', 'A100 80GB PCIe', 'A800-SXM4-80GB', 'A800 80GB PCIe'],
    pciIds: ['20B2', '20B5', '20F3', '20F5'],
    // Older drivers call the full instance 7g.79gb.
    aliases: { '7g.79gb': '7g.80gb' },
    evidence: 'hardware; 7g from a test double',
    menu: [
      ['1g.10gb', 9728, 14],
      ['1g.10gb+me', 9728, 14],
      ['1g.20gb', 19968, 14],
      ['2g.20gb', 19968, 28],
      ['3g.40gb', 40192, 42],
      ['4g.40gb', 40192, 56],
      ['7g.80gb', 80384, 98],
    ],
  }),
]
