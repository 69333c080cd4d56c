import { Refusal, notFound, notReady } from '@septet/contract'
import { screen, within } from '@testing-library/dom'
import { describe, expect, test, vi } from 'vitest'

import { HANG_UP, Unchecked, type Answers } from './septet.fake.ts'
import { at, NOW } from './figures.fixture.ts'
import { clusters, healthy } from './healthy.fixture.ts'
import { openDashboard } from './open-dashboard.fake.tsx'

type Summary = NonNullable<Answers['summaryGet']>

/** Answers of a healthy server for one cluster, and this for every other. */
const unless =
  (cluster: string, otherwise: ReturnType<Summary>): Summary =>
  (asked) =>
    asked.cluster === cluster ? (healthy().summaryGet?.(asked) ?? HANG_UP) : otherwise

describe('the address', () => {
  test('holds source and range, and back undoes a choice', async () => {
    const { user } = await openDashboard('/dashboard')
    await user.click(screen.getByRole('radio', { name: 'Last 7 days' }))
    await screen.findByText(/^Last 7 days, share of ready GPU time/u)
    await user.click(screen.getByRole('button', { name: /^Source:/u }))
    await user.click(await screen.findByRole('menuitemradio', { name: /Sample data/u }))
    await screen.findByText('$324K')
    expect(location.search).toBe('?range=7d&cluster=sample')
    history.back()
    await screen.findByText('$84.2K')
    history.back()
    await screen.findByText(/^Last 24 hours, share of ready GPU time/u)
    expect(location.search).toBe('')
  })
})

const read = (share: number) =>
  `Septet is still reading the past: ${share}% is read. Amounts that reach back to it are too low until it is done.`

describe('figures that do not reach the newest reading', () => {
  test('say how old they are, once above the screen however many do', async () => {
    const age = 'The cluster was last read an hour before this range ends.'
    const { summaryGet, utilizationTrend } = healthy()
    const aged =
      <Asked, Given>(answer: ((asked: Asked) => Given) | undefined) =>
      (asked: Asked) => {
        const given = answer?.(asked)
        return given !== undefined && typeof given === 'object' ? { ...given, age } : HANG_UP
      }
    await openDashboard('/dashboard', {
      answers: { ...healthy(), summaryGet: aged(summaryGet), utilizationTrend: aged(utilizationTrend) },
    })
    expect(await screen.findAllByText(age)).toHaveLength(1)
  })

  test('say how much of the past is read once, as the newest answer has it', async () => {
    const { summaryGet, utilizationTrend } = healthy()
    const shares = [36, 41]
    const reading =
      <Asked, Given>(answer: ((asked: Asked) => Given) | undefined) =>
      (asked: Asked) => {
        const given = answer?.(asked)
        return given !== undefined && typeof given === 'object'
          ? { ...given, age: read(shares.shift() ?? 41) }
          : HANG_UP
      }
    await openDashboard('/dashboard', {
      answers: { ...healthy(), summaryGet: reading(summaryGet), utilizationTrend: reading(utilizationTrend) },
    })
    expect(await screen.findAllByText(read(41))).toHaveLength(1)
    expect(screen.queryByText(/36% is read/u)).toBeNull()
  })

  test('nothing is said of figures that do', async () => {
    await openDashboard('/dashboard')
    await screen.findByText('$84.2K')
    expect(screen.queryByText(/last read/u)).toBeNull()
  })
})

describe('live updates', () => {
  test('ask again only for what an event names', async () => {
    const { septet, rest } = await openDashboard('/dashboard')
    await screen.findByText('Connected')
    await rest()
    septet.asked.length = 0
    septet.send({ kind: 'inventory', cluster: 'demo', asOf: at(0) })
    await rest()
    expect(septet.asked).toHaveLength(4)
    expect(septet.asked).toEqual(
      expect.arrayContaining([
        { operation: 'clustersList', input: {} },
        { operation: 'partitionsList', input: { limit: '8' } },
        { operation: 'workloadsList', input: { status: 'queued', sort: 'duration', limit: '5' } },
        { operation: 'workloadsList', input: { status: 'running', limit: '5' } },
      ]),
    )
  })

  test('wait while paused and catch up on resuming', async () => {
    const { septet, rest, user } = await openDashboard('/dashboard')
    await screen.findByText('Connected')
    await user.click(screen.getByRole('button', { name: 'Pause live updates' }))
    await screen.findByText('Paused')
    septet.asked.length = 0
    septet.send({ kind: 'analysis', cluster: 'demo', asOf: at(0) })
    await rest()
    expect(septet.asked).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Resume live updates' }))
    expect(septet.asked.filter(({ operation }) => operation === 'summaryGet')).toHaveLength(1)
  })
})

