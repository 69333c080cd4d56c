import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'

import { beforeAll, describe, expect, test } from 'vitest'

import { builtWeb } from '../../../test/built.ts'

type Chunk = {
  readonly file: string
  readonly imports?: readonly string[]
  readonly dynamicImports?: readonly string[]
}

/** As `npm start` serves it: made again if anything that it is made from has changed. */
let built: string
beforeAll(() => {
  built = builtWeb()
})

const read = (file: string): Buffer => readFileSync(join(built, file))
const manifest = (): Record<string, Chunk> =>
  JSON.parse(read('.vite/manifest.json').toString()) as Record<string, Chunk>
const kibOf = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + gzipSync(read(file)).length, 0) / 1024

/** What a browser must load before something runs: it and everything it imports statically. */
function loadedBy(...names: readonly string[]): ReadonlySet<string> {
  const chunks = manifest()
  const files = new Set<string>()
  const visit = (name: string): void => {
    const chunk = chunks[name]
    if (chunk === undefined) throw new Error(`nothing was built from ${name}`)
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    for (const imported of chunk.imports ?? []) visit(imported)
  }
  names.forEach(visit)
  return files
}

const allFiles = (): readonly string[] =>
  readdirSync(built, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(built.length + 1))
const pages = (): readonly string[] => allFiles().filter((file) => file.endsWith('.html'))

describe('the first load', () => {
  test('of the site is within 90 KiB of compressed script until the hero runs', () => {
    const html = read('index.html').toString()
    const idle = [...html.matchAll(/data-island="(\w+)" data-when="idle"/gu)].map(([, name]) => name)
    expect(idle).toContain('hero')
    const islands = idle.map((name = '') => `src/site/islands/${name[0]?.toUpperCase()}${name.slice(1)}.tsx`)
    const others = allFiles().filter((file) => /assets\/(react-.*\.js|hero-.*\.json)$/u.test(file))
    expect(others).toHaveLength(2)
    const files = new Set([...loadedBy('src/site/client.ts', ...islands), ...others, 'theme.js'])
    expect(kibOf(files)).toBeLessThanOrEqual(90)
  })

  test('of the site is within 12 KiB of compressed style', () => {
    const styles = [
      ...read('index.html')
        .toString()
        .matchAll(/rel="stylesheet" href="\/([^"]+)"/gu),
    ]
    expect(styles).toHaveLength(1)
    expect(kibOf(styles.map(([, file = '']) => file))).toBeLessThanOrEqual(12)
  })

  test('of the site runs without React', () => {
    const files = [...loadedBy('src/site/client.ts')]
    expect(files.filter((file) => file.includes('react'))).toEqual([])
    expect(kibOf(files)).toBeLessThanOrEqual(4)
  })

  test('of the sign-in page is within 120 KiB of compressed script', () => {
    expect(kibOf(loadedBy('auth.html'))).toBeLessThanOrEqual(120)
  })

  test('of the dashboard is within 200 KiB of compressed script', () => {
    expect(kibOf(loadedBy('app.html'))).toBeLessThanOrEqual(200)
  })

  test('of the dashboard has its charts come later, and the schema library not at all', () => {
    const files = loadedBy('app.html')
    const chart = manifest()['src/dashboard/summary/TrendChart.tsx']?.file
    expect(chart).toBeDefined()
    expect(files).not.toContain(chart)
    const script = [...files].map((file) => read(file).toString()).join('')
    expect(script).not.toContain('recharts')
    expect(script).not.toContain('ZodError')
  })
})

describe('every built page', () => {
  test('has no inline script, only data for search engines', () => {
    expect(pages()).toEqual(expect.arrayContaining(['index.html', '404.html', 'app.html', 'auth.html']))
    const inline = pages().flatMap((page) =>
      [
        ...read(page)
          .toString()
          .matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/gu),
      ]
        .filter(([, attributes = '', text = '']) => text.trim() !== '' && !attributes.includes('application/ld+json'))
        .map(([script]) => `${page}: ${script}`),
    )
    expect(inline).toEqual([])
  })

  test('comes with compressed twins, as every text does', () => {
    const texts = allFiles().filter((file) => /\.(html|js|css|svg|txt)$/u.test(file))
    expect(texts.length).toBeGreaterThan(20)
    const otherwise = texts.filter(
      (file) =>
        !brotliDecompressSync(read(`${file}.br`)).equals(read(file)) ||
        !gunzipSync(read(`${file}.gz`)).equals(read(file)),
    )
    expect(otherwise).toEqual([])
  })

  test('of the site names itself once, and leaves its address to the server, which may know it', () => {
    const site = pages().filter((page) => page !== 'app.html' && page !== 'auth.html')
    const heads = site.map((page) => {
      const html = read(page).toString()
      return {
        page,
        headings: html.match(/<h1[\s>]/gu)?.length,
        described: /<meta name="description" content="[^"]{20,}"/u.test(html),
        addresses: html.match(/og:url|og:image"|rel="canonical"/gu) ?? [],
      }
    })
    expect(heads).toEqual(site.map((page) => ({ page, headings: 1, described: true, addresses: [] })))
    const titles = site.map((page) => /<title>([^<]+)<\/title>/u.exec(read(page).toString())?.[1])
    expect(new Set(titles).size).toBe(site.length)
  })

  test('of the site links only to what there is', () => {
    const files = new Set(allFiles())
    expect(pages().flatMap((page) => brokenLinksOf(page, files))).toEqual([])
  })
})

/** Links of a page to files and places that were not built. What the server itself answers is not looked at. */
function brokenLinksOf(page: string, files: ReadonlySet<string>): readonly string[] {
  const links = new Set(
    [
      ...read(page)
        .toString()
        .matchAll(/<a [^>]*?href="([^"]+)"/gu),
    ].map(([, href = '']) => href),
  )
  const broken = [...links].filter((href) => {
    if (/^[a-z]+:/u.test(href) || /^\/(auth|dashboard|demo|api)([/?#]|$)/u.test(href)) return false
    const [path = '', id = ''] = href.split('#')
    const index = `${path.slice(1)}/index.html`.replace(/^\//u, '')
    const target = [path === '' ? page : path.slice(1), index].find((file) => files.has(file))
    return target === undefined || !(id === '' || read(target).toString().includes(`id="${id}"`))
  })
  return broken.map((href) => `${page} links to ${href}`)
}

describe('the page for unknown paths', () => {
  test('says so in the words of the specification, and leaves the path to its script', () => {
    const html = read('404.html').toString()
    expect(html).toMatch(/<h1[^>]*>404<\/h1>/u)
    expect(html).toContain('Oops! Page not found')
    expect(html).toMatch(/<a href="\/"[^>]*>Return to Home<\/a>/u)
    expect(html).toContain('src="/not-found.js"')
    expect(read('not-found.js').toString()).toMatch(/console\.error\(.*location\.pathname/u)
  })
})

describe('the hero', () => {
  test('is a whole picture before any script has run', () => {
    const html = read('index.html').toString()
    const score = html.slice(html.indexOf('data-island="hero"'), html.indexOf('What was measured on recorded work'))
    expect(score.match(/bg-busy-soft/gu)?.length).toBeGreaterThan(15)
    expect(score).toMatch(/GPUs needed/u)
    expect(score).not.toMatch(/NaN|undefined|Infinity/u)
  })
})
