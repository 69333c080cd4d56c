import type { Figure } from '../benchmark.ts'
import { figureText } from '../figure-text.ts'
import type { Claim, ClaimKind, ClaimVerdict } from './claim.ts'

export type Receipt = ClaimVerdict & {
  readonly id: Claim['id']
  readonly words: Claim['words']
  readonly command: string
  readonly date: string
  readonly machine: Readonly<Record<string, string | number>>
  /** Of the code that was measured; undefined where nobody wrote it down. */
  readonly code: string | undefined
}

const KIND_WORDS = {
  measured: 'measured',
  published: 'published by others',
  'not-reached': 'not reached',
} satisfies Record<ClaimKind, string>

/** All receipts as one page: what is claimed, what is true, and how to run it again. */
export const receiptPage = (receipts: readonly Receipt[]): string =>
  [
    '# Receipts',
    '',
    'What the site claims, and what was measured. Each claim has a JSON file with all its figures. Run them again:',
    '',
    '```',
    'npm run bench -- receipts',
    '```',
    '',
    '| Claim | Kind |',
    '| --- | --- |',
    ...receipts.map(({ id, words, kind }) => `| [${words}](#${id}) | ${KIND_WORDS[kind]} |`),
    '',
    ...receipts.flatMap(section),
  ].join('\n')

const section = (receipt: Receipt): readonly string[] => [
  `<a id="${receipt.id}"></a>`,
  '',
  `## ${receipt.words}`,
  '',
  `**${KIND_WORDS[receipt.kind]}.** ${receipt.says}`,
  '',
  `What it does not say: ${receipt.saysNot}`,
  '',
  '| Figure | Value | Baseline | Note |',
  '| --- | --- | --- | --- |',
  ...receipt.figures.map(row),
  '',
  `Input: ${receipt.input}. Sources: ${receipt.sources.join('; ')}. Command: \`${receipt.command}\`. ` +
    `${receipt.date}, ${Object.entries(receipt.machine)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')}.`,
  '',
]

const row = ({ name, figure, unit, baseline, note, aim }: Figure): string => {
  const beside = baseline === undefined ? '' : `${baseline.name}: ${figureText(baseline.figure)}`
  const notes = [aim === undefined ? '' : `aim ${aim}`, note ?? ''].filter((text) => text !== '').join('; ')
  return `| ${name} | ${figureText(figure)} ${unit} | ${beside} | ${notes} |`
}
