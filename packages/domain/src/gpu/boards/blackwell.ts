import type { Board } from '../board.ts'
import { fourSlice } from './four-slice.ts'
import { sevenSlice } from './seven-slice.ts'

/** MIG boards of the Blackwell generations. */
export const BLACKWELL_BOARDS: readonly Board[] = [
  sevenSlice({
    key: 'B200-180GB',
    names: ['B200'],
    pciIds: ['2901'],
    // A later driver gives 1g.23gb 20.50 GiB.
    evidence: '1g and 2g from hardware; the rest from shipped configuration',
    menu: [
      ['1g.23gb', 22528, 18],
      ['1g.23gb+me', 22528, 18],
      ['1g.45gb', 45312, 30],
      ['2g.45gb', 45312, 36],
      ['3g.90gb', undefined, undefined],
      ['4g.90gb', undefined, undefined],
      ['7g.180gb', undefined, undefined],
    ],
  }),
  sevenSlice({
    key: 'GB200-186GB',
    names: ['GB200'],
    pciIds: ['2941'],
    // Early drivers called the smallest instance 1g.24gb, with 20.00 GiB; NVIDIA's configuration lists the larger ones
    // under two names. The shapes are the same; for the memory, ask the node.
    aliases: {
      '1g.24gb': '1g.23gb',
      '1g.24gb+me': '1g.23gb+me',
      '3g.95gb': '3g.93gb',
      '4g.95gb': '4g.93gb',
      '7g.189gb': '7g.186gb',
    },
    evidence: '1g and 2g from hardware; the rest from shipped configuration',
    menu: [
      ['1g.23gb', 22528, 18],
      ['1g.23gb+me', 22528, 18],
      ['1g.47gb', 46592, 32],
      ['2g.47gb', 46592, 38],
      ['3g.93gb', undefined, undefined],
      ['4g.93gb', undefined, undefined],
      ['7g.186gb', undefined, undefined],
    ],
  }),
  sevenSlice({
    key: 'B300-269GB',
    names: ['B300 SXM6 AC'],
    pciIds: ['3182'],
    evidence: 'shipped configuration',
    menu: [
      ['1g.34gb', undefined, undefined],
      ['1g.34gb+me', undefined, undefined],
      ['1g.67gb', undefined, undefined],
      ['2g.67gb', undefined, undefined],
      ['3g.135gb', undefined, undefined],
      ['4g.135gb', undefined, undefined],
      ['7g.269gb', undefined, undefined],
    ],
  }),
  sevenSlice({
    key: 'GB300-278GB',
    names: ['GB300'],
    pciIds: ['31C2'],
    evidence: 'shipped configuration',
    menu: [
      ['1g.35gb', undefined, undefined],
      ['1g.35gb+me', undefined, undefined],
      ['1g.70gb', undefined, undefined],
      ['2g.70gb', undefined, undefined],
      ['3g.139gb', undefined, undefined],
      ['4g.139gb', undefined, undefined],
      ['7g.278gb', undefined, undefined],
    ],
  }),
  fourSlice({
    key: 'RTX-PRO-6000-96GB',
    names: [
      'RTX PRO 6000 Blackwell Server Edition',
      'RTX PRO 6000 Blackwell Workstation Edition',
      'RTX PRO 6000 Blackwell Max-Q Workstation Edition',
    ],
    pciIds: ['2BB5', '2BB1'],
    memorySlices: 12,
    evidence: 'hardware',
    menu: [
      ['1g.24gb', { id: 14, compute: 1, max: 4, memory: 24187, multiprocessors: 46 }],
      ['1g.24gb+me', { id: 21, compute: 1, max: 1, memory: 24187, multiprocessors: 46 }],
      ['1g.24gb+gfx', { id: 47, compute: 1, max: 4, memory: 24187, multiprocessors: 46 }],
      ['1g.24gb+me.all', { id: 65, compute: 1, max: 1, memory: 24187, multiprocessors: 46 }],
      ['1g.24gb-me', { id: 67, compute: 1, max: 4, memory: 24187, multiprocessors: 46 }],
      ['2g.48gb', { id: 5, compute: 2, max: 2, memory: 48517, multiprocessors: 94 }],
      ['2g.48gb+gfx', { id: 35, compute: 2, max: 2, memory: 48517, multiprocessors: 94 }],
      ['2g.48gb+me.all', { id: 64, compute: 2, max: 1, memory: 48517, multiprocessors: 94 }],
      ['2g.48gb-me', { id: 66, compute: 2, max: 2, memory: 48517, multiprocessors: 94 }],
      ['4g.96gb', { id: 0, compute: 4, max: 1, memory: 97403, multiprocessors: 188 }],
      ['4g.96gb+gfx', { id: 32, compute: 4, max: 1, memory: 97403, multiprocessors: 188 }],
    ],
  }),
]
