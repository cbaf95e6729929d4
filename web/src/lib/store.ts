import { useEffect, useState } from 'preact/hooks';

/** One value that several components look at. */
export interface Store<T> {
  get(): T;
  set(value: T): void;
  listen(listener: (value: T) => void): () => void;
}

export function makeStore<T>(first: T): Store<T> {
  let current = first;
  const listeners = new Set<(value: T) => void>();
  return {
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return;
      current = value;
      for (const listener of [...listeners]) listener(value);
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useStore<T>(store: Store<T>): T {
  const [value, setValue] = useState(store.get());
  useEffect(() => {
    setValue(() => store.get()); // it may have changed between render and effect
    return store.listen((next) => setValue(() => next));
  }, [store]);
  return value;
}
