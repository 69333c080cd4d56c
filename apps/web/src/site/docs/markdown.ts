import { Marked, type Tokens } from 'marked'

import { escapeHtml, plainText } from './html-text.ts'

/** A heading of a page, as its links name it. */
export type DocHeading = { readonly id: string; readonly text: string; readonly depth: number }

/** What stands under one heading, until the next one. The first has the page's own heading. */
type DocSection = { readonly heading: DocHeading; readonly html: string }

export type MarkdownPage = {
  readonly title: string
  readonly sections: readonly DocSection[]
  /** Ids that links may name: headings and anchors. */
  readonly anchors: ReadonlySet<string>
}

/** Where a link of the page leads on the site; throws for one that leads nowhere. */
export type ResolveLink = (href: string) => string

/**
 * Turns a page of the documentation into sections of HTML. HTML in it is shown as text, except anchors; images are their
 * description. Throws when the page does not begin with its title.
 */
export function renderMarkdown(text: string, resolve: ResolveLink): MarkdownPage {
  const anchors = new Set<string>()
  const ids = new Map<string, number>()
  const marked = new Marked({ gfm: true })
  marked.use({
    extensions: [anchorExtension(anchors)],
    renderer: {
      html: ({ text: html }) => escapeHtml(html),
      image: ({ text: description }) => escapeHtml(description),
      code: codeBlock,
      link({ href, tokens }) {
        return `<a href="${escapeHtml(resolve(href))}">${this.parser.parseInline(tokens)}</a>`
      },
      table(token) {
        return tableBlock(token, (cell) => this.parser.parseInline(cell.tokens))
      },
    },
  })

  const sections: { heading: DocHeading; html: string }[] = []
  for (const token of marked.lexer(text)) {
    if (token.type === 'heading') {
      const heading = headingOf(plainText(marked.Parser.parseInline(token.tokens ?? [], marked.defaults)), ids)
      anchors.add(heading.id)
      sections.push({ heading: { ...heading, depth: Number(token['depth']) }, html: '' })
      continue
    }
    const section = sections.at(-1)
    if (section === undefined && token.type !== 'space')
      throw new Error('a page of the documentation begins with its title')
    if (section !== undefined) section.html += marked.parser([token])
  }
  const [first] = sections
  if (first === undefined) throw new Error('a page of the documentation begins with its title')
  return { title: first.heading.text, sections, anchors }
}

/** As code hosts name headings, so that one link works there and here. */
export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/gu, '-')

function headingOf(text: string, ids: Map<string, number>): Omit<DocHeading, 'depth'> {
  const slug = slugOf(text)
  const before = ids.get(slug) ?? 0
  ids.set(slug, before + 1)
  return { text, id: before === 0 ? slug : `${slug}-${before}` }
}

/** `<a id="name"></a>` is the one piece of HTML that pages may hold. */
const anchorExtension = (anchors: Set<string>) => ({
  name: 'anchor',
  level: 'inline' as const,
  start: (text: string) => text.indexOf('<a id="'),
  tokenizer(text: string) {
    const [raw, id] = /^<a id="([\w-]+)"><\/a>/u.exec(text) ?? []
    if (raw === undefined || id === undefined) return undefined
    anchors.add(id)
    return { type: 'anchor', raw, id }
  },
  renderer: ({ raw }: Tokens.Generic) => raw,
})

/** What can be pasted says its language, and gets a button from the page's script; pictures and messages do not. */
function codeBlock({ text, lang = '' }: Tokens.Code): string {
  const body = lang === 'sh' ? text.split('\n').map(shellLine).join('\n') : escapeHtml(text)
  return `<div class="code"${lang === '' ? '' : ' data-code'}><pre tabindex="0"><code>${body}</code></pre></div>\n`
}

/** A comment of a command is quieter than the command. */
function shellLine(line: string): string {
  const [, command = line, comment = ''] = /^(.*?)((?:^|\s)#\s.*)?$/u.exec(line) ?? []
  return `${escapeHtml(command)}${comment === '' ? '' : `<span class="comment">${escapeHtml(comment)}</span>`}`
}

/** A table in a region of its own, which scrolls sideways where it is too wide; on a phone each cell says its column. */
function tableBlock({ header, rows }: Tokens.Table, inline: (cell: Tokens.TableCell) => string): string {
  const names = header.map(({ text }) => plainText(escapeHtml(text)).replaceAll(/[`*_]/gu, ''))
  const label = `Table: ${names.filter((name) => name !== '').join(', ')}`
  const head = header.map((cell) => `<th scope="col">${inline(cell)}</th>`).join('')
  const nameOf = (at: number): string =>
    at === 0 || (names[at] ?? '') === '' ? '' : ` data-name="${escapeHtml(names[at] ?? '')}"`
  const body = rows
    .map((row) => `<tr>${row.map((cell, at) => `<td${nameOf(at)}>${inline(cell)}</td>`).join('')}</tr>`)
    .join('\n')
  return `<div class="scrolls" tabindex="0" role="group" aria-label="${escapeHtml(label)}"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>\n`
}
