import { describe, expect, test } from 'vitest'

import { profileOf } from '../gpu/board.ts'
import { boardFor } from '../gpu/known-boards.ts'
import { whyNot, type CutGpu } from './why-not.ts'

const board = boardFor('A100-SXM4-80GB')
type Drawn = readonly [profile: string, start: number, size: number, held?: boolean]

function said(kind: CutGpu['kind'], instances: readonly Drawn[], profile: string): string | undefined {
  const wanted = board === undefined ? undefined : profileOf(board, profile)
  if (board === undefined || wanted === undefined) throw new Error('no such board or profile')
  const held = instances.map(([name, start, size, isHeld = true]) => ({
    instance: { profile: name, placement: { start, size } },
    held: isHeld,
  }))
  return whyNot(board, { kind, instances: held }, wanted)
}

describe('why one more instance does not fit', () => {
  test.for<[string | undefined, CutGpu['kind'], readonly Drawn[], string]>([
    ['7g.80gb needs 8 memory slices, 7 free', 'dynamic', [['1g.10gb', 0, 1]], '7g.80gb'],
    [
      '7 free memory slices but no legal start for 4g.40gb: 1g.10gb at 2 blocks start 0',
      'dynamic',
      [['1g.10gb', 2, 1]],
      '4g.40gb',
    ],
    [
      '6 free memory slices but no legal start for 3g.40gb: start 0 is blocked by 1g.10gb at 0, start 4 is blocked by 1g.10gb at 5',
      'dynamic',
      [
        ['1g.10gb', 0, 1],
        ['1g.10gb', 5, 1],
      ],
      '3g.40gb',
    ],
    ['a GPU takes at most 1 × 1g.10gb+me', 'dynamic', [['1g.10gb+me', 0, 1]], '1g.10gb+me'],
    ['its only 3g.40gb instance is in use', 'cut', [['3g.40gb', 0, 4]], '3g.40gb'],
    [
      'all 2 3g.40gb instances are in use',
      'cut',
      [
        ['3g.40gb', 0, 4],
        ['3g.40gb', 4, 4],
      ],
      '3g.40gb',
    ],
    [
      'not partitioned into 1g.10gb; mig-manager must repartition this GPU first',
      'cut',
      [['3g.40gb', 0, 4, false]],
      '1g.10gb',
    ],
    ['its only 7g.80gb instance is in use', 'cut', [['7g.79gb', 0, 8]], '7g.80gb'],
    [undefined, 'cut', [['3g.40gb', 0, 4, false]], '3g.40gb'],
    [undefined, 'dynamic', [['3g.40gb', 0, 4]], '3g.40gb'],
  ])('%s', ([because, kind, instances, profile]) => expect(said(kind, instances, profile)).toBe(because))
})
