import { screen, within } from '@testing-library/dom'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'

import { parameters, shows } from '../../../read-page.fake.ts'
import { actingFixture } from '../../acting/actions.fixture.ts'
import type { FakeSeptet } from '../../septet.fake.ts'
import { NOW } from '../../figures.fixture.ts'
import { openDashboard } from '../../open-dashboard.fake.tsx'
import { actPolicyFixture, POLICY } from './act-policy.fixture.ts'

const PATH = '/dashboard/settings/acting'
const visit = (how: Parameters<typeof actPolicyFixture>[0], path = PATH): ReturnType<typeof openDashboard> =>
  openDashboard(path, { answers: { ...actingFixture().answers, ...actPolicyFixture(how) } })

/** What was put: it says what was edited, so that nobody undoes what somebody else saved meanwhile. */
const putIn = ({ told }: FakeSeptet): unknown[] =>
  told.map(({ input: { edited, ...input } }) => {
    expect(edited).toBeNull()
    return input
  })
/** What is listed as not saved yet; who does not see the arrow hears "becomes". */
const changes = (): string[] =>
  within(screen.getByRole('list', { name: 'Changes' }))
    .getAllByRole('listitem')
    .map((line) => (line.textContent ?? '').replace(/\s*→\s*becomes\s*/u, ' → '))
const mode = (name: string): Promise<HTMLSelectElement> => screen.findByRole('combobox', { name })
const optionsOf = async (name: string): Promise<(string | null)[]> =>
  [...(await mode(name)).options].map(({ textContent }) => textContent)
/** The folded group of that title. */
const group = (title: string): HTMLDetailsElement | null =>
  screen.getByText(title, { selector: 'summary *' }).closest('details')
const fold = (user: UserEvent, title: string): Promise<void> =>
  user.click(screen.getByText(title, { selector: 'summary *' }))
const save = (): HTMLElement => screen.getByRole('button', { name: 'Save' })

