export const WHERE_POLICIES_ARE = 'Settings → What Septet may do'