test('what the other screens need first is fetched once the open one has its answers', async () => {
  const { connection }: { connection?: { saveData: boolean } } = Object(navigator)
  Object.assign(connection ?? {}, { saveData: false })
  const { septet } = await openDashboard('/dashboard')
  await expect.poll(() => septet.asked).toContainEqual({ operation: 'alertsList', input: { days: '7' } })
  Object.assign(connection ?? {}, { saveData: true })
})

describe('when something is not there', () => {
  test('a first run says how far it is and offers one next step', async () => {
    const [demo, sample] = clusters
    const connecting = { ...demo, state: 'connecting', gpus: null, history: { done: 9, of: 30, detail: 'days' } }
    const { user } = await openDashboard('/dashboard', {
      answers: {
        clustersList: () => ({ clusters: [connecting, sample] as typeof clusters }),
        summaryGet: unless('sample', notReady('Nothing yet.', 'Wait.')),
      },
    })
    await screen.findByRole('heading', { name: 'Connecting to Demo cluster' })
    await screen.findByText('9 of 30 · days')
    await user.click(screen.getByRole('button', { name: 'View sample data meanwhile' }))
    await screen.findByText('$324K')
    expect(location.search).toBe('?cluster=sample')
  })

  test('the server’s refusal is shown in its words, with the sources that still work', async () => {
    const unknown = new Refusal('unknown-cluster', 'There is no cluster "prod".', 'Ask for demo.')
    const { user } = await openDashboard('/dashboard?cluster=prod', {
      answers: { summaryGet: unless('demo', unknown) },
    })
    within(screen.getByRole('alert')).getByText('There is no cluster "prod". Ask for demo.')
    await user.click(screen.getByRole('button', { name: 'Show Demo cluster' }))
    await screen.findByText('$84.2K')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('a lost server leaves the last figures and says of when they are', async () => {
    const { septet } = await openDashboard('/dashboard')
    await screen.findByText('Connected')
    await screen.findByText('$84.2K')
    septet.answers = { ...septet.answers, summaryGet: () => HANG_UP }
    septet.send({ kind: 'analysis', cluster: 'demo', asOf: at(0) })
    await screen.findByText(/Cannot reach the Septet server\./u)
    screen.getByText(/Showing data from 10:41\./u)
    screen.getByText('$84.2K')
  })

  test('old figures turn grey and say so; they do not disappear', async () => {
    await openDashboard('/dashboard', { now: NOW + 14 * 60_000 })
    await screen.findByText(/The newest data is from 10:41, 14 min ago/u)
    const figure = screen.getByText('$84.2K')
    expect(figure.closest('[data-stale=true]')).not.toBeNull()
  })

  test('one panel that fails does not take the others with it', async () => {
    const broken = notFound('The partitions cannot be read.', 'See the log.')
    await openDashboard('/dashboard', { answers: { partitionsList: () => broken } })
    const panel = within(await screen.findByRole('region', { name: 'MIG Partition Status' }))
    await panel.findByText(/The partitions cannot be read. See the log./u)
    await screen.findByText('$84.2K')
    expect(screen.getAllByRole('alert')).toHaveLength(1)
  })

  test('an answer that the Summary cannot draw takes neither the frame nor the other screens with it', async () => {
    // A summary as of a server that is older than the page.
    const older = new Unchecked({ source: { id: 'demo', name: 'Demo cluster', kind: 'demo' } })
    const { user } = await openDashboard('/dashboard', { answers: { summaryGet: () => older }, mayFail: true })
    within(screen.getByRole('alert')).getByText(/The summary could not be loaded\./u)
    screen.getByRole('button', { name: 'Load the page again' })
    await user.click(screen.getAllByRole('link', { name: 'Alerts' })[0] as HTMLElement)
    await screen.findByRole('heading', { level: 1, name: 'Alerts' })
    // What failed of one screen is not said of the next.
    expect(screen.queryByText(/The summary could not be loaded\./u)).toBeNull()
  })

  test('an unknown path is a page of its own, and is named in the console', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    await openDashboard('/dashboard/no/such/page')
    screen.getByRole('heading', { name: '404' })
    screen.getByText('Oops! Page not found')
    expect(logged).toHaveBeenCalledWith('No page at /dashboard/no/such/page')
    // The front page is another document, outside the router of the dashboard.
    expect(screen.getByRole('link', { name: 'Return to Home' }).getAttribute('href')).toBe('/')
    logged.mockRestore()
  })
})

test('a theme is chosen, and the choice outlives the page', async () => {
  const { user } = await openDashboard('/dashboard')
  await user.click(screen.getAllByRole('button', { name: /^Theme:/u }).at(-1) as HTMLElement)
  await user.click(await screen.findByRole('menuitemradio', { name: 'Light' }))
  expect([document.documentElement.dataset['theme'], localStorage.getItem('septet-theme')]).toEqual(['light', 'light'])
})
