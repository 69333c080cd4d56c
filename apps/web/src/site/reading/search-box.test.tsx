import { userEvent, type UserEvent } from '@testing-library/user-event'
import MiniSearch from 'minisearch'
import { afterEach, describe, expect, test, vi } from 'vitest'

import { openSearchBox } from './search-box.ts'
import { SEARCH_OPTIONS, type SearchSection } from './search-options.ts'

const MARKUP = '<img src=x onerror=document.title=1>'
const SECTIONS: readonly SearchSection[] = [
  { id: '/docs/start#gpu', page: 'Start', heading: 'Find GPU nodes', text: 'Septet reads nodes from the cluster.' },
  { id: '/docs/start', page: '', heading: 'Start', text: `Install Septet on a node. ${MARKUP}` },
  { id: '/docs/plan', page: '', heading: 'Plan', text: `${'word '.repeat(99)}reservation${' word'.repeat(99)}` },
  { id: '/docs/prices', page: '', heading: 'Prices', text: 'A price has a source.' },
]

const indexText = (): string => {
  const index = new MiniSearch<SearchSection>(SEARCH_OPTIONS)
  index.addAll(SECTIONS)
  return JSON.stringify(index)
}

type Box = {
  readonly user: UserEvent
  readonly input: HTMLInputElement
  /** What is offered, by its address; the chosen one is marked. */
  readonly offered: () => readonly string[]
  readonly status: () => string
  readonly opened: readonly string[]
}

/** The search field of a page as the build writes it, with an index that comes from the server. */
function openBox(answer: () => Response = () => new Response(indexText())): Box {
  vi.stubGlobal('fetch', () => Promise.resolve(answer()))
  document.body.innerHTML = `
    <textarea></textarea>
    <form data-index="/search.json">
      <input role="combobox" aria-expanded="false" aria-controls="hits">
      <div id="hits" role="listbox" hidden></div>
      <output hidden></output>
    </form>
    <button>Elsewhere</button>`
  const form = document.querySelector('form') as HTMLFormElement
  const list = form.querySelector('[role=listbox]') as HTMLElement
  const output = form.querySelector('output') as HTMLOutputElement
  const opened: string[] = []
  list.addEventListener('click', (event) => {
    event.preventDefault()
    opened.push((event.target as Element).closest('a')?.getAttribute('href') ?? '')
  })
  openSearchBox(form)
  const offered = (): string[] =>
    list.hidden
      ? []
      : [...list.children].map((hit) => `${hit.ariaSelected === 'true' ? '> ' : ''}${hit.getAttribute('href')}`)
  const input = form.querySelector('input') as HTMLInputElement
  return { user: userEvent.setup(), input, offered, status: () => (output.hidden ? '' : output.value), opened }
}

afterEach(() => {
  vi.unstubAllGlobals()
  document.body.replaceChildren()
})

const excerpt = (): string | null | undefined => document.querySelector('.hit-excerpt')?.textContent
const FOUND = ['> /docs/start#gpu', '/docs/start']

describe('the search of the documentation', () => {
  test('is one key away, but not for somebody who writes', async () => {
    const { user, input } = openBox()
    await user.keyboard('/')
    expect(document.activeElement).toBe(input)
    const area = document.querySelector('textarea') as HTMLTextAreaElement
    await user.type(area, 'a/b')
    expect([area.value, document.activeElement]).toEqual(['a/b', area])
  })

  test('chooses by arrows, round the end, and opens by Enter', async () => {
    const { user, input, offered, opened } = openBox()
    await user.type(input, 'node')
    await expect.poll(offered).toEqual(FOUND)
    await user.keyboard('{ArrowDown}')
    expect(offered()).toEqual(['/docs/start#gpu', '> /docs/start'])
    expect(input.getAttribute('aria-activedescendant')).toBe('docs-search-hit-1')
    await user.keyboard('{ArrowDown}')
    expect(offered()).toEqual(FOUND)
    await user.keyboard('{ArrowUp}{Enter}')
    expect([opened, offered()]).toEqual([['/docs/start'], []])
  })

  test('closes by Escape and keeps what was typed, and empties the field by another', async () => {
    const { user, input, offered } = openBox()
    await user.type(input, 'node')
    await expect.poll(offered).toEqual(FOUND)
    await user.keyboard('{Escape}')
    expect([offered(), input.value, input.ariaExpanded]).toEqual([[], 'node', 'false'])
    await user.keyboard('{Escape}')
    expect(input.value).toBe('')
  })

  test('closes when somebody goes elsewhere, and is there again when they come back', async () => {
    const { user, input, offered } = openBox()
    await user.type(input, 'node')
    await expect.poll(offered).toEqual(FOUND)
    await user.click(document.querySelector('button') as HTMLElement)
    expect(offered()).toEqual([])
    await user.click(input)
    await expect.poll(offered).toEqual(FOUND)
  })

  test('shows a short text whole, and of a long one what stands around the words', async () => {
    const { user, input } = openBox()
    await user.type(input, 'source')
    await expect.poll(excerpt).toBe('A price has a source.')
    await user.clear(input)
    await user.type(input, 'reservation')
    await expect.poll(excerpt).toMatch(/^… word(?: word)* reservation(?: word)* …$/u)
  })

  test('shows a text as a text, with what was found in it marked', async () => {
    const { user, input, offered } = openBox()
    await user.type(input, 'install')
    await expect.poll(offered).toEqual(['> /docs/start'])
    const hit = document.querySelector('#docs-search-hit-0')
    expect(hit?.textContent).toContain(MARKUP)
    expect([hit?.querySelector('img'), hit?.querySelector('mark')?.textContent]).toEqual([null, 'Install'])
  })

  test('says that nothing was found', async () => {
    const { user, input, offered, status } = openBox()
    await user.type(input, 'zebra')
    await expect.poll(status).toBe('Nothing found. Fewer or other words may help.')
    expect(offered()).toEqual([])
    await user.clear(input)
    expect(status()).toBe('')
  })

  test('says that its index did not come, and asks again for it', async () => {
    let answers = false
    const { user, input, offered, status } = openBox(() =>
      answers ? new Response(indexText()) : new Response('', { status: 503 }),
    )
    await user.type(input, 'nod')
    await expect.poll(status).toBe('The search did not load. The list of contents has every page.')
    answers = true
    await user.type(input, 'e')
    await expect.poll(offered).toEqual(FOUND)
    expect(status()).toBe('')
  })
})
