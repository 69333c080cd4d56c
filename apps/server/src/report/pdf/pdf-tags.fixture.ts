import { getDocumentProxy } from 'unpdf'
import { expect } from 'vitest'

type Node = {
  readonly role?: string
  readonly alt?: string
  readonly type?: string
  readonly children?: readonly Node[]
}

type Tags = {
  readonly pages: number
  /** Elements of all pages, parents before children. */
  readonly elements: readonly Node[]
  /** Texts that are neither part of an element nor an artifact. */
  readonly untagged: readonly string[]
  /** Where the lowest text of each page lies above the footer, points from the bottom. */
  readonly lowest: readonly number[]
  readonly title: unknown
  readonly language: unknown
  readonly isMarked: boolean
  readonly showsTitle: boolean
}

type Content = {
  readonly type?: string
  readonly tag?: string
  readonly str?: string
  readonly transform?: readonly number[]
}

const FOOTER = 50

/** What a reader other than the writer finds in a PDF's structure. */
export async function tagsOf(pdf: Uint8Array): Promise<Tags> {
  const raw = Buffer.from(pdf).toString('latin1')
  const document = await getDocumentProxy(pdf)
  const { info } = await document.getMetadata()
  const facts = new Map(Object.entries(info))
  const pages = await Promise.all(
    Array.from({ length: document.numPages }, async (_, index) => {
      const page = await document.getPage(index + 1)
      const { items } = await page.getTextContent({ includeMarkedContent: true })
      const tree: Node | null = await page.getStructTree()
      const told: readonly Content[] = items
      return { tree, items: told }
    }),
  )
  return {
    pages: pages.length,
    elements: pages.flatMap(({ tree }) => (tree === null ? [] : elementsOf(tree))),
    untagged: pages.flatMap(({ items }) => untaggedOf(items)),
    lowest: pages.map(({ items }) =>
      Math.min(
        ...items
          .map(({ str = '', transform }) => (str.trim() === '' ? Infinity : (transform?.[5] ?? Infinity)))
          .filter((y) => y > FOOTER),
      ),
    ),
    title: facts.get('Title'),
    language: facts.get('Language'),
    isMarked: (await document.getMarkInfo())?.Marked === true,
    showsTitle: raw.includes('/DisplayDocTitle true'),
  }
}

const elementsOf = (node: Node): readonly Node[] => [node, ...(node.children ?? []).flatMap(elementsOf)]

function untaggedOf(items: readonly Content[]): string[] {
  let depth = 0
  return items.flatMap(({ type, str = '' }) => {
    if (type?.startsWith('beginMarkedContent') === true) depth += 1
    if (type === 'endMarkedContent') depth -= 1
    return type === undefined && depth === 0 && str.trim() !== '' ? [str] : []
  })
}

const rolesOf = (nodes: readonly Node[], role: string): readonly Node[] => nodes.filter((node) => node.role === role)

/** Title, language, headings, alternative texts and regular tables with headers, and nothing that is not told. */
export function expectTagged({ elements, untagged, title, language, isMarked, showsTitle }: Tags): void {
  expect({ isMarked, showsTitle, language, untagged }).toEqual({
    isMarked: true,
    showsTitle: true,
    language: 'en-US',
    untagged: [],
  })
  expect(title).toMatch(/^GPU report: /u)
  expect(rolesOf(elements, 'H1')).toHaveLength(1)
  expect(rolesOf(elements, 'H2').length).toBeGreaterThan(5)
  const figures = rolesOf(elements, 'Figure')
  expect(figures.length).toBeGreaterThan(1)
  expect(figures.filter(({ alt = '' }) => alt.length < 20)).toEqual([])
  const tables = rolesOf(elements, 'Table')
  expect(tables.length).toBeGreaterThan(3)
  for (const { children: rows = [] } of tables) {
    expect(new Set(rows.map(({ role }) => role))).toEqual(new Set(['TR']))
    expect(new Set(rows.map(({ children = [] }) => children.length)).size).toBe(1)
    expect(rows.filter(({ children = [] }) => children[0]?.role !== 'TH')).toEqual([])
  }
}
