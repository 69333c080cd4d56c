import type { BlockView, GpuView } from '@septet/contract'
import { BOARDS, enumerateLayouts, isFeasible, placeAt, plainProfiles, type Board, type Layout } from '@septet/domain'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { afterStep, NO_DRAFT, type DraftHistory, type DraftStep } from './draft-history.ts'
import { draftedGpus, draftGpu, forAll, isSameDraft, mustMove, placing } from './layout-draft.ts'

const block = (about: Partial<BlockView>): BlockView => ({
  kind: 'free',
  start: 0,
  size: 1,
  profile: null,
  placement: 'reported',
  busy: null,
  holder: null,
  because: null,
  ...about,
})
const gpu = (blocks: readonly BlockView[], about: Partial<GpuView> = {}): GpuView => ({
  id: 'GPU-0',
  index: 0,
  model: 'A100-SXM4-80GB',
  mode: 'mig',
  slots: 8,
  blocks: [...blocks],
  fault: null,
  ...about,
})

const placings = fc.constantFrom(...BOARDS).chain((board) =>
  fc.record({
    board: fc.constant(board),
    layout: fc.constantFrom(...enumerateLayouts(board)),
    profile: fc.constantFrom(...board.profiles),
  }),
)

/** Every set of instances of the plain profiles that the board can hold, by trying them all: a small board has few. */
function allLayouts(board: Board): Layout[] {
  const instances = plainProfiles(board).flatMap((profile) => profile.starts.map((start) => placeAt(profile, start)))
  return Array.from({ length: 1 << instances.length }, (_, bits) =>
    instances.filter((_one, place) => (bits & (1 << place)) !== 0),
  ).filter((layout) => isFeasible(board, layout).kind === 'feasible')
}

const sorted = (layout: Layout): string =>
  JSON.stringify(layout.toSorted((a, b) => a.placement.start - b.placement.start))

describe('placing a profile', () => {
  test('is offered exactly where the placements of the board allow it, whatever stands there now', () => {
    fc.assert(
      fc.property(placings, ({ board, layout, profile }) => {
        for (const start of profile.starts) {
          const wanted = placeAt(profile, start)
          const touches = (one: Layout[number]): boolean =>
            one.placement.start < start + profile.size && start < one.placement.start + one.placement.size
          const left = layout.filter((one) => !touches(one))
          const allowed = isFeasible(board, [...left, wanted]).kind === 'feasible'
          const found = placing(board, layout, { profile, start })
          expect(found.kind !== 'refused').toBe(allowed)
          if (found.kind === 'refused') continue
          expect(isFeasible(board, found.layout)).toEqual({ kind: 'feasible' })
          expect(found.replaced).toEqual(layout.filter(touches))
          expect(found.kind).toBe(layout.some(touches) ? 'replaces' : 'fits')
        }
      }),
      { numRuns: 1500 },
    )
  })

  test('reaches every layout that a small board can hold, and no other', () => {
    const board = BOARDS.find(({ memorySlices }) => memorySlices === 4)
    if (board === undefined) throw new Error('no small board')
    const seen = new Map<string, Layout>([['[]', []]])
    const places = plainProfiles(board).flatMap((profile) => profile.starts.map((start) => ({ profile, start })))
    for (const layout of seen.values()) {
      for (const place of places) {
        const found = placing(board, layout, place)
        if (found.kind !== 'refused') seen.set(JSON.stringify(found.layout), found.layout)
      }
    }
    expect([...seen.keys()].toSorted()).toEqual([...new Set(allLayouts(board).map(sorted))].toSorted())
  })
})

