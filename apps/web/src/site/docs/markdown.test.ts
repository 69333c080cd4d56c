import { describe, expect, test } from 'vitest'

import { renderDocs } from './doc-pages.ts'
import { renderMarkdown, slugOf } from './markdown.ts'
import { linkTarget } from '../doc-routes.ts'

const keep = (href: string): string => href
const htmlOf = (text: string): string => {
  const { sections } = renderMarkdown(`# Title\n\n${text}`, keep)
  return sections.map(({ html }) => html).join('')
}

describe('Markdown', () => {
  test.each([
    '<script>alert(1)</script>',
    'a <img src=x onerror=alert(1)> b',
    '<details open ontoggle=alert(1)>\n\ntext\n\n</details>',
    '`<script>`',
    '```\n<script>alert(1)</script>\n```',
    '```sh\necho "<script>" # <b>\n```',
    '| <b>a</b> |\n| --- |\n| <i onclick=x>c</i> |',
    '![<script>](x.png)',
    '<a id="x" onclick="alert(1)"></a>',
  ])('HTML in %j is shown as text', (text) => {
    expect(htmlOf(text)).not.toMatch(/<(?:script|img|details|b>|i |a )/u)
    expect(htmlOf(text)).toMatch(/&lt;/u)
  })

  test('an anchor stays one, and can be linked to', () => {
    const page = renderMarkdown('# Title\n\n<a id="costs"></a>\n\ntext', keep)
    expect(page.sections[0]?.html).toContain('<a id="costs"></a>')
    expect([...page.anchors].toSorted()).toEqual(['costs', 'title'])
  })

  test('headings are named as code hosts name them, the second of a name with a number', () => {
    expect(slugOf('What Septet may do in a cluster')).toBe('what-septet-may-do-in-a-cluster')
    expect(slugOf('E1: `npm start`, 2 × faster')).toBe('e1-npm-start-2--faster')
    const { sections } = renderMarkdown('# T\n\n## One\n\n## One\n\n### `code` & <b>', keep)
    expect(sections.map(({ heading }) => heading)).toEqual([
      { id: 't', text: 'T', depth: 1 },
      { id: 'one', text: 'One', depth: 2 },
      { id: 'one-1', text: 'One', depth: 2 },
      { id: 'code--b', text: 'code & <b>', depth: 3 },
    ])
  })

  test('a table scrolls in a group of its own, and a comment of a command is quieter', () => {
    expect(htmlOf('| a | b |\n| --- | --- |\n| 1 | 2 |')).toMatch(
      /<div class="scrolls" tabindex="0" role="group" aria-label="Table: a, b"><table>/u,
    )
    expect(htmlOf('```sh\nnpm start  # runs it\n```')).toContain('<span class="comment"> # runs it</span>')
    expect(htmlOf('```sh\ncurl x#y\n```')).not.toContain('comment')
  })

  test('what can be pasted gets a button, a picture made of text does not', () => {
    expect(htmlOf('```sh\nnpm start\n```')).toContain('data-code')
    expect(htmlOf('```\na ──► b\n```')).not.toContain('data-code')
  })

  test('a page that does not begin with its title is refused', () => {
    expect(() => renderMarkdown('text first', keep)).toThrow('begins with its title')
    expect(() => renderMarkdown('', keep)).toThrow('begins with its title')
  })
})

/** Two files, the first of which links to a heading of the second. */
const docs = (anchor: string) =>
  new Map([
    ['docs/a.md', `# A\n\n[x](b.md#${anchor})`],
    ['docs/b.md', '# B\n\n## Here'],
  ])

describe('links', () => {
  const files = new Set(['README.md', 'docs/a.md', 'docs/decisions/0001-b.md', 'docs/receipts/README.md'])

  test.each([
    ['docs/a.md', 'decisions/0001-b.md', '/docs/decisions/0001-b'],
    ['docs/decisions/0001-b.md', '../a.md#one', '/docs/a#one'],
    ['README.md', 'docs/receipts', '/receipts'],
    ['README.md', 'docs/receipts/README.md#costs', '/receipts#costs'],
    ['README.md', 'docs/receipts/claim-costs.json', '/receipts/costs.json'],
    ['README.md', 'docs/decisions/', '/docs#decisions'],
    ['docs/a.md', '#here', '/docs/a#here'],
    ['docs/a.md', '/api#problems', '/api#problems'],
    ['docs/a.md', 'https://example.org/x.md', 'https://example.org/x.md'],
  ])('in %s, %s leads to %s', (file, href, target) => {
    expect(linkTarget(file, href, files)).toBe(target)
  })

  test.each(['gone.md', 'javascript:alert(1)', '//elsewhere.example', 'data:text/html,x', '../deploy/role.yaml'])(
    '%s stops the build',
    (href) => expect(() => linkTarget('docs/a.md', href, files)).toThrow('docs/a.md links to'),
  )

  test('a heading that is not there stops the build, and one that is there does not', () => {
    expect(() => renderDocs(docs('gone'))).toThrow('docs/a.md: b.md#gone')
    expect(renderDocs(docs('here')).map(({ href }) => href)).toEqual(['/docs/a', '/docs/b'])
  })
})
