import { waitCause } from '@septet/domain'
import { dollars, grouped, plural, short } from '@septet/domain/words'
import type { Report } from '../../operations/report/report.ts'
import { drawSliceBar } from './draw-slice-bar.ts'
import { drawTable } from './draw-table.ts'
import { heading, note } from './heading.ts'
import { INK, needHeight, rule, write, type Paper } from './paper.ts'
import { say } from './words.ts'

type Node = Report['partitions']['nodes'][number]

/** Nodes whose bars are drawn; the others are in the CSV file. */
const MOST_NODES = 10
const MOST_WAITING = 6
const MOST_CAUSES = 8

/** How GPUs are cut, what holds them, and who waits. */
export function partitionsPage(paper: Paper, report: Report): void {
  partitions(paper, report)
  waits(paper, report)
  waiting(paper, report)
}

function partitions(paper: Paper, { partitions: { nodes, total }, summary: { mig } }: Report): void {
  heading(paper, 'MIG Partition Status', 'each bar a GPU, to scale, filled as busy as it is')
  if (nodes.length === 0) {
    note(paper, 'No node is in MIG mode.')
    return
  }
  const four = [
    ['Slice coverage', mig.coverage],
    ['Slice allocation', mig.allocation],
    ['Slice busy', mig.busy],
    ['Fragmentation', mig.fragmentation],
  ] as const
  const known = four.filter(([, figure]) => figure.value !== null)
  if (known.length > 0) note(paper, known.map(([name, figure]) => `${name} ${say(figure)}`).join(' · '))
  legend(paper)
  // Nodes on which nothing is free or something is wrong are what a reader looks for.
  const shown = nodes.slice(0, MOST_NODES)
  for (const node of shown) drawNode(paper, node)
  if (total > shown.length)
    note(paper, `${plural(total - shown.length, 'more node is', 'more nodes are')} in the CSV file.`)
}

const LEGEND = [
  ['busy', 'busy'],
  ['idle', 'idle-held'],
  ['free', 'free'],
  ['uncut', 'not cut'],
  ['stranded', 'stranded memory'],
  ['unknown', 'not measured'],
] as const

function legend(paper: Paper): void {
  let { left: x } = paper
  for (const [kind, name] of LEGEND) {
    const block = {
      kind,
      start: 0,
      size: 1,
      profile: null,
      placement: 'reported',
      busy: 0.7,
      holder: null,
      because: null,
    } as const
    drawSliceBar(
      paper,
      { slots: 1, blocks: [block], mode: 'whole', fault: null },
      { x, y: paper.y, width: 14, height: 8 },
    )
    write(paper, name, { x: x + 18, y: paper.y - 1.5, size: 7.5, color: INK.soft, width: 66, lines: 1 })
    x += 86
  }
  paper.y += 16
}

/** The room for the bars of a node and what is between them, points. */
const BAR = { room: 308, between: 8, height: 9, apart: 4 } as const

function drawNode(paper: Paper, node: Node): void {
  const inRow = node.gpus.length > 4 ? 4 : Math.min(2, node.gpus.length)
  const bar = (BAR.room + BAR.between) / Math.max(1, inRow) - BAR.between
  const rows = Math.max(1, Math.ceil(node.gpus.length / Math.max(1, inRow)))
  const height = Math.max(28, rows * (BAR.height + BAR.apart) + 10)
  needHeight(paper, height)
  const { y, left, width } = paper
  write(paper, node.node, { x: left, y: y + 4, size: 8.5, face: 'medium', width: 118, lines: 1 })
  write(paper, node.model, { x: left, y: y + 15, size: 7.5, color: INK.soft, width: 118, lines: 1 })
  for (const [index, gpu] of node.gpus.entries()) {
    const x = left + 124 + (index % inRow) * (bar + BAR.between)
    const at = y + 6 + Math.floor(index / inRow) * (BAR.height + BAR.apart)
    drawSliceBar(paper, gpu, { x, y: at, width: bar, height: BAR.height })
  }
  const right = left + width
  const words = `${node.used} of ${node.total}`
  write(paper, words, { x: right - 76, y: y + 4, size: 8.5, face: 'mono', width: 76, align: 'right', lines: 1 })
  const free = node.available > 0 ? `${node.available} free` : 'none free'
  write(paper, `${free} · ${say(node.utilization)}`, {
    x: right - 90,
    y: y + 15,
    size: 7.5,
    color: INK.soft,
    width: 90,
    align: 'right',
    lines: 1,
  })
  paper.y = y + height
  rule(paper, paper.y)
}

function waits(paper: Paper, { waits: { causes, hours, cost, note: words } }: Report): void {
  if (causes.length === 0) {
    heading(paper, 'What waiting cost')
    note(paper, 'No work waited for a GPU in this window.')
    return
  }
  heading(paper, 'What waiting cost', `${say(hours)} waited, ${say(cost)}`)
  drawTable(
    paper,
    [
      { name: 'Waited for', text: ({ name }) => name, share: 20 },
      {
        name: 'GPU-h',
        text: ({ gpuHours }) => (gpuHours === null ? 'not known' : short(gpuHours)),
        share: 11,
        right: true,
        mono: true,
      },
      {
        name: 'Price',
        text: ({ usd }) => (usd === null ? 'no price' : dollars(usd)),
        share: 11,
        right: true,
        mono: true,
      },
      {
        name: 'The cheapest change that ends most of it',
        text: ({ change }) => change?.sentence ?? '',
        share: 58,
        lines: 2,
      },
    ],
    causes.slice(0, MOST_CAUSES),
  )
  paper.y += 6
  if (causes.length > MOST_CAUSES)
    note(paper, `${plural(causes.length - MOST_CAUSES, 'more cause is', 'more causes are')} in the CSV file.`)
  note(paper, words)
}

function waiting(paper: Paper, { workloads: { workloads } }: Report): void {
  const queued = workloads.filter(({ status }) => status === 'queued')
  heading(paper, 'Waiting workloads', `${grouped(queued.length)} queued`)
  if (queued.length === 0) {
    note(paper, 'Nothing waits for a GPU.')
    return
  }
  drawTable(
    paper,
    [
      { name: 'Workload', text: ({ name }) => name, share: 24 },
      { name: 'Namespace', text: ({ namespace }) => namespace, share: 21 },
      { name: 'Asks for', text: ({ gpu }) => gpu, share: 13 },
      {
        name: 'Why it waits',
        text: ({ waiting: told }) => (told === null ? 'not told' : waitCause(told) || told.message),
        share: 42,
        lines: 2,
      },
    ],
    queued.slice(0, MOST_WAITING),
  )
  paper.y += 6
  if (queued.length > MOST_WAITING) note(paper, `${grouped(queued.length - MOST_WAITING)} more are in the CSV file.`)
}
