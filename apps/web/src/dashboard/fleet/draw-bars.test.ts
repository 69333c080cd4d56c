import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { drawGpu } from './draw-bars.ts'
import { barShare } from './draw-region.ts'
import type { DrawnSpot, Drawing } from './drawing.ts'
import { drawnFleets, drawnPicture } from './fleet-map.fixture.ts'
import type { FleetPicture } from './fleet-picture.ts'
import type { MapPalette } from './map-palette.ts'

const PALETTE = {
  busy: 'busy',
  busySoft: 'busy-soft',
  busyness: ['busy-0', 'busy-1', 'busy-2'],
  free: 'free',
  unknown: 'unknown',
  fault: 'fault',
  surface: 'surface',
  ink: 'ink',
  onBusy: 'on-busy',
  small: ['busy', 'idle', 'unknown', 'free', 'stranded', 'others', 'uncut'],
  large: ['busy', 'idle', 'unknown', 'free', 'stranded', 'others', 'uncut'],
  edges: ['busy', 'idle', 'unknown', 'free', 'stranded', 'others', 'uncut'],
  inks: [],
  grounds: [],
} as unknown as MapPalette

type Area = DrawnSpot & { readonly color: string }
type Rectangle = [x: number, y: number, width: number, height: number]
const spotOf = ([x, y, width, height]: Rectangle): DrawnSpot => ({ x, y, width, height })

/** What is painted of one GPU: filled areas, written words and broken lines. */
function painted(picture: FleetPicture, gpu: number, at: DrawnSpot) {
  const areas: Area[] = []
  const texts: string[] = []
  const dashed: string[] = []
  let broken = false
  let round: DrawnSpot | undefined
  const paint = {
    fillStyle: '',
    strokeStyle: '',
    fillRect: (...box: Rectangle) => areas.push({ ...spotOf(box), color: paint.fillStyle }),
    beginPath: () => (round = undefined),
    roundRect: (...[x, y, width, height]: [...Rectangle, number]) => (round = spotOf([x, y, width, height])),
    fill: () => round && areas.push({ ...round, color: paint.fillStyle }),
    stroke: () => broken && dashed.push(paint.strokeStyle),
    strokeRect: () => broken && dashed.push(paint.strokeStyle),
    setLineDash: (dash: readonly number[]) => (broken = dash.length > 0),
    fillText: (text: string) => texts.push(text),
    moveTo: () => undefined,
    lineTo: () => undefined,
    closePath: () => undefined,
  }
  drawGpu({ paint, picture, palette: PALETTE } as unknown as Drawing, gpu, { ...at })
  return { areas, texts, dashed }
}

const SMALL = { x: 10, y: 20, width: 80, height: 5 }
const MIDDLE = { x: 10, y: 20, width: 80, height: 16 }
const LARGE = { x: 10, y: 20, width: 400, height: 40 }
const block = (kind: 'busy' | 'idle' | 'free' | 'stranded' | 'uncut', more: object = {}) =>
  ({ kind, size: 4, busy: -1, holder: -1, ...more }) as const
const one = (...blocks: readonly ReturnType<typeof block>[]): FleetPicture =>
  drawnPicture([{ node: 0, model: 0, blocks }])

const heights = (thousandths: number): readonly number[] =>
  painted(one(block('busy', { busy: thousandths, size: 8 })), 0, MIDDLE)
    .areas.filter((area) => area.color === 'busy')
    .map(({ y, height }) => [y + height, height])
    .flat()
const color = (thousandths: number): string | undefined =>
  painted(one(block('busy', { busy: thousandths })), 0, SMALL).areas[0]?.color
const hasFault = (picture: FleetPicture, at: DrawnSpot): boolean =>
  painted(picture, 0, { ...at, height: 12 }).areas.some((area) => area.color === 'surface')

describe('one GPU on the map', () => {
  test('is as wide as its bar, each block as wide as its memory slices', () => {
    const wide = drawnPicture([{ node: 0, model: 0, blocks: [block('idle', { size: 8 })] }])
    expect(painted(wide, 0, SMALL).areas).toEqual([{ x: 10, y: 20, width: 79.5, height: 5, color: 'idle' }])
  })

  test('is busy as high as it was busy, from the ground up, and a little is seen', () => {
    expect(heights(500)).toEqual([36, 8])
    expect(heights(1000)).toEqual([36, 16])
    expect(heights(1)).toEqual([36, 1.5])
    expect(heights(0)).toEqual([])
  })

  test('has colors for how busy it was where it is too small for heights', () => {
    expect([color(0), color(500), color(1000), color(-1)]).toEqual(['busy-0', 'busy-1', 'busy-2', 'busy-0'])
  })

  test('has a broken outline where memory is not cut, and a whole one where an instance is free', () => {
    expect(painted(one(block('uncut'), block('free')), 0, MIDDLE).dashed).toEqual(['uncut'])
    expect(painted(one(block('free')), 0, MIDDLE).dashed).toEqual([])
  })

  test('names who holds it where all of the name fits, and nothing cut off', () => {
    const held = one(block('busy', { busy: 500, holder: 0, size: 8 }))
    expect(painted(held, 0, LARGE).texts).toEqual(['train-1'])
    expect(painted(held, 0, { ...LARGE, width: 40 }).texts).toEqual([])
    expect(painted(held, 0, MIDDLE).texts).toEqual([])
    expect(painted(one(block('stranded', { size: 8 })), 0, LARGE).texts).toEqual([])
  })

  test('with a fault says so from afar too', () => {
    const blocks = [block('free')]
    const faulty = drawnPicture([{ node: 0, model: 0, blocks }], { faults: [0] })
    expect([hasFault(faulty, MIDDLE), hasFault(one(...blocks), MIDDLE)]).toEqual([true, false])
  })

  test('stays within its bar and shows each of its blocks, whatever it holds', () =>
    fc.assert(
      fc.property(drawnFleets, (picture) => {
        for (let gpu = 0; gpu < Math.min(8, picture.gpus); gpu += 1) {
          const size = Math.max(1, ...placesOf(picture, gpu).map(({ end }) => end))
          const fitting: FleetPicture = { ...picture, slots: picture.slots.map(() => size) }
          const { areas } = painted(fitting, gpu, SMALL)
          for (const { x, width } of areas) {
            expect(x).toBeGreaterThanOrEqual(SMALL.x)
            expect(x + width).toBeLessThanOrEqual(SMALL.x + SMALL.width + 1)
          }
          expect(areas).toHaveLength(placesOf(picture, gpu).length)
        }
      }),
      { numRuns: 30 },
    ))
})

function placesOf({ first, start, size }: FleetPicture, gpu: number): { readonly end: number }[] {
  const [begin = 0, end = 0] = [first[gpu], first[gpu + 1]]
  return Array.from({ length: end - begin }, (_, place) => ({
    end: (start[begin + place] ?? 0) + (size[begin + place] ?? 0),
  }))
}

test('a board with half the memory slices has half a bar, and one that is not cut a whole one', () => {
  const cut = drawnPicture([{ node: 0, model: 0, blocks: [block('free'), block('free')] }])
  expect(barShare({ ...cut, slots: Uint16Array.of(4) }, 0)).toBe(0.5)
  expect(barShare({ ...cut, slots: Uint16Array.of(8) }, 0)).toBe(1)
  expect(barShare({ ...one(block('free')), slots: Uint16Array.of(4) }, 0)).toBe(1)
})
