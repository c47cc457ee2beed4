// A value that parts of the page follow.
import { useEffect, useState } from 'preact/hooks';

export class Live<T> {
  private readonly followers = new Set<(value: T) => void>();
  constructor(private current: T) {}

  get value(): T {
    return this.current;
  }
  set(value: T): void {
    this.current = value;
    for (const one of [...this.followers]) one(value);
  }
  update(change: (value: T) => T): void {
    this.set(change(this.current));
  }
  follow(follower: (value: T) => void): () => void {
    this.followers.add(follower);
    return () => this.followers.delete(follower);
  }
}

export function useLive<T>(live: Live<T>): T {
  const [value, setValue] = useState(live.value);
  useEffect(() => {
    setValue(live.value);
    return live.follow((next) => setValue(() => next));
  }, [live]);
  return value;
}