describe('who must move', () => {
  const held = draftGpu(
    gpu([
      block({ kind: 'busy', profile: '3g.40gb', start: 0, size: 4, holder: 'lab/Job/a' }),
      block({ kind: 'others', profile: '2g.20gb', start: 4, size: 2 }),
      block({ profile: '1g.10gb', start: 6 }),
    ]),
  )
  const without1g = { mig: true, layout: held.now?.layout.slice(0, 2) ?? [] }

  test('under mig-manager all that are on a GPU that changes, under DRA those whose instance goes', () => {
    expect(mustMove(held, without1g, 'mig-manager').map(({ holder }) => holder)).toEqual(['lab/Job/a', null])
    expect(mustMove(held, without1g, 'dra')).toEqual([])
    expect(mustMove(held, { mig: true, layout: [] }, 'dra')).toHaveLength(2)
  })

  test('nobody where the counts stay: mig-manager does not compare placements', () => {
    const turned = { mig: true, layout: (held.now?.layout ?? []).map((one) => ({ ...one })).toReversed() }
    expect(mustMove(held, turned, 'mig-manager')).toEqual([])
    expect(isSameDraft(held.now ?? without1g, turned, 'dra')).toBe(true)
  })

  test('the holder of a whole GPU, when it is cut', () => {
    const whole = draftGpu(gpu([block({ kind: 'busy', size: 8, holder: 'lab/Job/b' })], { mode: 'whole' }))
    expect(mustMove(whole, without1g, 'mig-manager').map(({ holder }) => holder)).toEqual(['lab/Job/b'])
  })
})

describe('a GPU to lay out', () => {
  test('is read under the names of its board, also where an older driver named a profile', () => {
    const old = draftGpu(gpu([block({ kind: 'busy', profile: '7g.79gb', size: 8, holder: 'a/b' })]))
    expect(old.now?.layout.map(({ profile }) => profile)).toEqual(['7g.80gb'])
  })

  test('is not known where its placements are not, where they cannot be, or where it is shared by time', () => {
    expect(draftGpu(gpu([block({ profile: '1g.10gb', placement: 'unknown' })])).now).toBeUndefined()
    expect(draftGpu(gpu([block({ profile: '3g.40gb', start: 1, size: 4 })])).now).toBeUndefined()
    expect(draftGpu(gpu([block({ kind: 'busy', size: 8 })], { mode: 'shared' })).now).toBeUndefined()
  })

  test('passes its layout to the others whose board holds it and that have no fault', () => {
    const cut = { mig: true, layout: [{ profile: '3g.40gb', placement: { start: 0, size: 4 } }] }
    const all = ['a', 'b', 'c', 'd'].map((id) => gpu([], { id }))
    const odd = [
      ...all.slice(0, 2),
      { ...all[2], id: 'c', model: 'A30' },
      { ...all[3], id: 'd', fault: { code: 'xid', message: 'XID 79', object: 'gpu/d' } },
    ].map((view) => draftGpu({ ...gpu([]), ...view }))
    const targets = forAll(odd, cut, {})
    expect(Object.keys(targets)).toEqual(['a', 'b'])
    expect(draftedGpus(odd, targets, 'mig-manager').map(({ view }) => view.id)).toEqual(['a', 'b'])
  })
})

const wish = (start: number): DraftStep => ({
  kind: 'wish',
  targets: { g: { mig: true, layout: [{ profile: 'p', placement: { start, size: 1 } }] } },
  said: String(start),
})
const after = (from: DraftHistory, steps: readonly DraftStep[]): DraftHistory => steps.reduce(afterStep, from)

describe('the history of a draft', () => {
  test('undo takes back each wish, redo makes it again, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(7), { maxLength: 20 }), (starts) => {
        const wished = after(NO_DRAFT, starts.map(wish))
        const undone = after(
          wished,
          starts.map(() => ({ kind: 'undo' as const })),
        )
        expect(undone.targets).toEqual({})
        const again = after(
          undone,
          starts.map(() => ({ kind: 'redo' as const })),
        )
        expect(again.targets).toEqual(wished.targets)
      }),
    )
  })

  test('a new wish forgets what was taken back, and at either end something is said', () => {
    const undone = [wish(1), wish(2), { kind: 'undo' as const }].reduce(afterStep, NO_DRAFT)
    expect(afterStep(afterStep(undone, wish(3)), { kind: 'redo' }).said).toBe('Nothing to redo.')
    expect(afterStep(NO_DRAFT, { kind: 'undo' })).toEqual({ ...NO_DRAFT, said: 'Nothing to undo.' })
  })
})
