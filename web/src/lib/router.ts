import { useEffect, useState } from 'preact/hooks';

/** Where the person is: `#/items/ID?page=2`. The part behind `#` never reaches the server, so every base URL will do. */
export interface Route {
  page: string;
  id: string;
  params: Record<string, string>;
}

export function parseRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#?\/?/, '').split('?', 2);
  const [page = '', id = ''] = path.split('/');
  return { page: page || 'now', id: decode(id), params: Object.fromEntries(new URLSearchParams(search)) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `#/page/id?…` of what is set. */
export function href(page: string, id = '', params: Record<string, string | number | undefined> = {}): string {
  const set = Object.entries(params).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(set.map(([key, value]) => [key, String(value)])).toString();
  return `#/${page}${id ? '/' + encodeURIComponent(id) : ''}${search ? '?' + search : ''}`;
}

/** `replace`: a filter that is typed letter by letter leaves no trail. */
export function go(to: string, replace = false): void {
  if (!replace) location.hash = to;
  else {
    history.replaceState(null, '', to);
    dispatchEvent(new HashChangeEvent('hashchange'));
  }
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const look = () => setRoute(parseRoute(location.hash));
    addEventListener('hashchange', look);
    return () => removeEventListener('hashchange', look);
  }, []);
  return route;
}
