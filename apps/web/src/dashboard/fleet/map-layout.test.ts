import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { fleetGroups, GROUPINGS } from './fleet-groups.ts'
import { drawnFleets, drawnPicture } from './fleet-map.fixture.ts'
import type { FleetPicture } from './fleet-picture.ts'
import { boxAt, mapLayout, positionAt, tileWidth, withHeadings, type MapLayout } from './map-layout.ts'
import { stepFrom } from './map-steps.ts'

const windows = fc.record({ width: fc.integer({ min: 280, max: 2000 }), height: fc.integer({ min: 200, max: 1200 }) })

const layoutOf = (picture: FleetPicture, window: { width: number; height: number }, by: (typeof GROUPINGS)[number]) =>
  mapLayout({ groups: fleetGroups(picture, by), node: picture.node, gpus: picture.gpus }, window)

const everyLayout = (holds: (layout: MapLayout, picture: FleetPicture) => void): void =>
  fc.assert(
    fc.property(drawnFleets, windows, fc.constantFrom(...GROUPINGS), (picture, window, by) =>
      holds(layoutOf(picture, window, by), picture),
    ),
    { numRuns: 60 },
  )

const middle = (layout: MapLayout, position: number): [number, number] => {
  const { x, y, width, height } = boxAt(layout, position)
  return [x + width / 2, y + height / 2]
}

describe('the layout of the map', () => {
  test('has every GPU once', () =>
    everyLayout((layout, picture) => {
      expect([...layout.order].toSorted((a, b) => a - b)).toEqual(Array.from({ length: picture.gpus }, (_, gpu) => gpu))
      for (const [position, gpu] of layout.order.entries()) expect(layout.place[gpu]).toBe(position)
    }))

  test('keeps every bar inside, and none over another', () =>
    everyLayout((layout) => {
      const boxes = Array.from(layout.order, (_gpu, position) => boxAt(layout, position))
      for (const { x, y, width, height } of boxes) {
        expect(x).toBeGreaterThanOrEqual(0)
        expect(x + width).toBeLessThanOrEqual(layout.width + 0.5)
        expect(y + height).toBeLessThanOrEqual(layout.height)
      }
      const byRow = boxes.toSorted((a, b) => a.y - b.y || a.x - b.x)
      const overlaps = byRow.filter((box, place) => {
        const next = byRow[place + 1]
        return next !== undefined && Math.abs(next.y - box.y) < 0.01 && next.x < box.x + box.width
      })
      expect(overlaps).toEqual([])
    }))

  test('finds the bar under a point, and nothing beside the map', () =>
    everyLayout((layout) => {
      for (const position of layout.order.keys()) expect(positionAt(layout, ...middle(layout, position))).toBe(position)
      expect(positionAt(layout, -5, -5)).toBe(-1)
      expect(positionAt(layout, 10, layout.height + 50)).toBe(-1)
    }))

  test('keeps the GPUs of a node together within their group', () => {
    const one = { kind: 'busy', size: 4, busy: 500, holder: 0 } as const
    const picture = drawnPicture([0, 0, 1, 1].map((node) => ({ node, model: 0, blocks: [one] })))
    const { tiles } = layoutOf(picture, { width: 600, height: 400 }, 'node')
    expect([tiles.count, [...tiles.node], [...tiles.first]]).toEqual([2, [0, 1], [0, 2, 4]])
  })

  test('ends at the right where its window does, with columns below each other', () => {
    const one = { kind: 'busy', size: 4, busy: 500, holder: 0 } as const
    const picture = drawnPicture(
      Array.from({ length: 200 }, (_, gpu) => ({ node: Math.floor(gpu / 8), model: 0, blocks: [one] })),
    )
    const layout = layoutOf(picture, { width: 1640, height: 500 }, 'node')
    const rights = layout.shelves.map(({ end }) => layout.tiles.x[end - 1] ?? 0)
    expect(layout.shelves.length).toBeGreaterThan(1)
    expect((rights[0] ?? 0) + tileWidth(layout, (layout.shelves[0]?.end ?? 1) - 1)).toBeCloseTo(1640, 3)
    const lefts = layout.shelves.map(({ first }) => layout.tiles.x[first + 1] ?? 0)
    expect(new Set(lefts.map((left) => left.toFixed(3))).size).toBe(1)
  })

  test('of no GPU is empty and not an error', () => {
    const layout = layoutOf(drawnPicture([]), { width: 600, height: 400 }, 'node')
    expect([layout.order.length, layout.height, positionAt(layout, 3, 3)]).toEqual([0, 0, -1])
  })

  test('takes new sums without moving anything', () => {
    const picture = drawnPicture([{ node: 0, model: 0, blocks: [] }])
    const layout = layoutOf(picture, { width: 600, height: 400 }, 'model')
    const groups = fleetGroups(picture, 'model')
    expect(withHeadings(layout, groups)).toMatchObject({ order: layout.order, headings: [{ y: 0, group: groups[0] }] })
  })
})

describe('arrow keys', () => {
  test('lead from every bar to a bar, and right comes back by left within a tile', () =>
    everyLayout((layout) => {
      for (const position of layout.order.keys()) {
        for (const direction of ['left', 'right', 'up', 'down', 'first', 'last'] as const) {
          const next = stepFrom(layout, position, direction)
          expect(layout.order[next]).toBeDefined()
        }
        const right = stepFrom(layout, position, 'right')
        const isInTile = layout.tileOf[right] === layout.tileOf[position]
        expect(isInTile ? stepFrom(layout, right, 'left') : position).toBe(
          right === position ? stepFrom(layout, position, 'left') : position,
        )
      }
    }))

  test('reach every bar from the first one', () =>
    everyLayout((layout) => {
      if (layout.order.length === 0) return
      const reached = new Set([0])
      const waiting = [0]
      for (let from = waiting.pop(); from !== undefined; from = waiting.pop()) {
        for (const direction of ['left', 'right', 'up', 'down'] as const) {
          const next = stepFrom(layout, from, direction)
          if (!reached.has(next)) waiting.push(next)
          reached.add(next)
        }
      }
      expect(reached.size).toBe(layout.order.length)
    }))

  test('go up and down by sight', () =>
    everyLayout((layout) => {
      for (const position of layout.order.keys()) {
        expect(boxAt(layout, stepFrom(layout, position, 'down')).y).toBeGreaterThanOrEqual(
          boxAt(layout, position).y - 0.01,
        )
        expect(boxAt(layout, stepFrom(layout, position, 'up')).y).toBeLessThanOrEqual(boxAt(layout, position).y + 0.01)
      }
    }))
})
