import { createHash, randomUUID } from 'node:crypto'

import {
  MINUTE_MS,
  instant,
  type Account,
  type ApiToken,
  type AuditEntry,
  type AuditFact,
  type ExternalIdentity,
  type Factor,
  type LoginRequest,
  type Mail,
  type MailCode,
  type Session,
  type SigningKey,
  type Store,
} from '@septet/domain'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { accessModel, type Modeled } from './access-model.fixture.ts'
import { NOW } from './usage-row.fixture.ts'

const at = (minutes: number) => instant(NOW + minutes * MINUTE_MS)
/** Further back than any other test is, so that pruning touches no other test's. */
const longAgo = (milliseconds: number) => instant(Date.UTC(2001, 0, 1) + milliseconds)
/** Newer than any other test is. */
const ahead = (minutes: number) => instant(Date.UTC(2090, 0, 1) + minutes * MINUTE_MS)
const IP = '192.0.2.1'
const failure = { name: 'StoreError', code: 'unexpected' }

/**
 * One behavior of accounts, sessions and audit on every PostgreSQL. `open` gives the stores of two servers on one database,
 * which may hold other things already.
 */
export function accessStoreBehaves(open: () => Promise<readonly [Store, Store]>): void {
  let stores: readonly [Store, Store]
  let store: Store['access']
  beforeAll(async () => {
    stores = await open()
    store = stores[0].access
  })
  afterAll(async () => {
    await Promise.all([...new Set(stores)].map((each) => each.close()))
  })

  /** Twenty requests at the same moment, half of them to each server. */
  const atOnce = <Result>(ask: (access: Store['access'], index: number) => Promise<Result>): Promise<Result[]> =>
    Promise.all(Array.from({ length: 20 }, (_, index) => ask((stores[index % 2] ?? stores[0]).access, index)))
  const someAccount = async (changed: Partial<Account> = {}): Promise<Account> => {
    const made = account(changed)
    expect(await store.accounts.create(made)).toBe(true)
    return made
  }
  const someFactor = async (changed: Partial<Factor> = {}): Promise<Factor> => {
    const made = factor({ accountId: (await someAccount()).id, ...changed })
    expect(await store.factors.create(made)).toBe(true)
    return made
  }
  const someSession = async (changed: Partial<Session> = {}): Promise<Session> => {
    const made = session({ accountId: changed.accountId ?? (await someAccount()).id, ...changed })
    await store.sessions.create(made)
    return made
  }
  const someCode = async (changed: Partial<MailCode> = {}): Promise<MailCode> => {
    const made = code({ accountId: changed.accountId ?? (await someAccount()).id, ...changed })
    await store.codes.put(made)
    return made
  }

  const everythingOf = async (accountId: string) => {
    const [one, two, four] = [session({ accountId }), code({ accountId }), factor({ accountId })]
    const shown = challenge(four.id)
    await store.sessions.create(one)
    await store.codes.put(two)
    await store.factors.create(four)
    await store.factors.putChallenge(shown)
    return { accountId, session: one.id, code: two.id, challenge: shown.id }
  }
  const wholeAudit = async () => {
    const entries: AuditEntry[] = []
    for await (const batch of stores[1].access.audit.all()) entries.push(...batch)
    return entries
  }

  describe('accounts', () => {
    test('come back as they were made, by id and by address', async () => {
      const bare = await someAccount()
      const full = await someAccount({
        passwordHash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA',
        appMetadata: { provider: 'email', providers: ['email'] },
        userMetadata: { name: 'Größe\0', z: { a: null, 1: [true, 1.5] } },
        emailConfirmedAt: at(1),
        invitedAt: at(2),
        lastSignInAt: instant(NOW + 1),
        bannedUntil: at(4),
        newEmail: address(),
        mailSentAt: { signup: at(5), recovery: at(6) },
      })
      for (const each of [bare, full]) {
        expect(await store.accounts.get(each.id)).toEqual(each)
        expect(await stores[1].access.accounts.byEmail(each.email)).toEqual(each)
      }
      expect(await store.accounts.get('nobody')).toBeUndefined()
      expect(await store.accounts.byEmail('nobody@x')).toBeUndefined()
    })

    test('have one address each: of twenty that come at once, one is made', async () => {
      const email = address()
      const all = Array.from({ length: 20 }, () => account({ email }))
      const made = await atOnce((access, index) => access.accounts.create(all[index] ?? account()))
      expect(made.filter(Boolean)).toHaveLength(1)
      expect(await store.accounts.byEmail(email)).toEqual(all[made.indexOf(true)])
      expect(await store.accounts.create(account({ email }))).toBe(false)
      const [kept] = (await store.accounts.list({ page: 1, perPage: 9, filter: email })).accounts
      await expect(store.accounts.create(account({ id: kept?.id ?? '' }))).rejects.toMatchObject(failure)
    })

    test('are listed a page at a time, newest first, with how many there are', async () => {
      const mark = randomUUID()
      const made: Account[] = []
      for (const minute of [3, 1, 2, 1]) {
        made.push(await someAccount({ email: `${randomUUID()}+${mark}@example.com`, createdAt: at(minute) }))
      }
      const expected = made.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1))
      const page = (number: number) => store.accounts.list({ page: number, perPage: 3, filter: `+${mark}@` })
      expect(await page(1)).toEqual({ accounts: expected.slice(0, 3), total: 4 })
      expect(await page(2)).toEqual({ accounts: expected.slice(3), total: 4 })
      expect(await page(3)).toEqual({ accounts: [], total: 4 })
      expect((await store.accounts.list({ page: 1, perPage: 1 })).total).toBeGreaterThanOrEqual(4)
      expect((await store.accounts.list({ page: 1, perPage: 1, filter: '%' })).total).toBe(0)
    })

    test('change what a change names and nothing else', async () => {
      const made = await someAccount({ passwordHash: 'old', newEmail: address(), userMetadata: { a: 1 } })
      const change = { passwordHash: 'new', newEmail: undefined, updatedAt: at(9) }
      expect(await store.accounts.update(made.id, change)).toEqual({ ...made, ...change })
      expect(await store.accounts.get(made.id)).toEqual({ ...made, ...change })
      expect(await store.accounts.update(made.id, {})).toEqual({ ...made, ...change })
      // A type lets more through than it names.
      const more = { id: 'another', createdAt: at(99), bannedUntil: at(5) }
      expect(await store.accounts.update(made.id, more)).toEqual({ ...made, ...change, bannedUntil: at(5) })
      expect(await store.accounts.update('nobody', change)).toBeUndefined()
    })

    test('do not get an address that another has, also when both ask at once', async () => {
      const [one, two] = [await someAccount(), await someAccount()]
      expect(await store.accounts.update(one.id, { email: two.email, bannedUntil: at(1) })).toBe('taken')
      expect(await store.accounts.get(one.id)).toEqual(one)
      expect(await store.accounts.update(one.id, { email: one.email })).toEqual(one)
      const email = address()
      const answers = await atOnce((access, index) => access.accounts.update(index % 2 ? one.id : two.id, { email }))
      const holder = await store.accounts.byEmail(email)
      expect(answers.filter((answer) => answer === 'taken')).toHaveLength(10)
      expect(answers.filter((answer) => typeof answer === 'object' && answer.id === holder?.id)).toHaveLength(10)
    })

    test('take with them all that is theirs, and nothing of others', async () => {
      const [gone, stays] = [await someAccount(), await someAccount()]
      const mine = await Promise.all([gone, stays].map(({ id }) => everythingOf(id)))
      expect(await store.accounts.remove(gone.id)).toBe(true)
      expect(await store.accounts.remove(gone.id)).toBe(false)
      expect(await store.accounts.get(gone.id)).toBeUndefined()
      for (const [index, left] of [[], [true]].entries()) {
        const { accountId, ...ids } = mine[index] ?? { accountId: '', session: '', code: '', challenge: '' }
        expect((await store.sessions.ofAccount(accountId)).map(() => true)).toEqual(left)
        expect((await store.factors.ofAccount(accountId)).map(() => true)).toEqual(left)
        expect((await store.codes.ofAccount(accountId, 'signup')) !== undefined).toBe(index === 1)
        expect(await store.factors.takeChallenge(ids.challenge, IP)).toBe(index === 1)
      }
    })

    test('that have gone get nothing more, and whoever asks is told', async () => {
      const accountId = randomUUID()
      await expect(store.sessions.create(session({ accountId }))).rejects.toMatchObject(failure)
      await expect(store.codes.put(code({ accountId }))).rejects.toThrow(/removed meanwhile.*nothing was stored/)
      await expect(store.factors.create(factor({ accountId }))).rejects.toMatchObject(failure)
      await expect(store.factors.putChallenge(challenge(randomUUID()))).rejects.toMatchObject(failure)
    })
  })

  test('answers any run of requests as plain lists of plain things do', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRequest, { minLength: 10, maxLength: 60 }), async (requests) => {
        const [model, mark] = [accessModel(), randomUUID()]
        for (const [index, { which, one, two, number }] of requests.entries()) {
          const names = { one: `${one}-${mark}`, two: `${two}-${mark}`, number }
          const ask = async (access: Modeled) => outcomeOf(REQUESTS[which]?.(access, names))
          expect(await ask((stores[index % 2] ?? stores[0]).access)).toEqual(await ask(model))
        }
      }),
      { numRuns: 30 },
    )
  })

  describe('texts that cannot be kept', () => {
    const hostile = ['', 'a\0@x', 'a\uD800@x', `${'a'.repeat(600)}@x`]

    test('are not address, id or hash', async () => {
      for (const text of hostile) {
        await expect(store.accounts.create(account({ email: text }))).rejects.toMatchObject(failure)
        await expect(store.members.put({ ...member(), email: text })).rejects.toMatchObject(failure)
        await expect(store.tokens.create(token({ hash: text }))).rejects.toMatchObject(failure)
      }
    })

    test('find nothing, and never what is like them', async () => {
      const alike = `a\uFFFD${randomUUID()}@x`
      await someAccount({ email: alike })
      const cut = `${'b'.repeat(460)}${randomUUID()}`
      await store.members.put({ ...member(), email: cut })
      for (const text of [...hostile, alike.replace('\uFFFD', '\0'), `${cut}${'c'.repeat(40)}`]) {
        expect(await store.accounts.byEmail(text)).toBeUndefined()
        expect(await store.accounts.get(text)).toBeUndefined()
        expect(await store.accounts.update(text, { updatedAt: at(1) })).toBeUndefined()
        expect(await store.accounts.remove(text)).toBe(false)
        expect(await store.members.get(text)).toBeUndefined()
        expect(await store.sessions.get(text)).toBeUndefined()
        expect(await store.sessions.advance(text, 0, { ip: '' })).toBeUndefined()
        expect(await store.codes.byHash(text)).toBeUndefined()
        expect(await store.codes.sentTo(text, 'signup')).toEqual([])
        expect(await store.codes.countTry(text)).toBe(0)
        expect(await store.codes.take(text)).toBe(false)
        expect(await store.factors.useStep(text, 1)).toBe(false)
        expect(await store.factors.takeChallenge(text, IP)).toBe(false)
        expect(await store.tokens.byHash(text)).toBeUndefined()
        expect(await store.tokens.revoke(text, NOW)).toBeUndefined()
        await store.tokens.touch(text, NOW)
      }
      expect(await store.members.get(cut)).toBeDefined()
    })

    test('are mended where they only describe', async () => {
      const made = await someSession({ userAgent: `M\0zilla\uD800${'x'.repeat(9000)}` })
      expect((await store.sessions.get(made.id))?.userAgent).toMatch(/^M\uFFFDzilla\uFFFDx{492}$/)
    })

    test('and times that are none are told, not stored', async () => {
      await expect(store.accounts.create(account({ createdAt: instant(Number.NaN) }))).rejects.toMatchObject(failure)
      await expect(store.sessions.prune(instant(Infinity), NOW)).rejects.toMatchObject(failure)
    })
  })

  describe('identities', () => {
    test('have one account each: of twenty that come at once, one is kept', async () => {
      const subject = randomUUID()
      const all = await Promise.all(Array.from({ length: 20 }, async () => identity((await someAccount()).id, subject)))
      const made = await atOnce((access, index) => access.identities.add(all[index] ?? identity('')))
      expect(made.filter(Boolean)).toHaveLength(1)
      expect(await stores[1].access.identities.find('https://sso.example.com', subject)).toEqual(
        all[made.indexOf(true)],
      )
      expect(await store.identities.find('https://other.example.com', subject)).toBeUndefined()
      expect(await store.identities.find('https://sso.example.com', 'x'.repeat(1_000_000))).toBeUndefined()
    })

    test('go with their account, and need one', async () => {
      const { id } = await someAccount()
      const made = identity(id)
      await store.identities.add(made)
      expect(await store.identities.ofAccount(id)).toEqual([made])
      await store.accounts.remove(id)
      expect(await store.identities.find(made.issuer, made.subject)).toBeUndefined()
      expect(await store.identities.ofAccount(id)).toEqual([])
      await expect(store.identities.add(made)).rejects.toMatchObject(failure)
    })
  })

  describe('sessions', () => {
    test('come back as they were made, the newest refresh first', async () => {
      const { id: accountId } = await someAccount()
      const full = { aal: 'aal2', factorId: randomUUID(), notAfter: at(60), refreshCounter: 2 ** 40 } as const
      const old = await someSession({ accountId, refreshedAt: at(1), ...full })
      const fresh = await someSession({ accountId, refreshedAt: at(3) })
      const between = await someSession({ accountId, refreshedAt: at(2) })
      expect(await store.sessions.get(old.id)).toEqual(old)
      expect(await store.sessions.ofAccount(accountId)).toEqual([fresh, between, old])
      expect(await store.sessions.ofAccount('nobody')).toEqual([])
      await expect(store.sessions.create(old)).rejects.toThrow(/already exists/)
    })

    test('are found by what the sign-in provider calls them', async () => {
      const providerSession = randomUUID()
      const old = await someSession({ providerSession, refreshedAt: at(1) })
      const fresh = await someSession({ providerSession, refreshedAt: at(2) })
      await someSession({ providerSession: randomUUID() })
      await someSession()
      expect(await store.sessions.get(old.id)).toEqual(old)
      expect(await stores[1].access.sessions.ofProvider(providerSession)).toEqual([fresh, old])
      expect(await store.sessions.ofProvider('')).toEqual([])
    })

    test('advance once from one counter, however many ask at the same moment', async () => {
      const made = await someSession({ refreshCounter: 7 })
      const answers = await atOnce((access, index) =>
        access.sessions.advance(made.id, 7, { refreshCounter: 8, refreshedAt: at(index), ip: `10.0.0.${index}` }),
      )
      const advanced = answers.filter((answer) => answer !== undefined)
      expect(advanced).toHaveLength(1)
      expect(await store.sessions.get(made.id)).toEqual(advanced[0])
      expect(advanced[0]).toEqual({
        ...made,
        refreshCounter: 8,
        refreshedAt: at(answers.indexOf(advanced[0])),
        ip: advanced[0]?.ip,
      })
      expect(await store.sessions.advance(made.id, 7, { refreshCounter: 8 })).toBeUndefined()
      expect(await store.sessions.advance(made.id, 8, { refreshCounter: 9 })).toEqual({
        ...advanced[0],
        refreshCounter: 9,
      })
    })

    test('change what a change names, and go one by one or all but one', async () => {
      const { id: accountId } = await someAccount()
      const [one, two, three] = [
        await someSession({ accountId, factorId: 'f', aal: 'aal2', notAfter: at(1) }),
        await someSession({ accountId }),
        await someSession({ accountId }),
      ]
      const other = await someSession()
      const change = { aal: 'aal1', factorId: undefined, methods: [{ method: 'otp', at: 1 }] } as const
      expect(await store.sessions.update(one.id, change)).toEqual({ ...one, ...change })
      expect(await store.sessions.update(randomUUID(), change)).toBeUndefined()
      expect(await store.sessions.remove(two.id)).toBe(true)
      expect(await store.sessions.remove(two.id)).toBe(false)
      expect(await store.sessions.removeOf(accountId, one.id)).toBe(1)
      expect(await store.sessions.get(three.id)).toBeUndefined()
      expect(await store.sessions.removeOf(accountId)).toBe(1)
      expect(await store.sessions.get(other.id)).toEqual(other)
    })

    test('that are over or stale are pruned, to the millisecond', async () => {
      const { id: accountId } = await someAccount()
      const over = await someSession({ accountId, notAfter: longAgo(0) })
      const stale = await someSession({ accountId, refreshedAt: longAgo(-1001) })
      const kept = [
        await someSession({ accountId, notAfter: longAgo(1), refreshedAt: longAgo(2) }),
        await someSession({ accountId, refreshedAt: longAgo(-1000) }),
      ]
      expect(await store.sessions.prune(longAgo(0), longAgo(-1000))).toBe(2)
      expect(await store.sessions.ofAccount(accountId)).toEqual(kept)
      expect([await store.sessions.get(over.id), await store.sessions.get(stale.id)]).toEqual([undefined, undefined])
      await store.accounts.remove(accountId)
    })
  })

  describe('codes', () => {
    test('replace the one of their kind, and come back by hash, kind and address', async () => {
      const first = await someCode({ kind: 'recovery' })
      const { accountId, sentTo } = first
      const other = await someCode({ accountId, sentTo, kind: 'magiclink' })
      const second = await someCode({ accountId, sentTo, kind: 'recovery', createdAt: at(1) })
      expect(await store.codes.byHash(first.hash)).toBeUndefined()
      expect(await store.codes.byHash(second.hash)).toEqual(second)
      expect(await store.codes.ofAccount(accountId, 'recovery')).toEqual(second)
      expect(await store.codes.ofAccount(accountId, 'magiclink')).toEqual(other)
      expect(await store.codes.ofAccount(accountId, 'signup')).toBeUndefined()
      const waiting = await someCode({ sentTo, kind: 'recovery', createdAt: at(2) })
      expect(await store.codes.sentTo(sentTo, 'recovery')).toEqual([waiting, second])
    })

    test('with the hash of another replace it, so that a hash finds one', async () => {
      const first = await someCode()
      const second = await someCode({ hash: first.hash, kind: 'recovery' })
      expect(await store.codes.byHash(first.hash)).toEqual(second)
      expect(await store.codes.take(first.id)).toBe(false)
    })

    test('of one kind that are put at once leave one', async () => {
      const { id: accountId } = await someAccount()
      const all = Array.from({ length: 20 }, () => code({ accountId }))
      await atOnce((access, index) => access.codes.put(all[index] ?? code()))
      const left = await Promise.all(all.map(({ hash }) => store.codes.byHash(hash)))
      expect(left.filter((each) => each !== undefined)).toEqual([await store.codes.ofAccount(accountId, 'signup')])
    })

    test('count each wrong try, and are taken once', async () => {
      const made = await someCode()
      const tries = await atOnce((access) => access.codes.countTry(made.id))
      expect(tries.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
      expect((await store.codes.byHash(made.hash))?.tries).toBe(20)
      expect((await atOnce((access) => access.codes.take(made.id))).filter(Boolean)).toHaveLength(1)
      expect(await store.codes.countTry(made.id)).toBe(0)
    })

    test('go with their account or when they are over', async () => {
      const { accountId } = await someCode()
      await someCode({ accountId, kind: 'recovery' })
      const other = await someCode()
      await store.codes.removeOf(accountId)
      expect(await store.codes.ofAccount(accountId, 'recovery')).toBeUndefined()
      expect(await store.codes.byHash(other.hash)).toEqual(other)
      const over = await someCode({ expiresAt: longAgo(0) })
      const still = await someCode({ expiresAt: longAgo(1) })
      expect(await store.codes.prune(longAgo(0))).toBe(1)
      expect(await store.codes.byHash(over.hash)).toBeUndefined()
      expect(await store.codes.prune(longAgo(1))).toBe(1)
      expect(await store.codes.byHash(still.hash)).toBeUndefined()
    })
  })

  describe('factors', () => {
    test('come back as they were made, oldest first, with one name each', async () => {
      const made = await someFactor({ createdAt: at(2), friendlyName: 'phone', secret: new Uint8Array([0, 255, 1]) })
      const { accountId } = made
      const older = await someFactor({
        accountId,
        friendlyName: '',
        lastStep: 5,
        lastChallengedAt: at(1),
        createdAt: at(1),
      })
      expect(await store.factors.get(made.id)).toEqual(made)
      expect(await store.factors.ofAccount(accountId)).toEqual([older, made])
      expect(await store.factors.create(factor({ accountId, friendlyName: 'phone' }))).toBe(false)
      const nameless = factor({ accountId, friendlyName: '' })
      expect(await store.factors.create(nameless)).toBe(true)
      expect(await store.factors.create(factor({ accountId: (await someAccount()).id, friendlyName: 'phone' }))).toBe(
        true,
      )
      await expect(store.factors.update(nameless.id, { friendlyName: 'phone' })).rejects.toMatchObject(failure)
      const same = await atOnce((access) => access.factors.create(factor({ accountId, friendlyName: 'key' })))
      expect(same.filter(Boolean)).toHaveLength(1)
    })

    test('change what a change names, and go with their challenges', async () => {
      const made = await someFactor()
      const change = { status: 'verified', lastChallengedAt: at(3), updatedAt: at(3) } as const
      expect(await store.factors.update(made.id, change)).toEqual({ ...made, ...change })
      expect(await store.factors.update('none', change)).toBeUndefined()
      const shown = challenge(made.id)
      await store.factors.putChallenge(shown)
      expect(await store.factors.remove(made.id)).toBe(true)
      expect(await store.factors.remove(made.id)).toBe(false)
      expect(await store.factors.getChallenge(shown.id)).toBeUndefined()
    })

    test('accept a time step once, and none that is older', async () => {
      const made = await someFactor()
      expect((await atOnce((access) => access.factors.useStep(made.id, 58_000_000))).filter(Boolean)).toHaveLength(1)
      expect(await store.factors.useStep(made.id, 57_999_999)).toBe(false)
      expect(await store.factors.useStep(made.id, 58_000_001)).toBe(true)
      expect((await store.factors.get(made.id))?.lastStep).toBe(58_000_001)
    })

    test('have challenges that are taken once', async () => {
      const shown = challenge((await someFactor()).id)
      await store.factors.putChallenge(shown)
      expect(await store.factors.getChallenge(shown.id)).toEqual(shown)
      expect(await store.factors.takeChallenge(shown.id, '198.51.100.7')).toBe(false)
      expect((await atOnce((access) => access.factors.takeChallenge(shown.id, IP))).filter(Boolean)).toHaveLength(1)
      expect(await store.factors.getChallenge(shown.id)).toBeUndefined()
    })

    test('that were never verified are pruned, and challenges that are over', async () => {
      const made = await someFactor({ createdAt: longAgo(-1001) })
      const { accountId } = made
      await someFactor({ accountId, friendlyName: 'verified', status: 'verified', createdAt: longAgo(-1001) })
      await someFactor({ accountId, friendlyName: 'young', createdAt: longAgo(-1000) })
      const [over, lost] = [challenge(made.id, longAgo(0)), challenge(made.id, longAgo(1))]
      for (const each of [over, lost]) await store.factors.putChallenge(each)
      expect(await store.factors.prune(longAgo(0), longAgo(-1000))).toBe(2)
      const left = await store.factors.ofAccount(accountId)
      expect(left.map(({ friendlyName }) => friendlyName)).toEqual(['verified', 'young'])
      expect(await store.factors.getChallenge(lost.id)).toBeUndefined()
      await store.accounts.remove(accountId)
    })
  })

  test('of signing keys that servers bring at once, one is kept, and the newest comes first', async () => {
    const brought = Array.from({ length: 20 }, (_, index) => key({ createdAt: at(index) }))
    const answers = await atOnce((access, index) => access.keys.addIfNone(brought[index] ?? key()))
    const keys = await store.keys.list()
    expect(keys.filter((each) => each.sealedPrivateJwk !== undefined)).toHaveLength(1)
    for (const answer of answers) expect(answer).toEqual(keys)
    expect(brought).toContainEqual(keys[0])
    expect(await store.keys.addIfNone(key())).toEqual(keys)
  })

  test('a new signing key takes the place of the others, which go once they were followed for long enough', async () => {
    const [first, second, third] = [
      key({ createdAt: at(100) }),
      key({ createdAt: at(200) }),
      key({ createdAt: at(300) }),
    ]
    for (const each of [first, second, third]) await store.keys.rotate(each)
    const kids = async () => (await store.keys.list()).map(({ kid }) => kid)
    expect((await kids()).slice(0, 3)).toEqual([third.kid, second.kid, first.kid])
    const signing = (await store.keys.list()).filter(({ sealedPrivateJwk }) => sealedPrivateJwk !== undefined)
    expect(signing).toEqual([third])
    expect(await store.keys.addIfNone(key())).toEqual(await store.keys.list())
    await store.keys.prune(at(250))
    expect(await kids()).toEqual([third.kid, second.kid])
    expect(await store.keys.prune(at(301))).toBe(1)
    expect(await kids()).toEqual([third.kid])
  })

  test('members are put, replaced, listed by address and removed', async () => {
    const mark = randomUUID()
    const [b, a] = ['b', 'a'].map((name) => ({ ...member(), email: `${name}@${mark}` }))
    if (a === undefined || b === undefined) throw new Error('two members were drawn')
    for (const each of [b, a, { ...b, role: 'admin', namespaces: ['team-a'], until: at(7) } as const])
      await store.members.put(each)
    const expected = [a, { ...b, role: 'admin', namespaces: ['team-a'], until: at(7) }]
    expect((await store.members.list()).filter(({ email }) => email.endsWith(mark))).toEqual(expected)
    expect(await stores[1].access.members.get(b.email)).toEqual(expected[1])
    await store.members.put(b)
    expect(await store.members.get(b.email)).toEqual(b)
    expect(await store.members.remove(b.email)).toBe(true)
    expect(await store.members.remove(b.email)).toBe(false)
    expect(await store.members.get(b.email)).toBeUndefined()
  })

  test('tokens are found by hash, remember their last use and are revoked once', async () => {
    const old = token({ createdAt: at(1), namespaces: ['a'], clusters: [], account: randomUUID(), expiresAt: at(90) })
    const fresh = token({ createdAt: at(2) })
    for (const each of [old, fresh]) await store.tokens.create(each)
    const mine = async () => (await store.tokens.list()).filter(({ id }) => [old.id, fresh.id].includes(id))
    expect(await mine()).toEqual([fresh, old])
    expect(await store.tokens.byHash(old.hash)).toEqual(old)
    await expect(store.tokens.create(token({ hash: old.hash }))).rejects.toMatchObject(failure)
    await store.tokens.touch(old.id, at(9))
    await store.tokens.touch(old.id, at(8))
    expect((await store.tokens.byHash(old.hash))?.lastUsedAt).toBe(at(9))
    const revoked = await atOnce((access) => access.tokens.revoke(old.id, at(10)))
    expect(revoked.filter((each) => each !== undefined)).toEqual([{ ...old, lastUsedAt: at(9), revokedAt: at(10) }])
    expect(await mine()).toEqual([fresh, { ...old, lastUsedAt: at(9), revokedAt: at(10) }])
  })

  describe('requests of command lines to be signed in', () => {
    test('come back as they were made, by id and by code', async () => {
      const [made, bare] = [login({}), login({ callback: undefined, role: undefined })]
      for (const each of [made, bare]) await store.logins.create(each)
      for (const each of [made, bare]) {
        expect(await store.logins.get(each.id)).toEqual(each)
        expect(await store.logins.byCode(each.codeHash)).toEqual(each)
      }
      await expect(store.logins.create(login({ codeHash: made.codeHash }))).rejects.toMatchObject(failure)
      for (const text of ['', 'x\0', made.id.slice(1)]) {
        expect(await store.logins.get(text)).toBeUndefined()
        expect(await store.logins.byCode(text)).toBeUndefined()
      }
    })

    test('are decided once and taken once, however many try at the same moment', async () => {
      const made = login({})
      await store.logins.create(made)
      const decided = await atOnce((access, index) => access.logins.decide(made.id, allowed(index)))
      expect(decided.filter(Boolean)).toHaveLength(1)
      expect(await store.logins.decide(made.id, { kind: 'denied' })).toBe(false)
      expect((await store.logins.get(made.id))?.decision).toEqual(allowed(decided.indexOf(true)))
      expect((await atOnce((access) => access.logins.take(made.id))).filter(Boolean)).toHaveLength(1)
      expect(await store.logins.get(made.id)).toBeUndefined()
      expect(await store.logins.decide(made.id, { kind: 'denied' })).toBe(false)
    })

    test('that are over are pruned, to the millisecond', async () => {
      const [over, waiting] = [login({ expiresAt: longAgo(9) }), login({ expiresAt: longAgo(10) })]
      for (const each of [over, waiting]) await store.logins.create(each)
      expect(await store.logins.prune(longAgo(9))).toBe(1)
      expect(await store.logins.get(over.id)).toBeUndefined()
      expect(await store.logins.get(waiting.id)).toEqual(waiting)
      await store.logins.take(waiting.id)
    })
  })

  describe('the audit', () => {
    test('is one unbroken chain, however many append at once', async () => {
      const [actor] = [address()]
      const made = await atOnce((access, index) => access.audit.append(fact({ actor, object: String(index) }), seal))
      expect(new Set(made.map(({ seq }) => seq)).size).toBe(20)
      const listed = await store.audit.list({ limit: 100, actor })
      expect(listed).toEqual(made.toSorted((a, b) => b.seq - a.seq))
      expectChain(await wholeAudit())
    })

    test('is listed newest first, page by page, by who and by what', async () => {
      const [actor, action] = [address(), `test.${randomUUID()}`]
      const made: AuditEntry[] = []
      for (const change of [{ actor }, { actor, action }, { action }]) {
        made.unshift(await store.audit.append(fact(change), seal))
      }
      expect(await store.audit.list({ limit: 3 })).toEqual(made)
      expect(await store.audit.list({ limit: 1, before: made[0]?.seq ?? 0 })).toEqual([made[1]])
      expect(await store.audit.list({ limit: 9, actor })).toEqual(made.slice(1))
      expect(await store.audit.list({ limit: 9, action })).toEqual(made.slice(0, 2))
      expect(await store.audit.list({ limit: 9, action, actor })).toEqual([made[1]])
      expect(await store.audit.list({ limit: 9, actor: `${actor}%` })).toEqual([])
    })

    test('seals what is kept: every fact reads again as it was sealed', async () => {
      const anyFact = fc.record({
        actor: fc.string({ unit: 'binary', maxLength: 600 }),
        object: fc.string({ unit: 'binary' }),
        ip: fc.string(),
        details: fc.dictionary(
          fc.string({ unit: 'binary' }),
          fc.oneof(fc.string({ unit: 'binary' }), fc.double(), fc.boolean()),
        ),
      })
      await fc.assert(
        fc.asyncProperty(anyFact, async (changed) => {
          const made = await store.audit.append(fact({ ...changed, actor: `${changed.actor}\0\uD800` }), seal)
          const [read] = await store.audit.list({ limit: 1 })
          expect(read).toStrictEqual(made)
          expect(JSON.stringify(read)).toBe(JSON.stringify(made))
          expect(seal.entry(read ?? made)).toBe(made.hash)
        }),
        { numRuns: 50 },
      )
    })

    test('leaves no gap where a fact could not be sealed', async () => {
      const before = (await store.audit.list({ limit: 1 }))[0]?.seq ?? 0
      await expect(store.audit.append(fact({ at: instant(Number.NaN) }), seal)).rejects.toMatchObject(failure)
      await expect(
        store.audit.append(fact(), {
          ...seal,
          entry: () => {
            throw new Error('no key')
          },
        }),
      ).rejects.toThrow(/no key/)
      expect((await store.audit.append(fact(), seal)).seq).toBe(before + 1)
    })

    test('keeps what came at once with a fact that cannot be sealed', async () => {
      const actor = address()
      const asked = atOnce(async (access, index) =>
        outcomeOf(access.audit.append(fact({ actor, at: instant(index === 7 ? Number.NaN : index) }), seal)),
      )
      const refused = (await asked).map((outcome) => JSON.stringify(outcome).includes('refused'))
      expect(refused).toEqual(Array.from({ length: 20 }, (_, index) => index === 7))
      expect(await store.audit.list({ limit: 20, actor })).toHaveLength(19)
      expectChain(await wholeAudit())
    })

    test('signs where it ends, once for whoever appended', async () => {
      const made = await atOnce((access) => access.audit.append(fact(), seal))
      const { seq, hash } = made.toSorted((a, b) => b.seq - a.seq)[0] ?? { seq: 0, hash: '' }
      const head = { seq, hash, signature: seal.head({ seq, hash }) }
      expect(await Promise.all(stores.map(({ access }) => access.audit.head()))).toEqual([head, head])
    })

    test('is read whole in batches of 500', async () => {
      const more = 1001 - (await wholeAudit()).length
      await Promise.all(Array.from({ length: Math.max(0, more) }, () => store.audit.append(fact(), seal)))
      const sizes: number[] = []
      for await (const batch of store.audit.all()) sizes.push(batch.length)
      const total = (await wholeAudit()).length
      expect(sizes.slice(0, 2)).toEqual([500, 500])
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(total)
      expectChain(await wholeAudit())
    })
  })

  test('mails are listed newest first and pruned when they are old', async () => {
    const [one, two] = [mail({ at: ahead(1), text: `${'long '.repeat(500)}\n` }), mail({ at: ahead(2) })]
    const old = mail({ at: longAgo(0) })
    for (const each of [one, two, old]) await store.mails.add(each)
    expect(await store.mails.list(2)).toEqual([two, one])
    expect(await store.mails.prune(old.at)).toBe(0)
    expect(await store.mails.prune(instant(old.at + 1))).toBe(1)
    expect(await store.mails.list(2)).toEqual([two, one])
    expect(await store.mails.prune(ahead(3))).toBeGreaterThanOrEqual(2)
  })
}

