import { configure } from '@testing-library/dom'
import { userEvent, type UserEvent } from '@testing-library/user-event'
import { createRoot } from 'react-dom/client'
import { expect, onTestFinished, vi } from 'vitest'

import { pageBase } from '../session/page-base.ts'
import { SESSION_KEY } from '../ui/session-key.ts'
import { App } from './App.tsx'
import { fakeSeptet, type Answers, type FakeSeptet } from './septet.fake.ts'
import { NOW } from './figures.fixture.ts'
import { healthy } from './healthy.fixture.ts'

type Visit = {
  readonly answers?: Answers
  /** The instant at which the page's clock stands still. */
  readonly now?: number
  /** Whether a part of the page may fail: it says so in its place. */
  readonly mayFail?: boolean
}

type Opened = {
  /** Waits until the page has come to rest after what the server said by itself. */
  readonly rest: () => Promise<void>
  /** Waits after each action until the page has come to rest. */
  readonly user: UserEvent
}

/**
 * The whole dashboard at a path, once it has come to rest, for somebody who is signed in. Its Septet answers as told, and
 * what is not told as a healthy one.
 */
export async function openDashboard(
  path: string,
  { answers = {}, now = NOW, mayFail = false }: Visit = {},
): Promise<Opened & { readonly septet: FakeSeptet }> {
  vi.useFakeTimers({ toFake: ['Date'], now })
  const septet = fakeSeptet({ ...healthy(), ...answers })
  return { septet, ...(await open(path, { server: septet, session: sessionAt(now), mayFail })) }
}

/** The same over a server that listens at an address, for the owner of its token. */
export async function openDashboardOf(url: string, path: string, token: string): Promise<Opened> {
  const server = realServer(url)
  return open(path, { server, session: { ...sessionAt(Date.now()), access_token: token }, mayFail: false })
}

type Opening = {
  readonly server: Pick<FakeSeptet, 'fetch' | 'isAsked'>
  readonly session: object
  readonly mayFail: boolean
}

async function open(path: string, { server, session, mayFail }: Opening): Promise<Opened> {
  vi.stubGlobal('fetch', server.fetch)
  localStorage.setItem(SESSION_KEY, JSON.stringify(session))
  history.replaceState(null, '', path)
  const place = document.body.appendChild(document.createElement('div'))
  const thrown: unknown[] = []
  const root = createRoot(place, {
    onCaughtError: (error) => thrown.push(error),
    onUncaughtError: (error) => thrown.push(error),
  })
  onTestFinished(() => {
    root.unmount()
    place.remove()
    localStorage.clear()
    vi.unstubAllGlobals()
    vi.useRealTimers()
    if (!mayFail) expect(thrown).toEqual([])
  })
  root.render(<App base={pageBase(location.pathname)} />)
  const rest = (): Promise<void> => atRest(server)
  await rest()
  configure({
    asyncWrapper: async (act) => {
      const outcome = await act()
      await rest()
      return outcome
    },
  })
  return { rest, user: userEvent.setup() }
}

/** A server beyond the network. A stream of events may never end, so nobody waits for it. */
function realServer(url: string): Opening['server'] {
  const send = fetch
  let asked = 0
  return {
    isAsked: () => asked > 0,
    fetch: async (address, init) => {
      asked += 1
      try {
        const answer = await send(new Request(new URL(address instanceof Request ? address.url : address, url), init))
        if (answer.headers.get('content-type')?.startsWith('text/event-stream') === true) return answer
        const body = await answer.arrayBuffer()
        return new Response(answer.status === 204 ? null : body, answer)
      } finally {
        asked -= 1
      }
    },
  }
}

/** Resolves once nothing is asked any more and the page has not changed for a moment. */
async function atRest(server: Opening['server']): Promise<void> {
  let changed = false
  const observer = new MutationObserver(() => (changed = true))
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
  for (let still = 0; still < 3; still += 1) {
    changed = false
    // oxlint-disable-next-line no-await-in-loop -- one moment after the other
    await new Promise((over) => void setTimeout(over, 5))
    // What is opened for the first time is imported then.
    // oxlint-disable-next-line no-await-in-loop -- as above
    await vi.dynamicImportSettled()
    if (changed || server.isAsked()) still = 0
  }
  observer.disconnect()
}

const sessionAt = (now: number) => ({
  access_token: 'token-of-a-test',
  refresh_token: 'refresh-of-a-test',
  token_type: 'bearer',
  expires_in: 3600,
  expires_at: Math.floor(now / 1000) + 3600,
  user: {
    id: '4d0c2a52-8a3f-4a54-9d27-5d1c8b6f0e11',
    email: 'operator@example.com',
    factors: [],
    app_metadata: { provider: 'email' },
    user_metadata: {},
  },
})
