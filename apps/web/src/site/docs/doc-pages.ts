import { renderMarkdown, type MarkdownPage } from './markdown.ts'
import { repositoryPath, routeOf, linkTarget } from '../doc-routes.ts'

const FILES = import.meta.glob<string>(
  [
    '../../../../../docs/**/*.md',
    '../../../../../README.md',
    '../../../../../CONTRIBUTING.md',
    '../../../../../SECURITY.md',
  ],
  { eager: true, query: '?raw', import: 'default' },
)

/** A page of the documentation: its file in the repository, its address on the site, and what stands in it. */
export type DocPage = MarkdownPage & { readonly file: string; readonly href: string }

/** Parts of a file that make sense only beside the code: lists of links that the site has as navigation. */
const LEFT_OUT: Readonly<Record<string, string>> = { 'README.md': '## Documentation' }

/** A picture for each theme, which only a code host draws; the site has the product itself. */
const PICTURE = /<picture>[\s\S]*?<\/picture>\n/u

/** Every Markdown file that the site shows. A link in them that leads nowhere stops the build with its name. */
export const DOC_PAGES: readonly DocPage[] = renderDocs(
  new Map(Object.entries(FILES).map(([path, text]) => [repositoryPath(path), text])),
)

/** Pages from files by their path in the repository. Throws for a link to a file or heading that is not there. */
export function renderDocs(files: ReadonlyMap<string, string>): readonly DocPage[] {
  const links: { readonly from: string; readonly href: string; readonly target: string }[] = []
  const pages = [...files].flatMap(([file, text]): readonly DocPage[] => {
    const href = routeOf(file)
    if (href === undefined || !href.startsWith('/docs')) return []
    const [shown = ''] = text.split(`\n${LEFT_OUT[file] ?? '\0'}\n`)
    const page = renderMarkdown(shown.replace(PICTURE, ''), (link) => {
      const target = linkTarget(file, link, new Set(files.keys()))
      links.push({ from: file, href: link, target })
      return target
    })
    return [{ ...page, file, href }]
  })
  const anchors = new Map(pages.map((page) => [page.href, page.anchors]))
  const dead = links.filter(({ target }) => {
    const [path = '', anchor] = target.split('#')
    return anchor !== undefined && anchors.get(path)?.has(anchor) === false
  })
  if (dead.length > 0) {
    throw new Error(
      `links to headings that are not there: ${dead.map(({ from, href }) => `${from}: ${href}`).join('; ')}`,
    )
  }
  return pages
}