/** What a request of a random run names: few enough things that requests meet each other. */
type Names = { readonly one: string; readonly two: string; readonly number: number }
const REQUESTS: ReadonlyArray<(access: Modeled, names: Names) => Promise<unknown>> = [
  ({ accounts }, { one, two }) => accounts.create(account({ id: one, email: two })),
  ({ accounts }, { one, two, number }) => accounts.update(one, { email: two, bannedUntil: at(number) }),
  ({ accounts }, { one }) => accounts.remove(one),
  ({ accounts }, { one, two }) => Promise.all([accounts.get(one), accounts.byEmail(two)]),
  ({ sessions }, { one, two }) => sessions.create(session({ id: two, accountId: one })),
  ({ sessions }, { two, number }) => sessions.advance(two, number, { refreshCounter: number + 1 }),
  ({ sessions }, { two, number }) => sessions.update(two, { refreshedAt: at(number), factorId: undefined }),
  ({ sessions }, { one, two, number }) => sessions.removeOf(one, number > 1 ? two : undefined),
  ({ sessions }, { one }) => sessions.ofAccount(one),
  ({ codes }, { one, two, number }) =>
    codes.put(code({ id: `${two}${number}`, accountId: one, hash: two, sentTo: one, createdAt: at(number) })),
  ({ codes }, { one, two, number }) =>
    codes.put(code({ id: `${two}${number}`, accountId: one, hash: `${two}2`, sentTo: one, kind: 'recovery' })),
  ({ codes }, { two, number }) => codes.countTry(`${two}${number}`),
  ({ codes }, { two, number }) => codes.take(`${two}${number}`),
  ({ codes }, { one, two }) => Promise.all([codes.byHash(two), codes.sentTo(one, 'signup')]),
  ({ factors }, { one, two, number }) =>
    factors.create(factor({ id: two, accountId: one, friendlyName: number > 1 ? 'phone' : '' })),
  ({ factors }, { two, number }) =>
    factors.update(two, number > 2 ? { friendlyName: 'phone' } : { updatedAt: at(number) }),
  ({ factors }, { two, number }) => factors.useStep(two, number),
  ({ factors }, { one, two, number }) =>
    factors.putChallenge({ id: two, factorId: one, ip: number > 1 ? IP : '', expiresAt: NOW }),
  ({ factors }, { two, number }) => factors.takeChallenge(two, number > 1 ? IP : ''),
  ({ factors }, { two }) => factors.remove(two),
  ({ factors }, { one }) => factors.ofAccount(one),
]

