import { dollars, grouped, percent, short } from '@septet/domain/words'
import type { RecommendationView } from '@septet/contract'

import type { Report } from '../../operations/report/report.ts'
import { drawTable } from './draw-table.ts'
import { heading, note } from './heading.ts'
import { INK, needHeight, rule, write, type Paper } from './paper.ts'

const MOST_TIPS = 5
const MOST_FINDINGS = 6

/** What to change, what was found, and how far the data can be trusted. */
export function advicePage(paper: Paper, report: Report): void {
  tips(paper, report)
  if (report.source.kind !== 'sample') findings(paper, report)
  quality(paper, report)
}

function tips(paper: Paper, { recommendations: { recommendations, total } }: Report): void {
  heading(
    paper,
    'AI Optimization Recommendations',
    `${Math.min(MOST_TIPS, recommendations.length)} of ${grouped(total)}`,
  )
  if (recommendations.length === 0) note(paper, 'There is nothing to recommend now.')
  for (const tip of recommendations.slice(0, MOST_TIPS)) drawTip(paper, tip)
  paper.y += 6
  if (recommendations.length > 0)
    note(
      paper,
      'Amounts are estimates from the past at the prices in force. They are not savings until a change was applied and measured.',
    )
}

function drawTip(paper: Paper, tip: RecommendationView): void {
  needHeight(paper, 62)
  const { left, width, y } = paper
  const side = 110
  const title = write(paper, tip.title, {
    x: left,
    y: y + 6,
    face: 'medium',
    size: 9,
    width: width - side - 10,
    lines: 2,
  })
  const message = write(paper, tip.message, {
    x: left,
    y: y + 7 + title,
    size: 8,
    color: INK.soft,
    width: width - side - 10,
    lines: 3,
  })
  const saving = write(paper, savingWords(tip.saving), {
    x: left + width - side,
    y: y + 6,
    face: 'mono',
    size: 8.5,
    width: side,
    align: 'right',
    lines: 2,
  })
  const level = tip.risk?.level
  const risk = write(paper, level === undefined ? '' : level === 'mode-change' ? 'MIG mode changes' : `${level} risk`, {
    x: left + width - side,
    y: y + 7 + saving,
    size: 7.5,
    color: INK.soft,
    width: side,
    align: 'right',
    lines: 1,
  })
  paper.y = y + 15 + Math.max(title + message, saving + risk)
  rule(paper, paper.y)
}

function savingWords(saving: RecommendationView['saving']): string {
  if (saving.kind === 'none') return saving.brings
  if (saving.usdPerMonth !== null) return `${dollars(saving.usdPerMonth)}/mo`
  return saving.gpuHoursPerMonth === null ? 'not known' : `${short(saving.gpuHoursPerMonth)} GPU-h/mo`
}

function findings(paper: Paper, { findings: { findings: all } }: Report): void {
  heading(paper, 'Findings')
  if (all.length === 0) {
    note(paper, 'Nothing was found.')
    return
  }
  drawTable(
    paper,
    [
      { name: 'What', text: ({ kind }) => kind, share: 12 },
      { name: 'Where and why', text: ({ message }) => message, share: 62, lines: 3 },
      {
        name: 'A month',
        text: ({ usdPerMonth }) => (usdPerMonth === null ? '' : dollars(usdPerMonth)),
        share: 12,
        right: true,
        mono: true,
      },
    ],
    all.slice(0, MOST_FINDINGS),
  )
  paper.y += 6
  if (all.length > MOST_FINDINGS) note(paper, `${grouped(all.length - MOST_FINDINGS)} more are in the CSV file.`)
}

function quality(paper: Paper, { quality: found, source, version }: Report): void {
  heading(paper, 'How far this can be trusted')
  if (source.kind === 'sample') {
    note(paper, 'These are the fixed figures of the sample data. They are of no cluster.')
    return
  }
  const share = found.devices === 0 ? '' : ` (${percent(found.measuredDevices / found.devices)})`
  note(
    paper,
    `${grouped(found.measuredDevices)} of ${grouped(found.devices)} GPUs and GPU instances${share} report measurements that can be trusted.`,
  )
  const reasons = found.reasons.map(({ text, devices }) => `${grouped(devices)}: ${text}`)
  if (reasons.length > 0) note(paper, reasons.join(' '))
  note(
    paper,
    `What was not measured is never counted as idle or as 0. Figures and their formulas are the same as on the screens of Septet ${version}.`,
  )
}
