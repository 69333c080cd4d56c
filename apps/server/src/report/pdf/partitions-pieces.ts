import { plural } from '@septet/domain/words'
import type { Report } from '../../operations/report/report.ts'
import type { PdfPiece, FlowUnit } from './flow.ts'
import { drawLook, fill } from './looks.ts'
import { INK, write, type Paper } from './paper.ts'
import { heading, note, solid, space } from './solid-pieces.ts'
import { figureTag, rule, tag, type TagBox } from './tags.ts'
import { sayFigure } from './words.ts'
import type { BlockView, GpuView } from '@septet/contract'

/** One GPU as a slice bar to scale: blocks at their placements, filled as high as they are busy. */
function drawSliceBar(paper: Paper, gpu: Pick<GpuView, 'slots' | 'blocks' | 'mode' | 'fault'>, box: TagBox): void {
  const step = box.width / Math.max(1, gpu.slots)
  const layers = gpu.mode === 'shared' ? gpu.blocks.length : 1
  for (const [index, block] of gpu.blocks.entries()) {
    // Replicas that share a GPU in time lie over the whole of it, as thin layers.
    const height = box.height / layers
    const y = layers === 1 ? box.y : box.y + index * height
    drawBlock(paper, block, { x: box.x + block.start * step, y, width: block.size * step, height })
  }
  if (gpu.fault !== null) {
    const { document } = paper
    document
      .rect(box.x - 1, box.y - 1, box.width + 2, box.height + 2)
      .lineWidth(1.2)
      .strokeColor(INK.fault)
      .stroke()
  }
}

/** The space between two blocks, points. */
const GAP = 1

function drawBlock(paper: Paper, { kind, busy }: BlockView, outer: TagBox): void {
  const box = {
    ...outer,
    width: Math.max(1, outer.width - GAP),
    height: Math.max(0.8, outer.height - (outer.height < 4 ? 0.4 : 0)),
  }
  if (kind !== 'busy') {
    drawLook(paper, kind, box)
    return
  }
  fill(paper, box, INK.busySoft)
  const high = box.height * Math.min(1, Math.max(0, busy ?? 0))
  fill(paper, { ...box, y: box.y + box.height - high, height: high }, INK.busy)
}

type Node = Report['partitions']['nodes'][number]

/** How GPUs are cut and what holds them, each GPU as a slice bar. */
export function partitionsPieces(
  paper: Paper,
  { partitions: { nodes, total }, summary: { mig } }: Report,
): readonly PdfPiece[] {
  const title = heading(paper, {
    title: 'MIG Partition Status',
    aside: nodes.length === 0 ? '' : 'each bar a GPU, to scale, filled as busy as it is',
  })
  if (nodes.length === 0) return [title, note(paper, 'No node is in MIG mode.', { below: 16 })]
  const four = [
    ['Slice coverage', mig.coverage],
    ['Slice allocation', mig.allocation],
    ['Slice busy', mig.busy],
    ['Fragmentation', mig.fragmentation],
  ] as const
  const known = four.filter(([, { value }]) => value !== null).map(([name, shown]) => `${name} ${sayFigure(shown)}`)
  const units = nodes.map(nodeUnit)
  return [
    title,
    ...(known.length === 0 ? [] : [note(paper, known.join(' · '), { below: 5, keep: true })]),
    solid({ height: 16, draw: legend }, { keep: true }),
    {
      least: Math.min(3, units.length),
      most: units.length,
      units: (shown) => [
        ...units.slice(0, shown),
        ...(total > shown
          ? [moreUnit(`${plural(total - shown, 'more node is', 'more nodes are')} in the CSV file.`)]
          : []),
      ],
      tag: 'L',
    },
    space(14, 26),
  ]
}

