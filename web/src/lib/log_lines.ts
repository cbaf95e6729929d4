/** The last `most` lines of a log that hold `find` (any case), and how many of those before them are left out. */
export function lastLines(log: string, find: string, most: number): { text: string; cut: number } {
  const needle = find.trim().toLowerCase();
  const lines = log.split('\n').filter((line) => line !== '' && line.toLowerCase().includes(needle));
  return { text: lines.slice(-most).join('\n'), cut: Math.max(0, lines.length - most) };
}
