import { expect, test, vi } from 'vitest'

import { handLinkToSignIn } from './hand-link-to-sign-in.ts'

const goneTo = (hash: string): unknown => {
  const replace = vi.fn<(url: string) => void>()
  handLinkToSignIn({ hash, replace })
  return replace.mock.calls[0]?.[0]
}

test('whoever follows a link from a letter goes on to the sign-in page with what it brings', () => {
  const session = '#access_token=a&refresh_token=b&type=signup&sb='
  expect(goneTo(session)).toBe(`/auth${session}`)
  const refusal = '#error=access_denied&error_code=otp_expired&sb='
  expect(goneTo(refusal)).toBe(`/auth${refusal}`)
})

test('everyone else stays', () => {
  expect(['', '#', '#mig', '#features', '#type=access_token'].map(goneTo)).toEqual([...Array<undefined>(5)])
})