const moreUnit = (words: string): FlowUnit => ({
  height: 14,
  draw: (sheet, y) =>
    tag(sheet, 'LI', (item) =>
      tag(
        item,
        'LBody',
        (body) => void write(body, words, { x: sheet.left, y: y + 4, size: 8, color: INK.soft, lines: 1 }),
      ),
    ),
})

const LEGEND = [
  ['busy', 'busy'],
  ['idle', 'idle-held'],
  ['free', 'free'],
  ['uncut', 'unpartitioned'],
  ['stranded', 'stranded'],
  ['unknown', 'not measured'],
] as const

function legend(paper: Paper, y: number): void {
  const box = { x: paper.left, y, width: paper.width, height: 10 }
  const alt =
    'Legend: busy is solid, idle-held is hatched, free is an outline, unpartitioned is a broken outline, stranded is dotted, not measured is lined; a red frame is a fault.'
  figureTag(paper, { alt, box }, (inside) => {
    let { left: x } = paper
    for (const [look, name] of LEGEND) {
      drawLook(inside, look, { x, y, width: 14, height: 8 })
      write(inside, name, { x: x + 18, y: y - 1, size: 7.5, color: INK.soft, width: 60, lines: 1 })
      x += 34 + name.length * 4.3
    }
  })
}

/** The room for the bars of a node and what is between them, points. */
const BAR = { room: 290, between: 8, height: 9, apart: 4 } as const

function nodeUnit(node: Node): FlowUnit {
  const inRow = node.gpus.length > 4 ? 4 : Math.max(1, Math.min(2, node.gpus.length))
  const bar = (BAR.room + BAR.between) / inRow - BAR.between
  const rows = Math.max(1, Math.ceil(node.gpus.length / inRow))
  const height = Math.max(30, rows * (BAR.height + BAR.apart) + 8)
  const free = node.available > 0 ? `${node.available} free` : 'none free'
  return {
    height,
    draw: (sheet, y) => {
      const { left, width } = sheet
      tag(sheet, 'LI', (item) =>
        tag(item, 'LBody', (body) => {
          write(body, node.node, { x: left, y: y + 4, size: 8.5, face: 'medium', width: 118, lines: 1 })
          write(body, node.model, { x: left, y: y + 15, size: 7.5, color: INK.soft, width: 118, lines: 1 })
          const box = { x: left + 124, y: y + 5, width: BAR.room, height: rows * (BAR.height + BAR.apart) }
          figureTag(body, { alt: barsText(node), box }, (inside) => {
            for (const [index, gpu] of node.gpus.entries()) {
              const x = box.x + (index % inRow) * (bar + BAR.between)
              const at = box.y + Math.floor(index / inRow) * (BAR.height + BAR.apart)
              drawSliceBar(inside, gpu, { x, y: at, width: bar, height: BAR.height })
            }
          })
          const side = { x: left + width - 90, width: 90, align: 'right', lines: 1 } as const
          write(body, `${node.used} of ${node.total} held`, { ...side, y: y + 4, size: 8.5, face: 'mono' })
          const busy = node.utilization.value === null ? 'busy not measured' : `${sayFigure(node.utilization)} busy`
          write(body, `${free} · ${busy}`, {
            ...side,
            x: side.x - 20,
            width: 110,
            y: y + 15,
            size: 7.5,
            color: INK.soft,
          })
        }),
      )
      rule(sheet, y + height)
    },
  }
}

/** The bars of a node in words: how many of its GPUs hold what. */
function barsText({ gpus }: Node): string {
  const counts = LEGEND.flatMap(([kind, name]) => {
    const count = gpus.reduce((sum, { blocks }) => sum + blocks.filter((block) => block.kind === kind).length, 0)
    return count === 0 ? [] : [`${count} ${name}`]
  })
  const faults = gpus.filter(({ fault }) => fault !== null).length
  const fault = faults === 0 ? '' : `; ${plural(faults, 'GPU')} with a fault`
  return `${plural(gpus.length, 'GPU')} as slice bars: ${counts.join(', ')}${fault}.`
}
