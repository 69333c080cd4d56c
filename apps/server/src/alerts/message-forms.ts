import { htmlEscape } from '@septet/contract'
import type { AlertMessage } from './alert-message.ts'

/** Slack's mrkdwn: only these three signs have a meaning that text from a cluster must not take. */
const slackText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A body that Slack, Mattermost, Rocket.Chat and others take at an incoming webhook. */
export function slackBody(message: AlertMessage): string {
  const lines = message.alerts.map(
    (alert) =>
      `• *<${alert.url}|${slackText(alert.title).replaceAll('|', '¦')}>* · ${alert.severity} · since ${clock(alert.since)}\n` +
      `  ${slackText(alert.message)}` +
      (message.about === 'resolved' ? '' : `\n  _${slackText(alert.advice)}_`),
  )
  const more = message.more > 0 ? [`and ${message.more} more`] : []
  const head = `*${slackText(message.title)}* · ${slackText(message.cluster.name)}`
  const text = [head, ...lines, ...more, `<${message.url}|Open Septet>`].join('\n')
  return JSON.stringify({ text, unfurl_links: false, unfurl_media: false })
}

/** The body of a generic webhook: type, time and data, as Standard Webhooks recommends it. */
export const webhookBody = (message: AlertMessage, createdAt: number): string =>
  JSON.stringify({
    type: message.about === 'test' ? 'septet.test' : `septet.alerts.${message.about}`,
    timestamp: new Date(createdAt).toISOString(),
    data: message,
  })

/** A mail as plain text and as simple HTML that says the same. */
export function mailForm(message: AlertMessage): {
  readonly subject: string
  readonly text: string
  readonly html: string
} {
  const blocks = message.alerts.map((alert) => ({
    head: `${alert.title} (${alert.severity}, since ${clock(alert.since)})`,
    lines: [alert.message, ...(message.about === 'resolved' ? [] : [alert.advice])],
    url: alert.url,
  }))
  const more = message.more > 0 ? `and ${message.more} more` : ''
  const intro =
    message.about === 'test' ? 'This is a test: alerts of Septet reach you.' : `Cluster: ${message.cluster.name}`
  const text = [
    intro,
    '',
    ...blocks.flatMap(({ head, lines, url }) => [head, ...lines, url, '']),
    ...(more === '' ? [] : [more, '']),
    message.url,
    '',
  ].join('\n')
  const html = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"></head>',
    '<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif"><div style="max-width:40em">',
    `<p>${htmlEscape(intro)}</p>`,
    ...blocks.map(
      ({ head, lines, url }) =>
        `<p><a href="${htmlEscape(url)}"><strong>${htmlEscape(head)}</strong></a><br>${lines.map(htmlEscape).join('<br>')}</p>`,
    ),
    more === '' ? '' : `<p>${more}</p>`,
    `<p><a href="${htmlEscape(message.url)}">Open Septet</a></p></div></body></html>`,
  ].join('\n')
  return { subject: `[Septet] ${message.title}`.replaceAll(/[\p{Cc}]+/gu, ' ').slice(0, 200), text, html }
}

/** `2026-11-21 17:05 UTC`: the same for every reader. */
const clock = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`
