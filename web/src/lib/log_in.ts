import { ApiError, ask, read } from './api';
import type { Session } from './session';

/** A session of an administrator. Throws ApiError: 401 where name or password are wrong, 403 where it is nobody who may look in here. */
export async function logInByName(name: string, password: string): Promise<Session> {
  const answer = await read<{
    accessToken: string;
    user: { id: string; name: string; policy?: { isAdministrator?: boolean } };
  }>('Users/AuthenticateByName', { method: 'POST', body: { Username: name, Pw: password }, as: null });
  const who: Session = { token: answer.accessToken, name: answer.user.name, kind: 'user', id: answer.user.id };
  if (answer.user.policy?.isAdministrator) return who;
  await ask('Sessions/Logout', { method: 'POST', as: who }).catch(() => undefined);
  throw new ApiError(403, `${who.name} is no administrator; the dashboard is for administrators.`);
}

/** With a key, which is asked for once whether it is one. */
export async function logInByKey(key: string): Promise<Session> {
  const who: Session = { token: key.trim(), name: 'administrator’s key', kind: 'key' };
  await ask('cluster/leader', { as: who });
  return who;
}

/** Makes the first administrator, ends the start wizard, and logs in. Going through it again after a fault is harmless. */
export async function firstStart(serverName: string, name: string, password: string): Promise<Session> {
  const post = (path: string, body?: unknown) => ask(path, { method: 'POST', body, as: null });
  await post('Startup/Configuration', { ServerName: serverName });
  await post('Startup/User', { Name: name, Password: password });
  await post('Startup/Complete');
  return logInByName(name, password);
}
