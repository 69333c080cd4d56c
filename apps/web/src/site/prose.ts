import operator from '../../content/operator.json'
import { namedEntry } from './content.ts'
import { renderMarkdown, type MarkdownPage } from './docs/markdown.ts'

const FILES = import.meta.glob<string>('../../content/*.md', { eager: true, query: '?raw', import: 'default' })

/** Who runs this installation. Nothing is known until they say it in this file; the pages then say so. */
export const OPERATOR = operator

/** A page of text of `content/`. What it says of the operator is what they told about themselves. */
export const proseOf = (name: string, of: typeof OPERATOR = OPERATOR): MarkdownPage =>
  renderMarkdown(forOperator(namedEntry(FILES, `../../content/${name}.md`), of), (href) => href)

/** A line with `{{email}}` is there once that is known and has it in its place, one with `{{no email}}` as long as it is not. */
function forOperator(text: string, of: typeof OPERATOR): string {
  const holds = (line: string): boolean =>
    [...line.matchAll(/\{\{(no )?(\w+)\}\}/gu)].every(
      ([, no, field = '']) => (namedEntry(of, field) === '') === (no !== undefined),
    )
  return text
    .split('\n')
    .filter(holds)
    .join('\n')
    .replaceAll(/\{\{no \w+\}\}/gu, '')
    .replaceAll(/\{\{(\w+)\}\}/gu, (_all, field: string) => namedEntry(of, field))
}
