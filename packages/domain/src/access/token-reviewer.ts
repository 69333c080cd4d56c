/** Asks the API server of one cluster for whom it takes a token (TokenReview), and does nothing else there. */
export type TokenReviewer = {
  /**
   * The user whose token it is, where it was issued for `audience`; undefined where it is not valid. Throws `AccessRefused`
   * where Septet may not ask, and a `ConnectError` or another error where no answer came.
   */
  review(token: string, audience: string): Promise<string | undefined>
  close(): void
}
