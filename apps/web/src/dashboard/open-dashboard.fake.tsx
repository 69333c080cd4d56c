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
  readonly septet: FakeSeptet
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
): Promise<Opened> {
  vi.useFakeTimers({ toFake: ['Date'], now })
  const septet = fakeSeptet({ ...healthy(), ...answers })
  vi.stubGlobal('fetch', septet.fetch)
  localStorage.setItem(SESSION_KEY, JSON.stringify(sessionAt(now)))
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
  await atRest(septet)
  configure({
    asyncWrapper: async (act) => {
      const outcome = await act()
      await atRest(septet)
      return outcome
    },
  })
  return { septet, rest: () => atRest(septet), user: userEvent.setup() }
}

/** Resolves once nothing is asked any more and the page has not changed for a moment. */
async function atRest(septet: FakeSeptet): Promise<void> {
  let changed = false
  const observer = new MutationObserver(() => (changed = true))
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
  for (let still = 0; still < 3; still += 1) {
    changed = false
    // oxlint-disable-next-line no-await-in-loop -- one moment after the other
    await new Promise((over) => void setTimeout(over, 5))
    if (changed || septet.isAsked()) still = 0
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
