import { htmlEscape, type ServerEvent } from '@septet/contract'
import { instant, stateOf, type ActionRun, type ActionStore } from '@septet/domain'
import { nameOfWorkload } from '@septet/domain/words'
import type { FastifyInstance, FastifyReply } from 'fastify'

import { KEEP_MS, KEEP_PATH, warningOfLink, type SealText } from '../keep-link.ts'

type KeepNeeds = {
  readonly actions: ActionStore
  readonly seal: SealText
  readonly now: () => number
  readonly publish: (event: ServerEvent) => void
  /** Keeps who did it for the audit log. */
  readonly record: (fact: { readonly name: string; readonly run: ActionRun; readonly ip: string }) => Promise<unknown>
}

const MOST_NAME = 80

/**
 * The link in a warning: opening it shows what would be stopped, and a press keeps it. Opening alone changes nothing, as
 * mail scanners and chats open every link.
 */
export function registerKeepPage(server: FastifyInstance, needs: KeepNeeds): void {
  void server.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 2000 },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    )
    scope.get<{ Params: { token: string } }>(`${KEEP_PATH}/:token`, async ({ params }, reply) => {
      const run = await warnedRun(params.token, needs)
      return run === undefined ? answer(reply, 410, OVER) : answer(reply, 200, formOf(run, needs.now()))
    })
    scope.post<{ Params: { token: string } }>(`${KEEP_PATH}/:token`, async ({ params, body, ip }, reply) => {
      const name = nameIn(body)
      const run = await warnedRun(params.token, needs)
      if (run === undefined) return answer(reply, 410, OVER)
      if (name === '')
        return answer(reply, 400, formOf(run, needs.now(), 'Enter your name, so that others know whom to ask.'))
      const until = instant(needs.now() + KEEP_MS)
      const after = await needs.actions.advance(run.id, {
        number: run.transitions.length + 1,
        at: instant(needs.now()),
        state: 'cancelled',
        by: `link: ${name}`,
        because: `${name} keeps it until ${dayOf(until)}, by the link of the warning.`,
        until,
      })
      if (after === undefined) return answer(reply, 410, OVER)
      await needs.record({ name, run: after, ip })
      needs.publish({ kind: 'actions', cluster: run.cluster, asOf: new Date(needs.now()).toISOString() })
      return answer(reply, 200, keptText(run, until))
    })
  })
}

/** The run that a link is of, while its owner may still say no. */
async function warnedRun(token: string, { actions, seal, now }: KeepNeeds): Promise<ActionRun | undefined> {
  const warning = warningOfLink(token, { seal, now: now() })
  const run = warning === undefined ? undefined : await actions.get(warning.run)
  if (run === undefined) return undefined
  const { state, number } = stateOf(run)
  return state === 'warned' && number === warning?.number ? run : undefined
}

const nameIn = (body: unknown): string =>
  body instanceof URLSearchParams
    ? (body.get('name') ?? '')
        .replaceAll(/[\p{Cc}\s]+/gu, ' ')
        .trim()
        .slice(0, MOST_NAME)
    : ''

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

type Text = { readonly title: string; readonly html: string }

const OVER: Text = {
  title: 'This link has expired',
  html: '<p>It was used, the work was stopped, or the warning was withdrawn. Opening it changed nothing. A Septet operator can restart stopped work.</p>',
}

function formOf(run: ActionRun, now: number, problem?: string): Text {
  const { until } = stateOf(run)
  const when = until === undefined ? '' : ` on ${new Date(until).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return {
    title: `Keep ${objectOf(run)}?`,
    html: [
      `<p>${htmlEscape(run.transitions[0].because)}</p>`,
      `<p>Septet stops it${when}, unless you keep it. If you do, it stays until ${dayOf(now + KEEP_MS)}.</p>`,
      problem === undefined ? '' : `<p role="alert"><strong>${htmlEscape(problem)}</strong></p>`,
      '<form method="post">',
      `<p><label>Your name or team<br><input name="name" required maxlength="${MOST_NAME}" autocomplete="name"></label></p>`,
      '<p><button>Keep it for 30 days</button></p>',
      '</form>',
    ].join('\n'),
  }
}

const keptText = (run: ActionRun, until: number): Text => ({
  title: `${objectOf(run)} is kept`,
  html: `<p>It stays until ${dayOf(until)}. Its annotation <code>septet.io/keep</code> will show this shortly; remove that to let Septet propose it again.</p>`,
})

const objectOf = ({ object }: ActionRun): string => nameOfWorkload(object.slice('workload/'.length))

const answer = (reply: FastifyReply, status: number, { title, html }: Text): FastifyReply =>
  reply
    .status(status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('x-robots-tag', 'noindex, nofollow')
    .send(
      [
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
        `<title>${htmlEscape(title)} · Septet</title></head>`,
        '<body style="margin:0 auto;max-width:34em;padding:24px;font:16px/1.5 system-ui,sans-serif"><main>',
        `<h1>${htmlEscape(title)}</h1>`,
        html,
        '</main></body></html>',
      ].join('\n'),
    )
