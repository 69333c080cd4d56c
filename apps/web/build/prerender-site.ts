import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { runnerImport, type Plugin, type Rolldown, type ViteDevServer } from 'vite'

import type * as Prerender from '../src/site/prerender.tsx'

type SiteAssets = Prerender.SiteAssets

const PRERENDER = '/src/site/prerender.tsx'
const CLIENT = '/src/site/client.ts'
const READING = '/src/site/reading.ts'

/**
 * Renders every page of the site to HTML after a build, beside the files that the pages load; in development, each page
 * when it is asked for.
 */
export function prerenderSite(): Plugin {
  let root = ''
  return {
    name: 'septet-prerender-site',
    configResolved(config) {
      root = config.root
    },
    async writeBundle({ dir }, bundle) {
      if (dir === undefined) throw new Error('the site is built into a folder')
      const { module } = await runnerImport<typeof Prerender>(join(root, PRERENDER), { root, configFile: false })
      const pages = module.renderSite({
        ...assetsOf(bundle, CLIENT),
        reading: assetsOf(bundle, READING),
        fonts: Object.keys(bundle).flatMap((file) => (file.endsWith('.woff2') ? [`/${file}`] : [])),
      })
      await Promise.all([...pages].map(([file, render]) => write(join(dir, file), render())))
    },
    configureServer(server) {
      // After Vite's own answers to files: what is left are pages.
      return () =>
        server.middlewares.use((request, response, next) => {
          const path = new URL(request.originalUrl ?? '/', 'http://localhost').pathname
          const app = APPS.find(({ paths }) => paths.test(path))
          const page = app === undefined ? sitePage(server, path) : appPage(server, app.file)
          const type = path.endsWith('.json') ? 'application/json' : 'text/html'
          page.then(
            ({ status, html }) => response.writeHead(status, { 'content-type': `${type}; charset=utf-8` }).end(html),
            next,
          )
        })
    },
  }
}

type Answer = { readonly status: number; readonly html: string }

/** The script of an entry of the site, and its style. */
function assetsOf(bundle: Rolldown.OutputBundle, entry: string): Pick<SiteAssets, 'scripts' | 'styles'> {
  const chunk = Object.values(bundle).find((part) => part.type === 'chunk' && part.facadeModuleId?.endsWith(entry))
  const styles = chunk?.type === 'chunk' ? [...(chunk.viteMetadata?.importedCss ?? [])] : []
  if (chunk === undefined || styles.length === 0) throw new Error(`the build has no script or style from ${entry}`)
  return { scripts: [`/${chunk.fileName}`], styles: styles.map((file) => `/${file}`) }
}

const APPS = [
  { paths: /^\/auth\/?$/u, file: 'auth.html' },
  { paths: /^\/(dashboard|demo)(\/|$)/u, file: 'app.html' },
]

async function sitePage(server: ViteDevServer, path: string): Promise<Answer> {
  const module = await server.ssrLoadModule(PRERENDER)
  const renderSite: typeof Prerender.renderSite = module['renderSite']
  const development: SiteAssets = {
    scripts: ['/@vite/client', CLIENT],
    styles: ['/src/theme/site.css?direct'],
    fonts: [],
    reading: { scripts: [READING], styles: ['/src/theme/reading.css?direct'] },
  }
  const pages = renderSite(development)
  const render = pages.get(path.slice(1)) ?? pages.get(`${path.slice(1)}/index.html`.replace(/^\//u, ''))
  const html = render ?? pages.get('404.html')
  return { status: render === undefined ? 404 : 200, html: html?.() ?? '' }
}

async function appPage(server: ViteDevServer, file: string): Promise<Answer> {
  const html = await readFile(join(server.config.root, file), 'utf8')
  return { status: 200, html: await server.transformIndexHtml(`/${file}`, html) }
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}
