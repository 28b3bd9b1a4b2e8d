import type { SQL } from 'bun'

/** Who tried for leases, and who got them, from when it was begun. */
export type LeaseWatch = {
  /** The processes that asked for this lease so far, by the name that each has for itself. */
  triedBy(name: string): Promise<string[]>
  /** Those that had it so far, in order of their first time. */
  heldBy(name: string): Promise<string[]>
  /** Forgets what it saw. */
  forget(): Promise<void>
}

/** Lets the database itself write down each try and each holder, in the transaction that did it. */
export async function watchLeases(sql: SQL): Promise<LeaseWatch> {
  await sql.unsafe(`
    create schema watch;
    create table watch.leases (
      n bigint generated always as identity, what text not null, name text not null,
      holder text not null
    );
    create function watch.lease() returns trigger language plpgsql as $$ begin
      insert into watch.leases (what, name, holder) values (tg_argv[0], new.name, new.holder);
      return new;
    end $$;
    create trigger tried before insert on leases
      for each row execute function watch.lease('tried');
    create trigger held after insert or update on leases
      for each row execute function watch.lease('held')`)
  async function holders(what: string, name: string): Promise<string[]> {
    const rows: Array<{ holder: string }> = await sql`
      select holder from watch.leases where what = ${what} and name = ${name}
      group by holder order by min(n)`
    return rows.map(({ holder }) => holder)
  }
  return {
    triedBy: (name) => holders('tried', name),
    heldBy: (name) => holders('held', name),
    async forget() {
      await sql`delete from watch.leases`
    },
  }
}

/** Who has the lease, and until when. */
export async function leaseOf(
  sql: SQL,
  name: string,
): Promise<{ holder: string; until: number } | undefined> {
  const [row] = await sql`select holder, until from leases where name = ${name}`
  return row && { holder: String(row.holder), until: Number(row.until) }
}

/** So much time passes for a lease; it is in the database, by the clock of its holder. */
export async function passForLease(sql: SQL, name: string, ms: number): Promise<void> {
  await sql`update leases set until = until - ${ms} where name = ${name}`
}
