// Numbers and times as people read them.

export function bytes(count: number): string {
  if (count < 1024) return `${count} B`;
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  let value = count / 1024;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

// "12 s", "3 min", "5 h", "2 d"
export function span(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 48 * 3600) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86400)} d`;
}

// "4:05"
export function countdown(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

export const clock = (time: string | number): string =>
  new Date(time).toLocaleTimeString([], { hour12: false });

export const dateTime = (time: string | number): string =>
  new Date(time).toLocaleString([], { dateStyle: 'medium', timeStyle: 'medium', hour12: false });

export const shortId = (id: string): string => id.slice(0, 8);

// A workspace's path on the host, as it is called inside.
export function insidePath(path: string, sandbox: string): string {
  const mark = `/${sandbox}/workspace`;
  const at = path.indexOf(mark);
  const rest = path.slice(at + mark.length);
  return at < 0 || (rest && !rest.startsWith('/')) ? path : `/workspace${rest}`;
}

// What a client calls itself stands after the user's id, between brackets.
export function actorName(actor: string | undefined, user: string): string {
  if (!actor) return 'An agent';
  if (actor === user) return 'A client of the API';
  const named = /^(\S+) \((.*)\)$/s.exec(actor);
  return named?.[1] === user && named[2] ? named[2] : actor;
}

export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString()} ${number === 1 ? one : many}`;
