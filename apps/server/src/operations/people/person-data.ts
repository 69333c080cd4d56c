import { randomBytes } from 'node:crypto'
import { invalidInput } from '@septet/contract'
import { FORGOTTEN_PERSON, instant, type Caller, type Person, type Store } from '@septet/domain'
import { readChannels, writeChannels } from '../../alert-settings.ts'
import type { RecordFact } from '../answering/audited.ts'
import { isoOf } from '../answering/view.ts'
import { withoutRecipient } from '../report/report-schedules.ts'
import { type AccessService, addressOf } from '../access/access-service.ts'
import type { AnswersOf } from '../answering/answering.ts'

type Needs = {
  readonly service: AccessService
  readonly store: Pick<Store, 'people' | 'settings'>
  readonly record: RecordFact
  readonly now: () => number
}

/** What is kept of one person: told, and deleted. */
export const personAnswers = ({ service, store, record, now }: Needs): AnswersOf<'person'> => ({
  /** All that is kept of a person; nothing where nothing is kept. */
  async personExport({ email }) {
    const person = await personOf(service, email)
    const found = await store.people.find(person)
    return {
      email: person.email,
      exportedAt: isoOf(instant(now())),
      data: found.map(({ kind, rows }) => ({ kind, rows: rows.map((row) => plainOf(row)) })),
    }
  },
  /** Deletes what is theirs alone, and makes them anonymous in what others need. */
  async personForget({ person: asked, confirm }, { caller }) {
    const person = await personOf(service, asked)
    refuseUnforgettable(service, person, { confirm, caller })
    const as = `person-${randomBytes(6).toString('hex')}`
    const removed = await takeFromRecipients(store.settings, person.email)
    // Written first: an entry that was changed is proven by one that says so, and never the other way round.
    const { entries, last } = await store.people.audited(person)
    const fact = { actor: caller.name, action: FORGOTTEN_PERSON, object: as, outcome: 'done', ip: caller.ip } as const
    await record({ ...fact, details: { entries } })
    const done = await store.people.forget(person, { as, last })
    // Gone already; whoever is signed in with it is let go of now and not in a few minutes.
    if (person.accountId !== undefined) await service.access.accounts.remove(person.accountId)
    return { anonymousId: as, ...done, removed }
  },
})

async function personOf(service: AccessService, text: string): Promise<Person> {
  const email = addressOf(service, text)
  return { email, accountId: (await service.access.accounts.byEmail(email))?.id }
}

type Asked = { readonly confirm: string; readonly caller: Caller }

function refuseUnforgettable(service: AccessService, { email }: Person, { confirm, caller }: Asked): void {
  if (service.readAddress(confirm) !== email) {
    throw invalidInput('The confirmation does not match the address.', 'Enter the address twice.')
  }
  if (email === caller.name) {
    throw invalidInput('You cannot delete your own data while you use it.', 'Ask another admin to do it.')
  }
  if (email === service.authorized[0]) {
    throw invalidInput(
      `${email} is the authorized admin, as set by SEPTET_AUTHORIZED_EMAIL.`,
      'Name another address first in SEPTET_AUTHORIZED_EMAIL and restart Septet, then delete the data.',
    )
  }
}

/** Channels and schedules without a reader go; their names. */
async function takeFromRecipients(settings: Store['settings'], email: string): Promise<string[]> {
  const channels = await readChannels(settings)
  const theirs = channels.filter(({ kind, shown }) => kind === 'email' && shown.toLowerCase() === email)
  if (theirs.length > 0) {
    await writeChannels(
      settings,
      channels.filter((channel) => !theirs.includes(channel)),
    )
  }
  return [...theirs.map(({ id }) => id), ...(await withoutRecipient(settings, email))]
}

/** Instants as JSON has them. */
const plainOf = (row: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
  )
