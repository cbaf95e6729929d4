// What the server answers, as docs/api.md says; Jellyfin's surface in its camel-case spelling.

export type Standing = 'leader' | 'follower' | 'self_appointed' | 'unknown' | 'single';

export interface Leader {
  pod: string;
  standing: Standing;
  provider: 'redis' | 'database' | 'none';
  holder: { pod: string; since: string } | null;
  term: number;
  ttlLeftMs: number | null;
  outage: { since: string; class: string; detail: string } | null;
  abstainsUntil: string | null;
  standsBack?: string | null;
  waitsUntil: string | null;
  timersPaused: boolean | null;
}

export interface Pod {
  pod: string;
  bootId: string;
  version: string;
  startedAt: string;
  heartbeatAt: string;
  heartbeatAgeMs: number;
  state: 'alive' | 'silent';
  standing: Standing | null;
  lastStanding: Standing | '' | null;
  self: boolean;
  running: { task: string; runId: string; progress: number }[];
}

export interface Lead {
  pod: string;
  term: number;
  beganAt: string;
  seenAt: string;
  endedAt: string | null;
  gapMs: number | null;
}

export type RunState =
  | 'waiting'
  | 'running'
  | 'cancelling'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'aborted'
  | 'yielded';

export interface Run {
  runId: string | null;
  task: string;
  kind: 'timer' | 'startup' | 'manual';
  slot: string | null;
  pod: string | null;
  epoch: number | null;
  state: RunState;
  progress: number;
  rate: { unit: string; perSecond: number } | null;
  leftMs: number | null;
  startedAt: string | null;
  heartbeatAt: string | null;
  endedAt: string | null;
  counts: Record<string, number>;
  warnings: string[];
  error: string | null;
  waitingFor: string | null;
  notBefore: string | null;
  resumedFrom: string | null;
}

export interface Page<T> {
  items: T[];
  total: number;
}

export interface Skip {
  task: string;
  slot: string;
  pod: string;
  at: string;
  reason: 'not_leader' | 'claimed' | 'disabled' | 'paused';
  holder: string | null;
}

export interface Slot {
  task: string;
  slot: string;
  trigger: string | null;
}
export interface Schedule {
  timersPaused: boolean;
  items: Slot[];
}
export interface Preview {
  zone: string;
  items: { slot: string; trigger: string; index: number }[];
}

export interface Trigger {
  type: string;
  timeOfDayTicks?: number;
  intervalTicks?: number;
  dayOfWeek?: string;
  maxRuntimeTicks?: number;
}

export interface Task {
  id: string;
  key: string;
  name: string;
  description: string;
  category: string;
  state: 'Idle' | 'Running' | 'Cancelling';
  currentProgressPercentage?: number;
  lastExecutionResult?: { startTimeUtc: string; endTimeUtc: string; status: string; errorMessage?: string };
  triggers: Trigger[];
}

export interface Ready {
  ready: boolean;
  status: 'Healthy' | 'Degraded' | 'Unhealthy';
  phase: string;
  detail: string | null;
  product: string;
  version: string;
  pod: string;
  baseUrl: string;
  database: { reachable: boolean; migrated: boolean; detail: string | null };
  lease: { standing: Standing; provider: string; outage: string | null };
  degraded: Note[];
  notes: Note[];
}
export interface Note {
  component: string;
  reason: string;
}

export interface LibraryOptions {
  enableRealtimeMonitor?: boolean;
  enableChapterImageExtraction?: boolean;
  enableLUFSScan?: boolean;
  removeMissingAfterDays?: number | null;
  disabledMediaSegmentProviders?: string[];
}
export interface Library {
  name: string;
  itemId: string;
  locations: string[];
  collectionType: 'movies' | 'tvshows' | 'music';
  libraryOptions: LibraryOptions;
  refreshStatus: 'Idle' | 'Queued' | 'Active';
  refreshProgress?: number;
}

export interface Problem {
  path: string;
  library: string;
  task: string;
  reason: string;
  since: string;
}

export interface Stream {
  index: number;
  type: string;
  codec?: string;
  language?: string;
  title?: string;
  displayTitle?: string;
  profile?: string;
  width?: number;
  height?: number;
  averageFrameRate?: number;
  bitRate?: number;
  channels?: number;
  channelLayout?: string;
  sampleRate?: number;
  bitDepth?: number;
  videoRange?: string;
  isDefault: boolean;
  isForced: boolean;
  isExternal: boolean;
  path?: string;
}

export interface MediaSource {
  id: string;
  name: string;
  path: string;
  container?: string;
  size: number;
  bitrate?: number;
  runTimeTicks?: number;
  mediaStreams: Stream[];
}

export interface Item {
  id: string;
  name: string;
  type: string;
  isFolder: boolean;
  mediaType: string;
  locationType: 'FileSystem' | 'Offline';
  runTimeTicks?: number;
  productionYear?: number;
  indexNumber?: number;
  parentIndexNumber?: number;
  seriesName?: string;
  seriesId?: string;
  seasonId?: string;
  seasonName?: string;
  album?: string;
  albumId?: string;
  albumPrimaryImageTag?: string;
  albumArtist?: string;
  parentId?: string;
  overview?: string;
  genres?: string[];
  officialRating?: string;
  communityRating?: number;
  childCount?: number;
  path?: string;
  imageTags: Record<string, string>;
  backdropImageTags: string[];
  people?: { id: string; name: string; role?: string; type: string; primaryImageTag?: string }[];
  mediaSources?: MediaSource[];
  chapters?: { startPositionTicks: number; name?: string }[];
}
export interface Items {
  items: Item[];
  totalRecordCount: number;
  startIndex: number;
}

export interface Media {
  keyframesMs: number[] | null;
  loudnessLufs: number | null;
  albumLoudnessLufs: number | null;
  truePeakDb: number | null;
  segments: { type: string; startMs: number; endMs: number; provider: string }[] | null;
  chapters: { startMs: number; name: string | null; image: string | null }[] | null;
}

export interface UserPolicy {
  isAdministrator?: boolean;
  isDisabled?: boolean;
  isHidden?: boolean;
  enableAllFolders?: boolean;
  enabledFolders?: string[];
}
export interface User {
  id: string;
  name: string;
  hasPassword: boolean;
  lastActivityDate?: string;
  policy?: UserPolicy;
}

export interface ApiKey {
  id: number;
  accessToken: string;
  appName: string;
  dateCreated: string;
}

export interface Device {
  id: string;
  name: string;
  lastUserName: string;
  appName: string;
  appVersion: string;
  dateLastActivity: string;
}

export interface Setting {
  name: string;
  value: string | null;
  source: string;
  default: string;
  help: string;
  secret?: boolean;
}

export interface LogFile {
  name: string;
  size: number;
  dateModified: string;
}

export interface ActivityEntry {
  id: number;
  name: string;
  overview?: string;
  shortOverview?: string;
  type: string;
  date: string;
  severity: string;
}
