import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'

import brands from '../../content/brands.json' with { type: 'json' }
import claimed from '../../content/claims.json' with { type: 'json' }
import compare from '../../content/compare.json' with { type: 'json' }
import comparison from '../../content/comparison.json' with { type: 'json' }
import features from '../../content/features.json' with { type: 'json' }
import navigation from '../../content/navigation.json' with { type: 'json' }
import testimonials from '../../content/testimonials.json' with { type: 'json' }
import { LoadedIslands } from './Island.tsx'
import { SiteLayout } from './SiteLayout.tsx'
import { sourceOf, SOURCES } from './comparison.ts'
import { filled, namedEntry } from './content.ts'
import { renderDocs } from './docs/doc-pages.ts'
import { ISLANDS } from './islands.ts'
import { NOT_FOUND, PAGES, ProsePage } from './pages.tsx'
import { noteOf, NOTES } from './pages/Blog.tsx'
import { OPERATOR, proseOf } from './prose.ts'
import { receiptFigure } from './receipts.ts'
import { statisticKind } from './sections/Statistics.tsx'

const DOCS = join(import.meta.dirname, '../../../../docs')
const RECEIPTS = readdirSync(join(DOCS, 'receipts')).filter((file) => file.endsWith('.json'))

const islands = new Map(
  await Promise.all(Object.entries(ISLANDS).map(async ([name, load]) => [name, await load()] as const)),
)

/** Every page's own HTML by its path, with header and footer. */
const SITE = new Map(
  [...PAGES, NOT_FOUND].map(({ path, element }) => [
    path,
    renderToStaticMarkup(createElement(LoadedIslands, { value: islands }, SiteLayout({ children: element() }))),
  ]),
)

describe('comparison', () => {
  const facts = comparison.competitors.flatMap(({ weaknesses, better }) => [...weaknesses, ...better])

  test('is with the four that the specification of this page names', () => {
    expect(comparison.competitors.map(({ name }) => name)).toEqual([
      'GPU Operator, static MIG',
      'HAMi',
      'NVIDIA Run:ai with KAI',
      'OpenCost and Kubecost',
    ])
  })

  test('every fact names a source with a version, a day and an address', () => {
    const unsourced = facts.filter(({ source }) => {
      const { title, version, date, href } = sourceOf(source)
      return title === '' || version === '' || !/^20\d\d-\d\d(-\d\d)?$/u.test(date) || !href.startsWith('https://')
    })
    expect(facts.length).toBeGreaterThan(15)
    expect(unsourced).toEqual([])
  })

  test('nobody is compared without what they do better', () => {
    expect(
      comparison.competitors.filter(({ weaknesses, better }) => weaknesses.length === 0 || better.length === 0),
    ).toEqual([])
    expect(compare.rows.filter(({ ahead }) => ahead !== undefined).length).toBeGreaterThanOrEqual(5)
  })

  test('a cell about another product has a source, or says that it says nothing', () => {
    const wrong = compare.rows.flatMap(({ capability, cells }) =>
      cells.slice(1).flatMap(({ verdict, sources = [], text = '' }, index) => {
        const isSilent = verdict === 'outside' || verdict === 'unread'
        const isRight = isSilent ? sources.length === 0 && text === '' : sources.length > 0 && text !== ''
        return isRight ? [] : [`${capability}: ${compare.products[index + 1]}`]
      }),
    )
    expect(wrong).toEqual([])
  })

  test('a cell about Septet leads to what shows it', () => {
    expect(compare.rows.filter(({ cells }) => cells[0]?.href?.startsWith('/') !== true)).toEqual([])
  })

  test('each listed source is used, and has the number of its place', () => {
    const used = new Set([
      ...facts.map(({ source }) => source),
      ...compare.rows.flatMap(({ cells }) => cells.flatMap(({ sources = [] }) => sources)),
    ])
    expect([...used].toSorted()).toEqual(Object.keys(SOURCES).toSorted())
    expect(Object.values(SOURCES).map(({ number }) => number)).toEqual(
      Object.keys(SOURCES).map((_, index) => index + 1),
    )
  })
})

