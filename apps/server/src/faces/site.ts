import { existsSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { problemDocument, notFound } from '@septet/contract'

export type SiteNeeds = {
  /** Folder of the built web app. */
  readonly dist: string
  /** The address that people reach Septet at, where it is known. */
  readonly publicUrl: string | undefined
  /** Whether `/demo` is there. */
  readonly publicDemo: boolean
  /** Whether a browser may be given documents below `/dashboard`. */
  readonly mayOpenPages: (request: FastifyRequest) => boolean
}

/**
 * Serves the built web app: the pre-rendered site, the sign-in page at `/auth`, and one app for `/dashboard` and `/demo`. What
 * was compressed at build is sent so to those who accept it.
 */
export async function registerSite(server: FastifyInstance, needs: SiteNeeds): Promise<void> {
  const { dist, publicUrl } = needs
  const built = existsSync(join(dist, 'index.html'))
  server.setNotFoundHandler((request, reply) => problem(request, reply, built))
  if (!built) return
  await server.register(fastifyStatic, {
    root: dist,
    serve: false,
    preCompressed: true,
    dotfiles: 'ignore',
    cacheControl: false,
    setHeaders: (reply, path) => {
      // Names of built assets carry a hash of their content.
      const lasting = path.includes('/assets/')
      void reply.header('cache-control', lasting ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  server.get('/*', async (request, reply) => {
    const path = pathOf(request)
    const found = /^\/(api|auth\/v1)(\/|$)/u.test(path) ? 'problem' : pageAt(path, request, needs)
    if (found === 'problem') return problem(request, reply, built)
    if (found === 'not-found') return notFoundPage(reply, dist)
    if (found.kind === 'redirect') return reply.header('cache-control', 'no-store').redirect(found.to, found.status)
    if (publicUrl === undefined || !found.file.endsWith('index.html')) return reply.sendFile(found.file)
    const page = addressed(await readFile(join(dist, found.file), 'utf8'), `${publicUrl}${path}`, publicUrl)
    return reply.type('text/html').header('cache-control', 'no-cache').send(page)
  })
}

/** A page that is for search engines and shared links, with the whole addresses that they want. */
function addressed(page: string, address: string, publicUrl: string): string {
  const image = `content="${publicUrl}/share.png"/>`
  const told = `<link rel="canonical" href="${address}"/><meta property="og:url" content="${address}"/><meta property="og:image" ${image}<meta name="twitter:image" ${image}`
  return page.replace(/(?=<meta property="og:type")/u, () => told)
}

type Found =
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'redirect'; readonly to: string; readonly status: 302 | 308 }
  | 'not-found'

function pageAt(path: string, request: FastifyRequest, needs: SiteNeeds): Found {
  const { dist } = needs
  if (path !== '/' && path.endsWith('/')) return withoutTrailingSlash(path, request, needs)
  const app = appAt(path, request, needs)
  if (app !== undefined) return app
  const file = PAGE.test(path) ? join(path, 'index.html') : path
  // Pages have one address each: `/compare`, never `/compare/index.html`, and `/dashboard`, never `/app.html`.
  return (PAGE.test(path) || !DOCUMENT.test(path)) && isFile(dist, file) ? { kind: 'file', file } : 'not-found'
}

/** What is drawn in the browser: the sign-in page, and the dashboard or its demo. */
function appAt(
  path: string,
  request: FastifyRequest,
  { dist, publicDemo, mayOpenPages }: SiteNeeds,
): Found | undefined {
  if (path === '/auth') return entry(dist, 'auth.html')
  if (isBelow(path, '/demo')) return publicDemo ? entry(dist, 'app.html') : 'not-found'
  if (!isBelow(path, '/dashboard')) return undefined
  if (mayOpenPages(request)) return entry(dist, 'app.html')
  return { kind: 'redirect', to: `/auth?next=${encodeURIComponent(request.url)}`, status: 302 }
}

/** A path without a dot names a page. */
const PAGE = /^\/([\w~-]+(\/[\w~-]+)*)?$/u
/** A document of the build, or what was compressed of it. */
const DOCUMENT = /\.html(\.\w+)?$/u
/** Files of the build: no part begins with a dot, or is longer than file systems allow. */
const FILE = /^(\/[\w~-][\w.~-]{0,200})+$/u
/** Characters of a path that can be a file's; beyond, asking for it is an error of the file system. */
const LONGEST_FILE = 1024

const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)

const isFile = (dist: string, path: string): boolean =>
  path.length <= LONGEST_FILE &&
  FILE.test(path) &&
  (statSync(join(dist, path), { throwIfNoEntry: false })?.isFile() ?? false)

/** A build without that entry has one page for everything. */
const entry = (dist: string, file: string): Found => ({
  kind: 'file',
  file: `/${isFile(dist, `/${file}`) ? file : 'index.html'}`,
})

/** Only where there is a page, and within this site: `//elsewhere/` would be another host. */
function withoutTrailingSlash(path: string, request: FastifyRequest, needs: SiteNeeds): Found {
  const page = path.slice(0, -1)
  if (!PAGE.test(page) || pageAt(page, request, needs) === 'not-found') return 'not-found'
  return { kind: 'redirect', to: `${page}${request.url.slice(path.length)}`, status: 308 }
}

function notFoundPage(reply: FastifyReply, dist: string): FastifyReply {
  const file = isFile(dist, '/404.html') ? '404.html' : 'index.html'
  // Without validators: a browser that has the page must still be told 404, not 304.
  return reply.status(404).sendFile(`/${file}`, { etag: false, lastModified: false })
}

function problem(request: FastifyRequest, reply: FastifyReply, built: boolean): FastifyReply {
  const refusal = notFound(
    `Not found: ${request.method} ${pathOf(request)}.`,
    built ? 'See /api for all routes.' : 'Run `npm run build` to build the page; /api works without it.',
  )
  return reply.status(404).type('application/problem+json').send(problemDocument(refusal, request.url))
}

const pathOf = (request: FastifyRequest): string => request.url.split('?')[0] ?? '/'
