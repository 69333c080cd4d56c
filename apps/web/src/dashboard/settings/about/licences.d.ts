/** Made by the build from what is installed. */
declare module 'virtual:licences' {
  export const LICENCES: readonly { readonly name: string; readonly version: string; readonly licence: string }[]
}
