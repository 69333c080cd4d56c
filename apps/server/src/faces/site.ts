import { existsSync } from 'node:fs'
import { join } from 'node:path'

import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

import { problemDocument, Refusal } from '../operations/refusal.ts'

/** Routes of the page; any other path is answered with the page's own "not found" and a real status 404. */
const PAGES = /^\/(auth|dashboard(\/[\w/-]*)?)?$/u

/** Serves the built web app. */
export async function registerSite(server: FastifyInstance, dist: string): Promise<void> {
  const built = existsSync(join(dist, 'index.html'))
  if (built) {
    await server.register(fastifyStatic, {
      root: dist,
      index: false,
      wildcard: true,
      dotfiles: 'ignore',
      setHeaders: (reply, path) => {
        // Names of built assets carry a hash of their content.
        const lasting = path.includes('/assets/')
        void reply.header('cache-control', lasting ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
  }
  if (built) {
    // The static files answer a folder with "forbidden"; the root is a page.
    server.get('/', (_request, reply) => reply.header('cache-control', 'no-cache').sendFile('index.html', dist))
  }
  server.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '/'
    if (!built || path.startsWith('/api/') || request.method !== 'GET') {
      const refusal = new Refusal(
        'not-found',
        `There is nothing at ${path}.`,
        built ? 'See /api for what there is.' : 'Run `npm run build` to build the page; /api works without it.',
      )
      return reply.status(404).type('application/problem+json').send(problemDocument(refusal, request.url))
    }
    return reply
      .status(PAGES.test(path) ? 200 : 404)
      .header('cache-control', 'no-cache')
      .sendFile('index.html', dist)
  })
}