describe('what Septet may do', () => {
  test('says what new pods were told and given, where the API server asks', async () => {
    await visit({ role: 'viewer' }, `${PATH}?cluster=demo`)
    const panel = await screen.findByRole('region', { name: 'New pods' })
    await shows('12 pods with a whole GPU got a warning, and 3 got a MIG instance', panel)
    await shows('2 answers since Septet started could not be stored', panel)
    await shows(/The listener for new pods went down .* stayed as requested\. Cause: The thread ran/u, panel)
    const [told, ...others] = within(panel).getAllByRole('listitem')
    expect([told?.textContent, others]).toEqual([expect.stringContaining('lab/chat-7d9f4c-'), []])
  })

  test('is reached from Actions, and Auto also lets the class be on auto', async () => {
    const { septet, user } = await visit({ role: 'admin' }, '/dashboard/actions?cluster=demo')
    await user.click(await screen.findByRole('link', { name: 'What Septet may do' }))
    await shows('Defaults: not changed yet for Demo cluster.')
    expect(parameters()).toEqual({ cluster: 'demo' })
    await user.selectOptions(await mode('Repartition'), 'auto')
    expect(changes()).toEqual(['Repartition: Approve → Auto'])
    await user.click(save())
    await shows(/Changed .* by ada@example\.com\./u)
    expect((await mode('Repartition')).value).toBe('auto')
    const modes = { ...POLICY.modes, repartition: 'auto' }
    const auto = { ...POLICY.auto, classes: ['repartition'] }
    expect(putIn(septet)).toEqual([{ cluster: 'demo', policy: { ...POLICY, modes, auto } }])
  })

  test('never offers Auto for MIG mode, and only Observe and Suggest for what Septet does not carry out', async () => {
    await visit({ role: 'admin' })
    await shows('Septet does not apply these itself.')
    for (const name of ['Reclaim idle', 'Right-size', 'Share', 'Scale down']) {
      // oxlint-disable-next-line no-await-in-loop -- one choice after the other
      expect([name, await optionsOf(name)]).toEqual([name, ['Observe', 'Suggest', 'Approve', 'Auto']])
    }
    expect(await optionsOf('MIG mode')).toEqual(['Observe', 'Suggest', 'Approve'])
    expect(await optionsOf('Reschedule')).toEqual(['Observe', 'Suggest'])
  })

  test('takes limits, windows, protection and times, says what is not saved yet, and saves exactly that', async () => {
    const { septet, user } = await visit({ role: 'admin' })
    await mode('Repartition')
    const fill = async (label: string, text: string): Promise<void> => {
      const field = screen.getByLabelText(label)
      await user.clear(field)
      if (text !== '') await user.type(field, text)
    }
    const choose = (label: string, option: string) => user.selectOptions(screen.getByLabelText(label), option)
    await fold(user, 'Limits')
    await fill('Per action: pods', '')
    await fill('Per day: $ per hour', '99.5')
    await fold(user, 'Minimum benefit')
    await fill('Minimum confidence', '62.5')
    await fold(user, 'Maintenance windows')
    await user.click(screen.getByRole('button', { name: 'Add a window' }))
    await choose('Weekday', 'Sunday')
    await fill('From', '01:30')
    await fill('To', '05:00')
    await choose('Time zone', 'Asia/Tokyo')
    await user.click(screen.getByRole('button', { name: 'Add a window' }))
    await user.click(screen.getByRole('button', { name: 'Remove window 2' }))
    await fold(user, 'Protected')
    await fill('Protected namespaces', 'kube-*, team-a')
    await fill('Protected labels', 'tier=gold')
    await fold(user, 'Times')
    await fill('Watch', '2')
    await choose('Watch, unit', 'hours')
    expect(changes()).toEqual([
      'Per action: pods: 20 → no limit',
      'Per day: $ per hour: 150 → 99.5',
      'Minimum confidence: 50% → 62.5%',
      'Maintenance windows: at any time → Sunday 01:30 to 05:00 (Asia/Tokyo)',
      'Protected namespaces: kube-*, gpu-operator → kube-*, team-a',
      'Protected labels: none → tier=gold',
      'Watch: 5 min → 2 h',
    ])
    await user.click(save())
    expect(putIn(septet)).toEqual([
      {
        cluster: 'demo',
        policy: {
          ...POLICY,
          limits: {
            ...POLICY.limits,
            run: { ...POLICY.limits.run, pods: null },
            day: { ...POLICY.limits.day, usdPerHour: 99.5 },
          },
          minimum: { ...POLICY.minimum, confidence: 0.625 },
          windows: [{ weekday: 6, from: 90, to: 300, zone: 'Asia/Tokyo' }],
          protectedNamespaces: ['kube-*', 'team-a'],
          protectedLabels: { tier: 'gold' },
          watch: 7200,
        },
      },
    ])
    await shows('7 changes saved for Demo cluster.')
    await user.click(screen.getByRole('button', { name: 'Reset to defaults' }))
    expect(changes()).toHaveLength(7)
  })

  test('lets a class go on after a setback from the moment that somebody says so', async () => {
    const { septet, user } = await visit({ role: 'admin' })
    await mode('Repartition')
    await fold(user, 'Auto')
    await user.click(screen.getByRole('checkbox', { name: 'Repartition' }))
    await user.click(save())
    const resumedAt = { repartition: new Date(NOW).toISOString() }
    expect(putIn(septet)).toEqual([{ cluster: 'demo', policy: { ...POLICY, auto: { ...POLICY.auto, resumedAt } } }])
  })

  test('that is refused says why, and what was typed stays', async () => {
    const { user } = await visit({ role: 'admin', refuses: 'That was not kept: the zone is unknown.' })
    await user.selectOptions(await mode('Reclaim idle'), 'suggest')
    await user.click(save())
    await shows('the zone is unknown. Correct it and save again.')
    expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toContainEqual(
      expect.stringContaining('the zone is unknown.'),
    )
    expect((await mode('Reclaim idle')).value).toBe('suggest')
  })

  test('with a field that is out of its limits is not sent, and the folded group opens', async () => {
    const { septet, user } = await visit({ role: 'admin' })
    await mode('Repartition')
    await fold(user, 'Times')
    const watch = screen.getByLabelText('Watch')
    await user.clear(watch)
    await user.type(watch, '0.1')
    await fold(user, 'Times')
    expect(group('Times')?.open).toBe(false)
    await user.click(save())
    await expect.poll(() => group('Times')?.open).toBe(true)
    expect(septet.told).toEqual([])
  })

  test.each(['operator', 'viewer'] as const)(
    'is read by one who is %s and is told that an admin changes it',
    async (role) => {
      await visit({ role })
      await shows('Only admins can change this.')
      within(screen.getByRole('row', { name: /^Repartition/u })).getByText('Approve')
      expect(screen.getByLabelText('Per action: pods').matches(':disabled')).toBe(true)
      expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
      expect(screen.queryByRole('combobox', { name: 'Repartition' })).toBeNull()
    },
  )

  test('lets a class take two people', async () => {
    const { septet, user } = await visit({ role: 'admin' })
    await mode('Reclaim idle')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Approval of Reclaim idle by' }), 'Two people')
    await user.click(save())
    expect(septet.told).toMatchObject([{ input: { policy: { twoPeople: ['reclaim-idle'] } } }])
  })

  test('is gone through by Tab, and Enter in a field saves', async () => {
    const { septet, user } = await visit({ role: 'admin' })
    const reclaim = await mode('Reclaim idle')
    reclaim.focus()
    await user.selectOptions(reclaim, 'observe')
    await user.tab()
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Approval of Reclaim idle by')
    await user.tab()
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Fewer GPUs')
    await fold(user, 'Limits')
    const pods = screen.getByLabelText('Per action: pods')
    await user.clear(pods)
    await user.type(pods, '5{Enter}')
    expect(septet.told).toMatchObject([
      { input: { policy: { modes: { 'reclaim-idle': 'observe' }, limits: { run: { pods: 5 } } } } },
    ])
  })
})
