import { DEFAULT_ALERT_RULES, evaluateAlerts, instant, type Observation } from '@septet/domain'
import { expect, test } from 'vitest'

import { alertMessage } from './alert-message.ts'
import { mailForm, slackBody } from './message-forms.ts'

const HOSTILE = '<!channel> & <script>alert(1)</script> | *x*\r\nbcc: a@b'

function messageOf(count: number) {
  const seen = Array.from({ length: count }, (_, order): Observation => ({
    kind: 'xid',
    object: `gpu/${order}`,
    namespace: undefined,
    tenant: undefined,
    verdict: 'breach',
    figure: { value: 79, threshold: 1, unit: 'code', coverage: undefined },
    title: HOSTILE,
    message: HOSTILE,
    advice: 'Drain it.',
  }))
  const now = instant(Date.UTC(2026, 10, 17, 9))
  const observed = { xid: { observations: seen, complete: true } }
  const alerts = evaluateAlerts({ cluster: 'c', now, rules: DEFAULT_ALERT_RULES, observed, current: [] })
  return alertMessage(
    { about: 'firing', alerts },
    { cluster: { id: 'c', name: 'Prod' }, siteUrl: 'https://septet.example' },
  )
}

test('names from a cluster ping nobody in Slack and draw no link of their own', () => {
  const { text }: { text: string } = JSON.parse(slackBody(messageOf(1)))
  expect(text).not.toContain('<!channel>')
  expect(text).toContain('&lt;!channel&gt; &amp;')
  const links = [...text.matchAll(/<([^|>]*)\|/gu)].map(([, link]) => link)
  expect(links.every((link) => link?.startsWith('https://septet.example/dashboard/alerts?cluster=c'))).toBe(true)
})

test('a mail has one line of subject and no markup of others', () => {
  const { subject, html, text } = mailForm(messageOf(1))
  expect(subject).not.toMatch(/[\r\n]/u)
  expect(html).not.toContain('<script>')
  expect(text).toContain('https://septet.example/dashboard/alerts?cluster=c&alert=')
})

test('many alerts are told in part and counted in whole', () => {
  const message = messageOf(1250)
  expect(message).toMatchObject({ title: '1250 alerts firing in Prod', more: 1230 })
  expect(message.alerts).toHaveLength(20)
  expect(slackBody(message)).toContain('and 1230 more')
})
