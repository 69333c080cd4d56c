import { describe, expect, test } from 'vitest'

import claimed from '../../../content/claims.json' with { type: 'json' }
import { RECEIPT_FILES, RECEIPTS, receiptOf } from '../receipts.ts'
import { openDocsSearch } from '../reading/docs-search.ts'
import { figureText } from '../sections/figure-text.ts'
import { CONTENTS, READING_ORDER } from './contents.ts'
import { DOC_PAGES } from './doc-pages.ts'
import { SEARCH_INDEX, SEARCH_SECTIONS } from './search-index.ts'

describe('contents', () => {
  test('every page stands in them once', () => {
    const hrefs = READING_ORDER.map(({ href }) => href)
    expect(new Set(hrefs).size).toBe(hrefs.length)
    expect(DOC_PAGES.filter(({ href }) => !hrefs.includes(href))).toEqual([])
  })

  test('decisions are in the order of their numbers', () => {
    const numbers = CONTENTS.find(({ id }) => id === 'decisions')?.entries.map(({ title }) =>
      Number.parseInt(title, 10),
    )
    expect(numbers?.length).toBeGreaterThan(5)
    expect(numbers).toEqual(numbers?.toSorted((a, b) => a - b))
  })
})

describe('the search', () => {
  const search = openDocsSearch(SEARCH_INDEX.text)
  const first = (query: string): string | undefined => search(query)[0]?.href

  test.each([
    ['stranded', '/docs/glossary'],
    ['certificates', '/docs/configuration#certificates'],
    ['SEPTET_POLL_SECONDS', '/docs/configuration'],
    ['audit', '/docs/signing-in#the-audit-log'],
    ['what each goal does', '/docs/planning-from-the-command-line#what-each-goal-does'],
    ['import whom', '/docs/architecture#who-may-import-whom'],
    ['100+ gpu types', '/receipts#gpu-types'],
  ])('%s finds %s', (query, href) =>
    expect(
      search(query)
        .slice(0, 3)
        .map((hit) => hit.href),
    ).toContain(href),
  )

  test('every heading finds its own section', () => {
    const lost = SEARCH_SECTIONS.filter(({ id, heading, page }) => {
      const hits = search(`${heading} ${page}`).map(({ href }) => href)
      return !hits.includes(id)
    })
    expect(lost.map(({ id }) => id)).toEqual([])
  })

  test('a word that is being typed, or is mistyped, finds too', () => {
    expect(first('certif')).toBe(first('certificates'))
    expect(search('glosary').map(({ href }) => href)).toContain('/docs/glossary')
  })

  test('the excerpt marks the words that were asked for', () => {
    const [hit] = search('setup secret')
    const marked = hit?.excerpt.filter(({ found }) => found).map(({ text }) => text.toLowerCase())
    expect(marked).toContain('setup')
    expect(hit?.excerpt.map(({ text }) => text).join('').length).toBeLessThan(170)
  })

  test('nothing is found by nothing, and signs are no pattern', () => {
    expect(search('')).toEqual([])
    expect(search('qqqqzzzz')).toEqual([])
    expect(() => search('( [ * \\ a.*')).not.toThrow()
  })
})

describe('receipts', () => {
  test('each claim of the first page has a receipt of its own kind, in the order of the page', () => {
    const ofClaims = RECEIPTS.filter(({ claim }) => claim !== undefined).map(({ id }) => id)
    expect(ofClaims).toEqual(claimed.claims.map(({ id }) => id))
  })

  test('each has its file, exactly as it is, and all that it takes to run it again', () => {
    expect(RECEIPTS.map(({ json }) => json).toSorted()).toEqual([...RECEIPT_FILES.keys()].toSorted())
    expect(
      RECEIPTS.filter(({ command, date }) => !command.startsWith('npm run bench -- ') || !/^20\d\d-/u.test(date)),
    ).toEqual([])
    expect(RECEIPTS.filter(({ figures, says }) => figures.length === 0 || says === '')).toEqual([])
  })

  test('a figure that is missing is not measured, and 0 is 0', () => {
    const text = JSON.stringify({
      name: 'x',
      description: 'What was looked at.',
      command: 'npm run bench -- x',
      date: '2026-11-21',
      machine: { cores: 2 },
      figures: [
        { name: 'a', unit: 'ms' },
        { name: 'b', unit: 'ms', figure: 0, baseline: { name: 'c', figure: null } },
      ],
    })
    const [a, b] = receiptOf('docs/receipts/x.json', text).figures
    expect(figureText(a?.figure, 'ms')).toBe('not measured')
    expect(figureText(b?.figure, 'ms')).toBe('0 ms')
    expect(figureText(b?.baseline?.figure, '')).toBe('not measured')
  })

  test('a receipt of another shape stops the build with its name', () => {
    expect(() => receiptOf('docs/receipts/x.json', '{"kind":"great"}')).toThrow('docs/receipts/x.json')
  })
})
