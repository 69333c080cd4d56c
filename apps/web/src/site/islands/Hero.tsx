/** The live packing. */
export function Hero({ seed }: { readonly seed: number }) {
  return <p>{seed}</p>
}
