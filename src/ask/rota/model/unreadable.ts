/** A calendar that cannot be read to its end; the message is a clause, without its end. */
export class Unreadable extends Error {}