const anyRequest = fc.record({
  which: fc.nat(REQUESTS.length - 1),
  one: fc.constantFrom('a', 'b'),
  two: fc.constantFrom('a', 'b', 'c'),
  number: fc.nat(3),
})

/** What came of a request: who refuses for the same reason does so in the same words. */
const outcomeOf = (asked: Promise<unknown> | undefined): Promise<unknown> | undefined =>
  asked?.then(
    (value) => ({ value }),
    (error: unknown) => ({ refused: String(error) }),
  )

const sealEntry = (entry: Omit<AuditEntry, 'hash'>): string => {
  const { seq, at: when, actor, action, object, outcome, ip, details, previousHash } = entry
  const sealed = JSON.stringify([seq, when, actor, action, object, outcome, ip, details, previousHash])
  return createHash('sha256').update(sealed).digest('hex')
}
const seal = { entry: sealEntry, head: ({ seq, hash }: Pick<AuditEntry, 'seq' | 'hash'>) => `${seq} ${hash}` }

function expectChain(entries: readonly AuditEntry[]): void {
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1))
  expect(entries.map(({ previousHash }) => previousHash)).toEqual(['', ...entries.map(({ hash }) => hash).slice(0, -1)])
  expect(entries.map(sealEntry)).toEqual(entries.map(({ hash }) => hash))
}

