/** The longest name has 120 characters, and may be longer in upper case. */
export const maxSearchLength = 200
