import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { clampView, leastZoom, panBy, reveal, toWorld, WHOLE, zoomAt, type Frame } from './map-view.ts'

const size = (least: number, most: number) =>
  fc.record({ width: fc.integer({ min: least, max: most }), height: fc.integer({ min: least, max: most }) })
const frames: fc.Arbitrary<Frame> = fc.record({
  world: size(100, 5000),
  window: size(100, 2000),
  most: fc.double({ min: 1, max: 60, noNaN: true }),
})
const views = fc.record({
  x: fc.double({ min: -1e4, max: 1e4, noNaN: true }),
  y: fc.double({ min: -1e4, max: 1e4, noNaN: true }),
  zoom: fc.double({ min: 0.01, max: 100, noNaN: true }),
})
const points = fc.record({ x: fc.integer({ min: 0, max: 2000 }), y: fc.integer({ min: 0, max: 2000 }) })

describe('a view of the map', () => {
  test('never shows void where there is map', () =>
    fc.assert(
      fc.property(frames, views, (frame, view) => {
        const { x, y, zoom } = clampView(view, frame)
        expect(zoom).toBeLessThanOrEqual(frame.most)
        expect(zoom).toBeGreaterThanOrEqual(Math.min(frame.most, leastZoom(frame)) - 1e-9)
        const [width, height] = [frame.window.width / zoom, frame.window.height / zoom]
        expect(width >= frame.world.width || (x >= 0 && x + width <= frame.world.width + 1e-6)).toBe(true)
        expect(height >= frame.world.height || (y >= 0 && y + height <= frame.world.height + 1e-6)).toBe(true)
      }),
    ))

  test('is the same after being held to the map twice', () =>
    fc.assert(
      fc.property(frames, views, (frame, view) => {
        const once = clampView(view, frame)
        const twice = clampView(once, frame)
        expect(twice.x).toBeCloseTo(once.x, 6)
        expect(twice.y).toBeCloseTo(once.y, 6)
      }),
    ))

  test('keeps what is under the pointer there while it zooms, away from the edges', () => {
    const frame = { world: { width: 1000, height: 800 }, window: { width: 1000, height: 800 }, most: 40 }
    const at = { x: 500, y: 300 }
    const near = zoomAt(WHOLE, { factor: 4, at }, frame)
    expect(toWorld(near, at)).toEqual(toWorld(WHOLE, at))
    expect(near.zoom).toBe(4)
  })

  test('is moved back by the opposite', () =>
    fc.assert(
      fc.property(points, (by) => {
        const frame = { world: { width: 9000, height: 9000 }, window: { width: 500, height: 500 }, most: 1 }
        const from = { x: 3000, y: 3000, zoom: 1 }
        expect(panBy(panBy(from, by, frame), { x: -by.x, y: -by.y }, frame)).toEqual(from)
      }),
    ))

  test('comes to a bar that is out of sight, and stays where it is for one in sight', () => {
    const frame = { world: { width: 1000, height: 1000 }, window: { width: 400, height: 400 }, most: 8 }
    const view = { x: 100, y: 100, zoom: 2 }
    expect(reveal(view, { x: 150, y: 150, width: 40, height: 8 }, frame)).toEqual(view)
    const { x, y, zoom } = reveal(view, { x: 700, y: 20, width: 40, height: 8 }, frame)
    expect(x + 400 / zoom).toBeGreaterThanOrEqual(740)
    expect(y).toBeLessThanOrEqual(20)
  })
})
