import type { Board } from '../board.ts'
import { sevenSlice } from './seven-slice.ts'

// NVIDIA's tool prints slightly more for some instances (3g.40gb: 40,448 MiB) than the memory label (40,320 MiB).
// The figures here are the label's: capacity, not display.

/** MIG boards of the Hopper generation. */
export const HOPPER_BOARDS: readonly Board[] = [
  sevenSlice({
    key: 'H100-80GB-SXM5',
    names: ['H100 80GB HBM3', 'H800'],
    pciIds: ['2330', '2324'],
    evidence: 'hardware',
    menu: [
      ['1g.10gb', 9984, 16],
      ['1g.10gb+me', 9984, 16],
      ['1g.20gb', 20096, 26],
      ['2g.20gb', 20096, 32],
      ['3g.40gb', 40320, 60],
      ['4g.40gb', 40320, 64],
      ['7g.80gb', 81152, 132],
    ],
  }),
  sevenSlice({
    key: 'H100-80GB-PCIe',
    names: ['H100 PCIe', 'H800 PCIe'],
    pciIds: ['2331', '2322'],
    evidence: 'shipped configuration; multiprocessors of 1g and 2g from hardware',
    menu: [
      ['1g.10gb', undefined, 14],
      ['1g.10gb+me', undefined, 14],
      ['1g.20gb', undefined, undefined],
      ['2g.20gb', undefined, 30],
      ['3g.40gb', undefined, undefined],
      ['4g.40gb', undefined, undefined],
      ['7g.80gb', undefined, undefined],
    ],
  }),
  sevenSlice({
    key: 'H100-94GB-NVL',
    names: ['H100 NVL', 'H800 NVL'],
    pciIds: ['2321', '233A'],
    evidence: 'placements and 1g from hardware; names from shipped configuration',
    menu: [
      ['1g.12gb', 11008, 16],
      ['1g.12gb+me', 11008, 16],
      ['1g.24gb', undefined, undefined],
      ['2g.24gb', undefined, undefined],
      ['3g.47gb', undefined, undefined],
      ['4g.47gb', undefined, undefined],
      ['7g.94gb', undefined, undefined],
    ],
  }),
  sevenSlice({
    key: '96GB',
    // NVML names the two GH200 boards by their LPDDR. PG506-232 is Ampere, with the same menu.
    names: ['GH200 480GB', 'GH200 120GB', 'H20', 'PG506-232'],
    pciIds: ['2342', '233D', '2329', '20B6'],
    evidence: 'shipped configuration',
    menu: [
      ['1g.12gb', undefined, undefined],
      ['1g.12gb+me', undefined, undefined],
      ['1g.24gb', undefined, undefined],
      ['2g.24gb', undefined, undefined],
      ['3g.48gb', undefined, undefined],
      ['4g.48gb', undefined, undefined],
      ['7g.96gb', undefined, undefined],
    ],
  }),
  sevenSlice({
    key: 'H200-141GB',
    names: ['H200', 'H200 NVL'],
    pciIds: ['2335', '233B'],
    evidence: 'hardware (H200)',
    menu: [
      ['1g.18gb', 16384, 16],
      ['1g.18gb+me', 16384, 16],
      ['1g.35gb', 33024, 26],
      ['2g.35gb', 33024, 32],
      ['3g.71gb', 71168, 60],
      ['4g.71gb', 71168, 64],
      ['7g.141gb', 143104, 132],
    ],
  }),
  sevenSlice({
    key: 'H20-141GB',
    // Half of the multiprocessors of an H200, under the same names.
    names: ['H20-3e'],
    pciIds: ['232C'],
    evidence: '1g, 2g and 7g from hardware (Project-HAMi/HAMi issue 1462); the rest as H200',
    menu: [
      ['1g.18gb', undefined, undefined],
      ['1g.18gb+me', undefined, undefined],
      ['1g.35gb', undefined, undefined],
      ['2g.35gb', undefined, undefined],
      ['3g.71gb', undefined, undefined],
      ['4g.71gb', undefined, undefined],
      ['7g.141gb', undefined, undefined],
    ],
  }),
  sevenSlice({
    key: 'GH200-144GB',
    names: ['GH200 144G HBM3e'],
    pciIds: ['2348'],
    evidence: '1g and 2g from hardware; the rest from shipped configuration',
    menu: [
      ['1g.18gb', 17920, 16],
      ['1g.18gb+me', 17920, 16],
      ['1g.36gb', 36096, 26],
      ['2g.36gb', 36096, 32],
      ['3g.72gb', undefined, undefined],
      ['4g.72gb', undefined, undefined],
      ['7g.144gb', undefined, undefined],
    ],
  }),
]
