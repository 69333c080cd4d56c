import type { MenuOnlyBoard } from '../board.ts'

const evidence = 'documentation'

/** Boards whose profiles NVIDIA's guide names without placements. */
export const MENU_ONLY_BOARDS: readonly MenuOnlyBoard[] = [
  {
    key: 'RTX-PRO-5000-48GB',
    names: ['RTX PRO 5000 Blackwell'],
    pciIds: ['2BB3'],
    computeSlices: 4,
    profiles: [
      { name: '1g.12gb', computeSlices: 1, max: 1, evidence },
      { name: '1g.12gb+me', computeSlices: 1, max: 1, evidence },
      { name: '1g.12gb+gfx', computeSlices: 1, max: 1, evidence },
      { name: '1g.12gb-me', computeSlices: 1, max: 3, evidence },
      { name: '2g.24gb-me', computeSlices: 2, max: 1, evidence },
      { name: '4g.48gb', computeSlices: 4, max: 1, evidence },
      { name: '4g.48gb+gfx', computeSlices: 4, max: 1, evidence },
    ],
  },
]
