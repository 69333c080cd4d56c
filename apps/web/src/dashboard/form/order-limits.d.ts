/** Made by the build from the contract: what it demands of the order of that operation. */
declare module 'virtual:limits/*' {
  export const LIMITS: import('./limits.ts').FieldLimits
}
