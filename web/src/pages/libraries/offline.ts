import type { Problem } from '../../lib/types';

const offline = 'the library folder is offline'; // how the server's reason begins

export function isOffline(path: string, problems: readonly Problem[]): boolean {
  return problems.some((each) => each.path === path && each.reason.startsWith(offline));
}
