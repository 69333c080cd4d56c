import { generateSync } from 'otplib'

/** What an authenticator app with that secret shows that many seconds from now. A code works once. */
export const authenticatorCode = (secret: string, later = 0): string =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + later })
