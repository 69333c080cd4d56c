import { describe, expect, test } from 'vitest'

import { clientOf, openTestAuth, OWNER } from './open-test-auth.fixture.ts'
import { isTooLong, needGoodPassword, weaknessOf } from './password-rules.ts'
import { openPasswords } from './passwords.ts'

const IP = '192.0.2.1'
const EMAIL = 'ann.smith@kite.example'

describe('hashing', () => {
  test('is argon2id with the parameters that OWASP names, salted', async () => {
    const passwords = openPasswords()
    const [one, two] = await Promise.all([passwords.hash('a password'), passwords.hash('a password')])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/u)
    expect(one).not.toBe(two)
    expect(await passwords.matches(one, 'a password', IP)).toBe(true)
    expect(await passwords.matches(one, 'A password', IP)).toBe(false)
    expect(await passwords.matches(one, '', IP)).toBe(false)
  })
  test('the same characters typed in another way are the same password', async () => {
    const passwords = openPasswords()
    expect(await passwords.matches(await passwords.hash('caf\u00E9'), 'cafe\u0301', IP)).toBe(true)
  })
  test('nobody’s password matches nothing', async () => {
    const passwords = openPasswords()
    expect(await passwords.matches(undefined, 'a password', IP)).toBe(false)
    expect(await passwords.matches(undefined, '', IP)).toBe(false)
  })
  test('a hash that cannot be read fails, and the next in line still runs', async () => {
    const passwords = openPasswords({ atOnce: 1 })
    const known = await passwords.hash('x')
    const answers = await Promise.allSettled([passwords.matches('no hash', 'x', IP), passwords.matches(known, 'x', IP)])
    expect(answers).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled', value: true }])
  })
  test('more than fit in the queue are asked to come back, and those in it are served', async () => {
    const passwords = openPasswords({ atOnce: 1, mostWaiting: 3 })
    const answers = await Promise.allSettled(Array.from({ length: 10 }, () => passwords.hash('x')))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
    const refused = answers.find((answer) => answer.status === 'rejected')
    expect(refused?.reason).toMatchObject({ status: 429, retryAfter: 5 })
    expect(await passwords.hash('x')).toContain('argon2id')
  })
  test('the one address of a stranger cannot fill the queue for the others; a /64 of IPv6 is one address', async () => {
    const passwords = openPasswords({ atOnce: 1, mostWaiting: 4 })
    const stranger = Array.from({ length: 10 }, (_, at) => passwords.hash('x', `2001:db8::${at}`))
    const owner = passwords.hash('x', '192.0.2.1')
    const answers = await Promise.allSettled(stranger)
    expect(await owner).toContain('argon2id')
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
  })
})

describe('what may be chosen', () => {
  test.each([
    'brisk walnut ferry lantern',
    'purple-otter-93-lamp',
    'a long enough password',
    'michael jordan eats here',
    '830294715620',
    'Xk7#mQ2$vB9!',
    'jd83hs72kd92',
    'zwölf Boxkämpfer',
    'почему бы и нет',
    '一二三四五六七八九十百千',
    'x7Kp'.concat('vR2mQw9z'),
  ])('%s', async (password) => expect(await weaknessOf(password, EMAIL)).toBeUndefined())
  test.each([
    ['', 'length'],
    ['elevenchars', 'length'],
    ['😀😀😀😀😀😀😀', 'length'],
    ['aaaaaaaaaaaaaaaa', 'characters'],
    ['abababababababab', 'characters'],
    ['123456789012345', 'characters'],
    ['abcdefghijklmnop', 'characters'],
    ['qwertyuiopasdfgh', 'characters'],
    ['passwordpassword', 'characters'],
    ['P@ssw0rd123456', 'characters'],
    ['Password12345!', 'characters'],
    ['ann.smith12345', 'characters'],
    ['ann.smith@kite.example', 'characters'],
    ['septetseptet2025', 'characters'],
    ['adminadmin1234', 'characters'],
    ['zyxwvutsrqpo', 'characters'],
    ['            ', 'characters'],
    ['1q2w3e4r5t6y', 'characters'],
    ['!QAZ2wsx#EDC', 'characters'],
    ['1qaz@WSX3edc', 'characters'],
    ['!@#$%^&*()!@', 'characters'],
    ['correcthorsebatterystaple', 'pwned'],
    ['Correct-Horse-Battery-Staple-9', 'pwned'],
    ['qazwsxedcrfv', 'characters'],
    ['q1w2e3r4t5y6', 'characters'],
    ['liverpool2019', 'pwned'],
    ['L1verp00l!2019', 'pwned'],
    ['michaeljordan', 'pwned'],
    ['letmeinplease', 'characters'],
    ['charlie-chelsea', 'pwned'],
  ])('not %j: %s', async (password, reason) => {
    expect(await weaknessOf(password, EMAIL)).toBe(reason)
    await expect(needGoodPassword(password, EMAIL)).rejects.toMatchObject({
      status: 422,
      code: 'weak_password',
      extra: { weak_password: { reasons: [reason] } },
    })
  })
  test('a passphrase may be long, and there is an end', async () => {
    const long = Array.from({ length: 128 }, (_, at) => `${(at * 7919) % 9973}`.padStart(8, 'k')).join('')
    expect(isTooLong(long)).toBe(false)
    await needGoodPassword(long, EMAIL)
    await expect(needGoodPassword(`${long}x`, EMAIL)).rejects.toMatchObject({ status: 400 })
  })
})

test('whoever signs up with a password that many people have is told so, as the protocol says it', async () => {
  const house = await openTestAuth()
  const { auth } = clientOf(await house.listen())
  const { error } = await auth.signUp({ email: OWNER, password: 'Liverpool2019' })
  expect(error).toMatchObject({ name: 'AuthWeakPasswordError', status: 422, reasons: ['pwned'] })
  expect(error?.message).toContain('one that many people have')
  await house.close()
})