const address = (): string => `${randomUUID()}@example.com`

const account = (changed: Partial<Account> = {}): Account => ({
  id: randomUUID(),
  email: address(),
  passwordHash: undefined,
  appMetadata: {},
  userMetadata: {},
  emailConfirmedAt: undefined,
  invitedAt: undefined,
  lastSignInAt: undefined,
  bannedUntil: undefined,
  newEmail: undefined,
  mailSentAt: {},
  createdAt: NOW,
  updatedAt: NOW,
  ...changed,
})

const session = (changed: Partial<Session> = {}): Session => ({
  id: randomUUID(),
  accountId: randomUUID(),
  aal: 'aal1',
  factorId: undefined,
  methods: [
    { method: 'totp', at: 1_795_000_001 },
    { method: 'password', at: 1_795_000_000 },
  ],
  refreshCounter: 0,
  createdAt: NOW,
  refreshedAt: NOW,
  userAgent: 'Firefox',
  ip: '192.0.2.1',
  notAfter: undefined,
  providerSession: undefined,
  ...changed,
})

const code = (changed: Partial<MailCode> = {}): MailCode => ({
  id: randomUUID(),
  accountId: randomUUID(),
  kind: 'signup',
  hash: randomUUID(),
  sentTo: address(),
  tries: 0,
  createdAt: NOW,
  expiresAt: at(60),
  ...changed,
})

