import type { Figure } from '../benchmark.ts'
import { figureText } from '../figure-text.ts'
import { judgeAim } from './judge-aim.ts'
import { SHOWN, SUBJECTS } from './subjects.ts'

/** A measurement as its file in docs/receipts has it. */
export type Measurement = {
  readonly name: string
  readonly description: string
  readonly command: string
  readonly date: string
  readonly machine: Readonly<Record<string, string | number>>
  readonly figures: readonly Figure[]
  /** Its code has changed since it was measured, or nobody wrote down which code that was. */
  readonly stale: boolean
}

/** docs/figures.md: the figures of all measurements beside their aims, and first those that miss one. */
export function figuresPage(measurements: readonly Measurement[]): string {
  const subjects = subjectsOf(measurements)
  const ordered = subjects.flatMap(({ members }) => members)
  const rows = ordered.flatMap((measurement) =>
    shownOf(measurement).map((figure) => ({ measurement, figure, verdict: judgeAim(figure) })),
  )
  const aimed = rows.filter(({ verdict }) => verdict !== undefined)
  const missed = aimed.filter(({ verdict }) => verdict?.reached === false)
  return [
    '# Figures',
    '',
    'Every speed, size, and quality figure that Septet reports about itself, beside its aim, with the date and the command that measures it again. The page is generated from the files in [docs/receipts](receipts) each time a benchmark writes one; `npm run bench -- --figures` generates it on demand, and a test fails when the two differ.',
    '',
    `Of ${aimed.length} figures with an aim, ${aimed.length - missed.length} reach it and ${missed.length} do not. Of ${ordered.length} measurements, ${ordered.filter(({ stale }) => stale).length} are older than the code that they measured, and say so.`,
    '',
    '## Not reached',
    '',
    '| Figure | Measured | Aim | Measurement |',
    '| --- | --- | --- | --- |',
    ...missed.map(({ measurement: { name }, figure, verdict }) =>
      tableRow([figure.name, valueOf(figure), verdict?.aim ?? '', `[${name}](#${name})`]),
    ),
    '',
    ...subjects.flatMap(({ title, members }) => [`## ${title}`, '', ...members.flatMap(section)]),
  ].join('\n')
}

/** In the order of the page. A receipt that no subject names stands under the last heading. */
function subjectsOf(
  measurements: readonly Measurement[],
): readonly { readonly title: string; readonly members: readonly Measurement[] }[] {
  const placed = new Set(SUBJECTS.flatMap(({ receipts }) => receipts))
  const others = measurements.map(({ name }) => name).filter((name) => !placed.has(name))
  return [...SUBJECTS, { title: 'Other', receipts: others }]
    .map(({ title, receipts }) => ({
      title,
      members: receipts.flatMap((name) => measurements.filter((each) => each.name === name)),
    }))
    .filter(({ members }) => members.length > 0)
}

/** Throws when nothing is left to show: a receipt whose figures were renamed must not fall silent. */
function shownOf({ name, figures }: Measurement): readonly Figure[] {
  const pattern = SHOWN[name]
  const measured = figures.filter((figure) => !/^(?:load average|rest between)/u.test(figure.name))
  const aimed = measured.filter((figure) => judgeAim(figure) !== undefined)
  const chosen = pattern === undefined ? aimed : measured.filter((figure) => pattern.test(figure.name))
  const shown = pattern === undefined && aimed.length === 0 ? measured : chosen
  if (shown.length === 0) throw new Error(`docs/receipts/${name}.json has no figure that docs/figures.md would show`)
  return shown
}

function section(measurement: Measurement): readonly string[] {
  const { name, description, command, date, machine, stale } = measurement
  const figures = shownOf(measurement)
  return [
    `<a id="${name}"></a>**${name}.** ${description}`,
    '',
    '| Figure | Measured | Baseline | Aim | Reached | Note |',
    '| --- | --- | --- | --- | --- | --- |',
    ...figures.map(row),
    '',
    `${date}, ${machineWords(machine)}: \`${command}\`. [The whole receipt](receipts/${name}.json).${stale ? ' **Its code has changed since.**' : ''}`,
    '',
  ]
}

function row(figure: Figure): string {
  const { name, baseline, note } = figure
  const verdict = judgeAim(figure)
  return tableRow([
    name,
    valueOf(figure),
    baseline === undefined ? '' : `${baseline.name}: ${figureText(baseline.figure)}`,
    verdict?.aim ?? '',
    reachedWords(verdict?.reached),
    note ?? '',
  ])
}

function reachedWords(reached: boolean | undefined): string {
  if (reached === undefined) return ''
  return reached ? 'yes' : '**not reached**'
}

const valueOf = ({ figure, unit }: Figure): string =>
  `${figureText(figure)}${unit.startsWith('%') ? '' : ' '}${unit}`.trim()

const machineWords = ({ cores, memoryGib, node }: Measurement['machine']): string =>
  `${cores} cores, ${memoryGib} GiB, Node ${node}`

/** A bar within a cell would begin another; `<` and `>` would be markup. */
const tableRow = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('>', '&gt;')).join(' | ')} |`