describe('numbers', () => {
  test('every link to a receipt leads to one that exists', () => {
    const asked = [...SITE].flatMap(([page, html]) =>
      hrefsIn(html).flatMap((href) =>
        href.startsWith('/receipts#') ? [{ page, id: href.slice('/receipts#'.length) }] : [],
      ),
    )
    expect(asked.length).toBeGreaterThan(10)
    const missing = asked.filter(
      ({ id }) => ![`${id}.json`, `claim-${id}.json`].some((file) => RECEIPTS.includes(file)),
    )
    expect(missing).toEqual([])
  })

  test('each of the six claims has a receipt, a word for how it stands, and its place among the statistics', () => {
    expect(claimed.claims).toHaveLength(6)
    for (const { id } of claimed.claims) {
      expect(['measured', 'not reached', 'published by others', 'target']).toContain(statisticKind(id))
      expect(RECEIPTS).toContain(`claim-${id}.json`)
      expect(SITE.get('/')?.split(`"/receipts#${id}"`).length).toBeGreaterThan(2)
    }
  })

  test('3x is not said to be reached while its receipt says that it is not', () => {
    const isReached = receiptFigure('claim-utilization', 'busy per GPU on the recorded day, times').figure >= 3
    expect(statisticKind(claimed.claims.find(({ claim }) => claim.includes('3x'))?.id ?? '')).toBe(
      isReached ? 'measured' : 'not reached',
    )
  })

  test('a figure that no receipt has stops the build', () => {
    expect(() => filled({ text: '{{start | a figure nobody measured}}' })).toThrow('“a figure nobody measured”')
    expect(() => filled(['{{no-such-receipt | x}}'])).toThrow('docs/receipts/no-such-receipt.json')
    expect(() => filled('{{claim-gpu-types | GPU models in the catalog | baseline}}')).toThrow('no baseline')
  })

  test('a figure in a text is what its receipt has, in the decimals asked for', () => {
    const { figure, baseline } = receiptFigure('online-placement', 'default, 130 %: septet')
    expect([written(''), written(' | 2'), written(' | baseline 1')]).toEqual([
      figure.toFixed(0),
      figure.toFixed(2),
      baseline?.figure?.toFixed(1),
    ])
    expect(written(' | saved')).toBe((100 * (1 - figure / (baseline?.figure ?? 0))).toFixed(0))
    expect([written(' | > 5 ? more : less'), written(' | ≤ 5 ? less : more')]).toEqual(['more', 'more'])
    expect([written(' | > 5 ? : , not more'), written(' | ≤ 5 ? : , not less')]).toEqual(['', ', not less'])
    expect(() => written(' | rounded')).toThrow('asked for as “rounded”')
    expect(() => namedEntry({ known: 1 }, 'unknown')).toThrow('“unknown”')
  })

  test('every placeholder is filled', () => {
    expect([...SITE].filter(([page, html]) => !page.startsWith('/docs') && html.includes('{{'))).toEqual([])
  })

  test('witnesses are reruns: each has a receipt behind it', () => {
    expect(testimonials.cards.filter(({ evidence }) => !evidence.href.startsWith('/receipts#'))).toEqual([])
  })
})

describe('links', () => {
  // Answered by the server or by another page of the build.
  const ELSEWHERE = /^\/(dashboard|auth|demo|api|docs|receipts)$/u

  test.each([...SITE.keys()])('of %s lead somewhere', (page) => {
    const ours = hrefsIn(SITE.get(page) ?? '').filter((href) => !/^(https?:\/\/|mailto:)|\.(svg|css|js)$/u.test(href))
    expect(ours.length).toBeGreaterThan(10)
    expect(ours.filter((href) => !leadsSomewhere(page, href))).toEqual([])
  })

  function leadsSomewhere(page: string, href: string): boolean {
    const [path, anchor] = href.split('#')
    const target = path === '' || path === undefined ? page : path
    const html = SITE.get(target)
    if (html !== undefined) return anchor === undefined || html.includes(`id="${anchor}"`)
    const receipt = /^\/receipts\/([\w-]+\.json)$/u.exec(target)?.[1]
    if (receipt !== undefined) return RECEIPTS.includes(receipt) || RECEIPTS.includes(`claim-${receipt}`)
    const document = /^\/docs\/([\w/-]+)$/u.exec(target)?.[1]
    return document === undefined ? ELSEWHERE.test(target) : existsSync(join(DOCS, `${document}.md`))
  }
})

