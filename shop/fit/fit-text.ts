/** The longest that is read of an address. */
export const maxFitText = 400
