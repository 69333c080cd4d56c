import type { DocsIndex, Hit } from './docs-search.ts'

/**
 * Makes the search field of the documentation work: its index comes when somebody first goes to it. `/` goes there, the
 * arrows choose, Enter opens, Escape closes and then empties.
 */
export function openSearchBox(form: HTMLFormElement): void {
  const input = form.querySelector('input')
  const list = form.querySelector<HTMLElement>('[role=listbox]')
  const status = form.querySelector('output')
  if (input === null || list === null || status === null) return
  let loading: Promise<DocsIndex> | undefined
  const load = (): Promise<DocsIndex> => (loading ??= loadSearch(form.dataset['index'] ?? ''))
  const box: Box = { input, list, status }

  const ask = async (): Promise<void> => {
    const query = input.value.trim()
    if (query === '') return close(box)
    try {
      const search = await load()
      // Somebody may have typed on while the index came.
      if (query === input.value.trim()) show(box, search(query))
    } catch {
      loading = undefined
      close(box)
      say(box, 'The search did not load. The list of contents has every page.')
    }
  }
  input.addEventListener('focus', () => void load().catch(() => (loading = undefined)), { once: true })
  input.addEventListener('input', () => void ask())
  input.addEventListener('focus', () => void ask())
  input.addEventListener('keydown', (event) => press(box, event))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const option = chosen(box) ?? list.firstElementChild
    if (!list.hidden && option instanceof HTMLElement) option.click()
  })
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && form.contains(relatedTarget))) close(box)
  })
  // A press on a link of the list must not take the focus from the field before the click arrives.
  list.addEventListener('pointerdown', (event) => event.preventDefault())
  list.addEventListener('click', () => close(box))
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    event.preventDefault()
    input.focus()
    input.select()
  })
}

type Box = { readonly input: HTMLInputElement; readonly list: HTMLElement; readonly status: HTMLElement }

async function loadSearch(path: string): Promise<DocsIndex> {
  const [{ openDocsSearch }, answer] = await Promise.all([import('./docs-search.ts'), fetch(path)])
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
  return openDocsSearch(await answer.text())
}

function press(box: Box, event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step !== undefined && !box.list.hidden) {
    event.preventDefault()
    const options = [...box.list.children]
    const now = options.findIndex((option) => option.ariaSelected === 'true')
    const next = now === -1 && step === -1 ? options.length - 1 : now + step
    choose(box, options[(next + options.length) % options.length])
  }
  if (event.key !== 'Escape') return
  event.preventDefault()
  if (box.list.hidden) box.input.value = ''
  close(box)
}

const chosen = ({ list }: Box): Element | undefined =>
  [...list.children].find((option) => option.ariaSelected === 'true')

function choose(box: Box, option: Element | undefined): void {
  for (const each of box.list.children) each.ariaSelected = String(each === option)
  if (option === undefined) box.input.removeAttribute('aria-activedescendant')
  else box.input.setAttribute('aria-activedescendant', option.id)
  option?.scrollIntoView({ block: 'nearest' })
}

function show(box: Box, hits: readonly Hit[]): void {
  box.list.replaceChildren(...hits.map(optionOf))
  box.list.hidden = hits.length === 0
  box.input.ariaExpanded = String(hits.length > 0)
  choose(box, box.list.firstElementChild ?? undefined)
  say(box, hits.length === 0 ? 'Nothing found. Fewer or other words may help.' : '')
}

function close(box: Box): void {
  box.list.hidden = true
  box.input.ariaExpanded = 'false'
  box.input.removeAttribute('aria-activedescendant')
  say(box, '')
}

function say({ status }: Box, words: string): void {
  status.textContent = words
  status.hidden = words === ''
}

/** A link that the list offers: the field keeps the focus, so the link itself is not in the order of Tab. */
function optionOf({ href, page, heading, excerpt }: Hit, index: number): HTMLElement {
  const option = document.createElement('a')
  option.href = href
  option.tabIndex = -1
  option.role = 'option'
  option.id = `docs-search-hit-${index}`
  const words = line('hit-excerpt', ...excerpt.map(({ text, found }) => (found ? marked(text) : text)))
  option.append(line('hit-heading', heading), words)
  if (page !== '') option.prepend(line('hit-page', page))
  return option
}

function line(className: string, ...content: readonly (string | Node)[]): HTMLElement {
  const made = document.createElement('span')
  made.className = className
  made.append(...content)
  return made
}

function marked(text: string): HTMLElement {
  const mark = document.createElement('mark')
  mark.textContent = text
  return mark
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/u.test(target.tagName))
