import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import { LOGIN_REDEMPTION_PATH, LoginBegunSchema, LoginRedeemedSchema, LOGINS_PATH } from '@septet/contract'
import type { Role } from '@septet/domain'
import type { z } from 'zod'

import { AskError, askServer } from '../served/ask-server.ts'
import { openCallback } from './login-callback.ts'

type Begun = z.output<typeof LoginBegunSchema>

type LoginPlan = {
  readonly server: URL
  /** Host name of this machine, which the page shows. */
  readonly machine: string
  /** The role to ask for; undefined leaves it to the person. */
  readonly role: Role | undefined
  /** Opens a browser here; undefined where there is none, and the code is typed on another machine. */
  readonly openBrowser: ((page: string) => void) | undefined
  readonly say: (words: string) => void
  /** Nobody waits any more. */
  readonly enough: AbortSignal
}

/**
 * Asks a Septet for a token that a person allows in a browser: the one here, which comes back by itself, or any other,
 * on which they type a code. Resolves with the token. Throws an `AskError` where it was denied or not allowed in time.
 */
export async function requestLogin(plan: LoginPlan): Promise<string> {
  const verifier = randomBytes(32).toString('base64url')
  return plan.openBrowser === undefined
    ? byCode(plan, verifier)
    : byBrowser({ ...plan, openBrowser: plan.openBrowser }, verifier)
}

async function byBrowser(
  plan: LoginPlan & { readonly openBrowser: (page: string) => void },
  verifier: string,
): Promise<string> {
  const callback = await openCallback()
  try {
    const begun = await begin(plan, verifier, { url: callback.url, state: callback.state })
    plan.say(
      `Your code is ${begun.code}. Opening this page in your browser:\n\n  ${begun.page}\n\n` +
        'Waiting for you to choose Allow. No browser here? Press Ctrl-C and use septet login --no-browser.\n',
    )
    plan.openBrowser(begun.page)
    const returned = await callback.returned(AbortSignal.any([plan.enough, untilOver(begun)]))
    if (returned === undefined) throw overOrStopped(plan.enough)
    if (returned.grant === undefined) {
      returned.answer(begun.page, 'denied')
      throw new AskError('The request was denied in the browser.', 403)
    }
    try {
      const token = await redeem(plan.server, { id: begun.id, verifier, grant: returned.grant })
      if (token === undefined) throw new AskError('The server does not know yet that you allowed it. Try again.', 503)
      returned.answer(begun.page, 'done')
      return token
    } catch (error) {
      returned.answer(begun.page, 'failed')
      throw error
    }
  } finally {
    callback.close()
  }
}

async function byCode(plan: LoginPlan, verifier: string): Promise<string> {
  const begun = await begin(plan, verifier, undefined)
  plan.say(
    `Open this page in a browser on any machine:\n\n  ${begun.page}\n\n` +
      `and enter this code:\n\n  ${begun.code}\n\nWaiting for you to choose Allow. The code expires in ten minutes.\n`,
  )
  const over = AbortSignal.any([plan.enough, untilOver(begun)])
  while (!over.aborted) {
    // Anyone who stops waiting ends the pause; the loop sees why.
    await sleep(begun.pollSeconds * 1000, undefined, { signal: over }).catch(() => undefined)
    const token = over.aborted ? undefined : await redeem(plan.server, { id: begun.id, verifier })
    if (token !== undefined) return token
  }
  throw overOrStopped(plan.enough)
}

async function begin(
  { server, machine, role }: LoginPlan,
  verifier: string,
  callback: { readonly url: string; readonly state: string } | undefined,
): Promise<Begun> {
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const body = { machine, challenge, ...(callback && { callback }), ...(role && { role }) }
  const { content } = await askServer(new URL(LOGINS_PATH, server), { token: undefined, body })
  const begun = LoginBegunSchema.parse(JSON.parse(String(content)))
  // What is opened next is a page, whatever the server says.
  if (!/^https?:\/\//u.test(begun.page)) throw new AskError('The server named no page to sign in on.')
  return begun
}

type Proof = { readonly id: string; readonly verifier: string; readonly grant?: string }

/** The token; undefined while nobody has decided. */
async function redeem(server: URL, proof: Proof): Promise<string | undefined> {
  const { content } = await askServer(new URL(LOGIN_REDEMPTION_PATH, server), { token: undefined, body: proof })
  const redeemed = LoginRedeemedSchema.parse(JSON.parse(String(content)))
  return redeemed.state === 'allowed' ? redeemed.secret : undefined
}

const untilOver = ({ expiresAt }: Begun): AbortSignal =>
  AbortSignal.timeout(Math.min(MOST_WAIT, Math.max(0, Date.parse(expiresAt) - Date.now())))

/** However wrong one of the two clocks is, milliseconds. */
const MOST_WAIT = 900_000

const overOrStopped = (stopped: AbortSignal): AskError =>
  stopped.aborted
    ? new AskError('Stopped; nothing was signed in.')
    : new AskError('The request was not allowed in time. Run septet login again.', 403)