const factor = (changed: Partial<Factor> = {}): Factor => ({
  id: randomUUID(),
  accountId: randomUUID(),
  friendlyName: randomUUID(),
  status: 'unverified',
  secret: new Uint8Array([1, 2, 3]),
  lastStep: undefined,
  lastChallengedAt: undefined,
  createdAt: NOW,
  updatedAt: NOW,
  ...changed,
})

const challenge = (factorId: string, expiresAt = at(5)) => ({ id: randomUUID(), factorId, ip: IP, expiresAt })

const key = (changed: Partial<SigningKey> = {}): SigningKey => ({
  kid: randomUUID(),
  publicJwk: { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' },
  sealedPrivateJwk: new Uint8Array([9, 8, 7]),
  createdAt: NOW,
  ...changed,
})

const identity = (accountId: string, subject: string = randomUUID()): ExternalIdentity => ({
  issuer: 'https://sso.example.com',
  subject,
  accountId,
  createdAt: at(1),
})

const member = () =>
  ({ email: address(), role: 'operator', namespaces: undefined, until: undefined, updatedAt: NOW }) as const

const allowed = (index: number) =>
  ({
    kind: 'allowed',
    by: `p${index}@x.test`,
    account: `account-${index}`,
    role: 'viewer',
    namespaces: ['a'],
    grantHash: 'g',
  }) as const

const login = (changed: Partial<LoginRequest>): LoginRequest => ({
  id: randomUUID(),
  codeHash: randomUUID(),
  machine: 'build-7.example',
  ip: IP,
  challenge: 'c'.repeat(43),
  callback: { url: 'http://127.0.0.1:4711/callback', state: 's' },
  role: 'operator',
  decision: undefined,
  createdAt: NOW,
  expiresAt: at(10),
  ...changed,
})

const token = (changed: Partial<ApiToken> = {}): ApiToken => ({
  id: randomUUID(),
  name: 'scraper',
  prefix: 'septet_ab',
  hash: randomUUID(),
  role: 'viewer',
  namespaces: undefined,
  clusters: undefined,
  createdBy: address(),
  account: undefined,
  createdAt: NOW,
  expiresAt: undefined,
  lastUsedAt: undefined,
  revokedAt: undefined,
  ...changed,
})

const fact = (changed: Partial<AuditFact> = {}): AuditFact => ({
  at: NOW,
  actor: 'system',
  action: 'account.sign-in',
  object: '',
  outcome: 'done',
  ip: '192.0.2.1',
  details: { b: 1, a: 'text', 2: true },
  ...changed,
})

const mail = (changed: Partial<Mail> = {}): Mail => ({
  id: randomUUID(),
  at: NOW,
  to: address(),
  kind: 'magiclink',
  subject: 'Sign in',
  text: 'Your code is 123456.',
  outcome: 'sent',
  ...changed,
})