describe('words', () => {
  const BANNED = [
    /customers? (trust|love)/iu,
    /world-class|best-in-class|cutting-edge|revolutionary|game-chang|seamless|unleash|supercharge|blazing/iu,
    /\butilis|\boptimis|\banalys(e|ing)\b|\bcolour|\bcentre\b|\blicence\b/iu,
    /lorem ipsum|todo\b/iu,
  ]

  test.each([...SITE.keys()])('of %s are plain, and American', (page) => {
    const text = (SITE.get(page) ?? '').replaceAll(/<[^>]+>/gu, ' ')
    for (const banned of BANNED) expect(text).not.toMatch(banned)
  })

  /** Phrases no platform engineer says to a colleague. What quotes receipts and records is written elsewhere. */
  const ODD = [
    /\bwitness/iu,
    /\bbeside\b/iu,
    /\banew\b/iu,
    /\bmade-up\b|\bmade lists?\b|\bmade fleets?\b/iu,
    /\bnobody\b|\banybody/iu,
    /call again|many faces|heard as one|judge it|take it apart|had from|told (?:by|apart)|tried out/iu,
    /\bthe way back\b|\bway in which\b|\bcarried out\b/iu,
    /\bwhere it stands\b|\bwhat stands\b/iu,
    /\bis not there\b|\bare not there\b/iu,
    /\bfor all, and among\b|\bhold(?:s)? the place\b/iu,
    /\bcut (?:to fit|anew|by hand)\b/iu,
    /\bletters\b/iu,
  ]

  test.each([...SITE.keys()].filter((page) => !/^\/(?:docs|receipts|blog)\b/u.test(page)))(
    'of %s are idiomatic',
    (page) => {
      const text = (SITE.get(page) ?? '').replaceAll(/<[^>]+>/gu, ' ')
      expect(ODD.flatMap((odd) => odd.exec(text)?.slice(0, 1) ?? [])).toEqual([])
    },
  )

  test('the header has the links and buttons of the specification', () => {
    expect(navigation.header.map(({ label }) => label)).toEqual(['Features', 'Dashboard', 'Pricing', 'Documentation'])
    const home = SITE.get('/') ?? ''
    expect(home).toMatch(/<a href="\/auth"[^>]*>Sign In<\/a>/u)
    expect(home).toMatch(/<a href="\/auth"[^>]*>Get Started for Free<\/a>/u)
    expect(home).toMatch(/<a href="\/compare"[^>]*>Compare Features<\/a>/u)
  })

  test('the footer has the ten links of the specification on every page, and the years', () => {
    const labels = navigation.footer.flatMap(({ links }) => links.map(({ label }) => label))
    expect(labels).toEqual(
      expect.arrayContaining(
        'Privacy Policy,Terms of Service,Features,Pricing,Documentation,API,About,Blog,Careers,Contact'.split(','),
      ),
    )
    expect([...SITE].filter(([, html]) => !/© 2025(–20\d\d)? Septet/u.test(html)).map(([page]) => page)).toEqual([])
  })

  test('sample logos are called that in plain sight', () => {
    expect(brands.title).toBe('Trusted by Industry Leaders')
    const home = SITE.get('/') ?? ''
    expect(home).toContain('Trusted by Industry Leaders')
    expect(home.includes('Sample logos')).toBe(brands.sample)
    expect(brands.brands.filter(({ name }) => !home.includes(`${name.replace('&', '&amp;')}</li>`))).toEqual([])
  })

  test('six features and six advantages, each with its evidence', () => {
    expect(features.cards).toHaveLength(6)
    expect(comparison.advantages.cards).toHaveLength(6)
    expect(
      [...features.cards, ...comparison.advantages.cards].filter(
        ({ evidence }) => !/^\/(receipts#|docs\/)/u.test(evidence.href),
      ),
    ).toEqual([])
  })
})

describe('pages', () => {
  test('every page has one first heading, headings in order, and a title of its own', () => {
    const titles = [...PAGES, NOT_FOUND].map(({ title }) => title)
    expect(new Set(titles).size).toBe(SITE.size)
    const disordered = [...SITE].filter(([, html]) => {
      const levels = [...html.matchAll(/<h([1-6])[\s>]/gu)].map(([, level]) => Number(level))
      // What stands before the first heading is navigation.
      const content = levels.slice(levels.indexOf(1))
      const isSkipped = content.some((level, index) => level - (content[index - 1] ?? 0) > 1)
      return isSkipped || levels.filter((level) => level === 1).length !== 1
    })
    expect(disordered.map(([page]) => page)).toEqual([])
  })

  test('ids are there once', () => {
    const doubled = [...SITE].flatMap(([page, html]) => {
      const ids = [...html.matchAll(/\sid="([^"]+)"/gu)].map(([, id]) => id)
      return ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${page}#${id}`)
    })
    expect(doubled).toEqual([])
  })

  test('contact names the operator once they are known, and nobody before', () => {
    expect(SITE.get('/contact')).toContain('Ask the team that gave you this address')
    expect(SITE.get('/contact')).not.toContain('mailto:')
    const known = contact({
      ...OPERATOR,
      name: 'Platform team',
      email: 'gpu@example.org',
      repository: 'https://git.example.org/septet',
    })
    expect(known).toContain('Platform team')
    expect(known.split('mailto:gpu@example.org')).toHaveLength(3)
    expect(known).toContain('https://git.example.org/septet/issues')
    expect(known).not.toMatch(/Ask the team that gave you this address|that Septet was cloned from/u)
    expect(contact({ ...OPERATOR, email: 'gpu@example.org', security: 'cert@example.org' })).toMatch(
      /gpu@example\.org[\s\S]*mailto:cert@example\.org/u,
    )
  })

  test('privacy names everything that the browser keeps', () => {
    for (const name of ['septet-page', 'septet-auth', 'septet-theme']) expect(SITE.get('/privacy')).toContain(name)
  })

  test('a note for every decision, newest first, and a record of another shape stops the build', () => {
    const records = readdirSync(join(DOCS, 'decisions')).filter((file) => file.endsWith('.md'))
    expect(NOTES).toHaveLength(records.length)
    expect(NOTES.map(({ number }) => number)).toEqual(NOTES.map(({ number }) => number).toSorted((a, b) => b - a))
    const odd = renderDocs(new Map([['docs/decisions/0009-x.md', '# No number']]))
    expect(() => odd.map(noteOf)).toThrow('docs/decisions/0009-x.md')
  })
})

const written = (how: string): string => filled(`{{online-placement | default, 130 %: septet${how}}}`)

const contact = (of: typeof OPERATOR): string =>
  renderToStaticMarkup(createElement(ProsePage, { page: proseOf('contact', of) }))

function hrefsIn(html: string): readonly string[] {
  return [...html.matchAll(/\shref="([^"]*)"/gu)].map(([, href]) => href ?? '')
}
