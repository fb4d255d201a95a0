/**
 * A correction moves a check-in to a work date at most so many days from the day on which it was
 * made: a shift lasts two days. A day looks at check-ins of more days around it (`marginDays`).
 */
export const movedDaysMax = 2;
