/** `docs/glossary.md`, from how a module names that file. */
export const repositoryPath = (modulePath: string): string => modulePath.replace(/^(?:\.\.\/)+/u, '')

const ROUTES: Readonly<Record<string, string>> = {
  docs: '/docs',
  'docs/decisions': '/docs#decisions',
  'docs/receipts': '/receipts',
  'docs/receipts/README.md': '/receipts',
  'README.md': '/docs/start',
  'CONTRIBUTING.md': '/docs/contributing',
  'SECURITY.md': '/docs/reporting-a-vulnerability',
  LICENSE: '/terms',
}

/** Where the site shows a file or folder of the repository; undefined when it does not. */
export function routeOf(path: string): string | undefined {
  const known = ROUTES[path.replace(/\/$/u, '')]
  if (known !== undefined) return known
  const receipt = /^docs\/receipts\/(?:claim-)?([\w-]+)\.json$/u.exec(path)?.[1]
  if (receipt !== undefined) return `/receipts/${receipt}.json`
  const page = /^docs\/((?:[\w-]+\/)*[\w-]+)\.md$/u.exec(path)?.[1]
  return page === undefined ? undefined : `/docs/${page}`
}

/**
 * Where a link in a file leads on the site: other files by their route, other sites and mail as they are. Throws for what
 * the site does not show, and for schemes that a page has no use for.
 */
export function linkTarget(file: string, href: string, files: ReadonlySet<string>): string {
  if (/^(?:https?:\/\/|mailto:|\/(?!\/))/iu.test(href)) return href
  const [path = '', anchor] = href.split('#')
  const named = path === '' ? file : join(file, path)
  const route = named.endsWith('.md') && !files.has(named) ? undefined : routeOf(named)
  if (route === undefined) throw new Error(`${file} links to ${href}, which the site does not show`)
  return anchor === undefined || route.includes('#') ? route : `${route}#${anchor}`
}

/** A path beside a file, without `.` and `..`. */
function join(file: string, path: string): string {
  const parts = file.split('/').slice(0, -1)
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}
