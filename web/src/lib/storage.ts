/** What a browser keeps for us; where it keeps nothing (site data are blocked), what this page remembers. */
function makeStorage(of: () => Storage) {
  const memory = new Map<string, string>();
  return {
    get(key: string): string | null {
      try {
        const kept = of().getItem(key);
        if (kept !== null) return kept;
      } catch {
        // nothing is kept
      }
      return memory.get(key) ?? null;
    },
    set(key: string, value: string): void {
      try {
        of().setItem(key, value);
      } catch {
        memory.set(key, value);
      }
    },
    remove(key: string): void {
      memory.delete(key);
      try {
        of().removeItem(key);
      } catch {
        // nothing is kept
      }
    },
  };
}

/** For this browser. */
export const lasting = makeStorage(() => localStorage);
/** For this window. */
export const passing = makeStorage(() => sessionStorage);
